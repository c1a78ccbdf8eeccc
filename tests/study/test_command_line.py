"""`seethrough study` as a user runs it, and the example in the documentation."""

import json
import re
from pathlib import Path

import polars as pl
import pytest
from typer.testing import CliRunner

import seethrough as st
from seethrough.cli.main import app
from seethrough.cli.study_progress import StudyWatch, format_duration, rate
from seethrough.data import samples
from seethrough.study.cells.results import FULL, SMALL
from seethrough.study.plan.plan import parse_plan
from seethrough.study.run.running import StudyProgress

PAGE = Path(__file__).resolve().parents[2] / "docs" / "studies.md"


def study(*words):
    return CliRunner().invoke(app, ["study", *map(str, words)])


@pytest.fixture
def plan(folder, plan_text):
    (folder / "tiny.toml").write_text(plan_text)
    return folder / "tiny.toml"


@pytest.fixture
def ran(plan, folder):
    found = study("run", plan, "--store", folder / "s.sqlite", "--workers", "1")
    assert found.exit_code == 0, found.output
    return folder / "s.sqlite"


def test_run_says_what_is_there(plan, folder, ran):
    found = study("run", plan, "--store", ran, "--workers", "1")
    assert found.exit_code == 0
    assert f"48 of 48 cells are in {ran}: 0 computed now, 48 before" in found.stderr
    assert study("status", "--store", ran).stdout == "tiny (full): 48 cells, 48 done, 0 missing; complete\n"


def test_export(ran, folder):
    for kind in ("csv", "parquet"):
        out = folder / f"out.{kind}"
        assert study("export", "tiny", "--store", ran, "--format", kind, "--out", out).exit_code == 0
        frame = pl.read_csv(out) if kind == "csv" else pl.read_parquet(out)
        assert frame.height == 48
        assert set(frame["name"]) == {"dcr", "dcr:distance=codes", "utility", "crp", "zcap"}
    by_name = folder / "by-name.parquet"
    assert study("export", "tiny", "--store", ran, "--out", by_name).exit_code == 0
    assert by_name.read_bytes()[:4] == b"PAR1"
    found = study("export", "tiny", "--store", ran, "--format", "xls", "--out", folder / "x")
    assert found.exit_code == 2
    assert "csv or parquet is expected" in found.stderr


def test_merge_takes_over_what_another_store_has(plan, ran, folder):
    mine = folder / "mine.sqlite"
    found = study("merge", ran, "--store", mine)
    assert found.exit_code == 0
    assert f"took 48 cells of {ran} into {mine}; 0 were there already" in found.stderr
    assert "48 before" in study("run", plan, "--store", mine, "--workers", "1").stderr
    assert study("merge", folder / "absent.sqlite", "--store", mine).exit_code == 2
    (folder / "other.sqlite").write_text("something else altogether, of more than a few bytes" * 20)
    refused = study("merge", folder / "other.sqlite", "--store", mine)
    assert refused.exit_code == 2
    assert "it is no store" in refused.stderr


def test_figures_and_comparison(ran, folder):
    found = study("figures", "tiny", "--store", ran, "--out", folder / "figures")
    assert found.exit_code == 0, found.output
    assert (folder / "figures" / "index.html").is_file()
    assert (folder / "figures" / "accuracy-by-size.svg").is_file()
    assert (
        study("compare", folder / "tiny.toml", "--store", ran).stdout == study("compare", "tiny", "--store", ran).stdout
    )
    found = study("compare", "tiny", "--store", ran)
    assert found.exit_code == 0
    assert found.stdout.startswith("games: reproduced if the 95 % interval of the difference")
    assert "no published number is about what this study has" in found.stdout


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("run", "aia-siz"), "there is no plan 'aia-siz'"),
        (("status", "--store", "absent.sqlite"), "absent.sqlite is not there"),
        (("figures", "other", "--out", "x"), "has no study other; it has tiny (full)"),
        (("run", "PLAN", "--data", "people"), "--data 'people' is not of the form NAME=FILE"),
        (("run", "PLAN", "--data", "folk=x.csv"), "--data folk: plan tiny has no data of this name"),
        (("run", "PLAN", "--memory", "none"), "--memory 'none' is not an amount of memory"),
    ],
)
def test_requests_at_fault(ran, plan, words, said):
    words = [plan if word == "PLAN" else word for word in words]
    found = study(*words, *(() if "--store" in words else ("--store", ran)))
    assert found.exit_code == 2, found.output
    assert said in found.stderr
    assert "Traceback" not in found.output


def test_failed_cells_are_shown_with_their_error(folder, plan_text):
    (folder / "tiny.toml").write_text(plan_text.replace('["nonprivate", "indhist"]', '["real", "indhist"]'))
    words = ("--store", folder / "s.sqlite")
    found = study("run", folder / "tiny.toml", *words, "--workers", "1")
    assert found.exit_code == 3
    assert "20 cells failed; `seethrough study status` says why" in found.stderr
    shown = study("status", *words).stdout
    assert "28 done, 0 missing, 20 failed" in shown
    assert "failed 20 times: ConfigError: the synthesizer real gives each record once" in shown


def test_progress_in_words():
    now = StudyProgress(cells=100, before=20, computed=30, failed=2, unavailable=10, seconds=60.0)
    assert (now.left, now.rate, now.seconds_left) == (40, 0.5, 80.0)
    assert rate(now) == "0.50 a second, 2 failed"
    assert rate(StudyProgress(10, 0, 0, 0, 0, 1.0)) == "starting"
    assert [format_duration(each) for each in (5, 600, 36000)] == ["5 s", "10 min", "10.0 h"]
    watch = StudyWatch("tiny")
    assert watch.line() == "tiny: starting, elapsed 0:00"
    watch.note(now)
    assert watch.line() == "tiny: 50 of 90 cells, 0.50 a second, 2 failed, elapsed 0:00, about 1:20 left"


def test_the_example_in_the_documentation_runs(tmp_path):
    text = re.search(r"```toml\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)[1]
    samples.acs()[:600].write_csv(tmp_path / "people.csv")
    (tmp_path / "mine.toml").write_text(text)
    plan = parse_plan(text, "mine", FULL, tmp_path)
    assert plan.figures == ("accuracy-by-size", "utility", "metric-table", "disclosure-by-copies")
    assert len(parse_plan(text, "mine", SMALL, tmp_path).parts) == 1
    ended = st.run_study(tmp_path / "mine.toml", tmp_path / "studies.sqlite")
    assert ended.progress.failed == 0
    results = st.load_study(tmp_path / "studies.sqlite", "mine")
    # 4 games x (2 synthesizers x 2 sizes x 2 attacks + 3 baselines), utility in 2 games; 2 runs x 3 x (3 checks +
    # the evidence); 2 audits of 3 kinds of release; all attacks on 2 releases of 2 generators; linkage in 5 runs x
    # 3 levels x 2 numbers of tables, each beside permuted columns
    assert results.cells.height == 4 * (8 + 3) + 2 * 4 + 24 + 6 + 4 + 60
    assert set(results.cells["status"]) <= {"done", "skipped"}
    assert "mine" in results.cells["synthesizer"].to_list()


def test_results_are_plain_json(ran):
    from seethrough.study.store.store import Store

    with Store.read(ran) as store:
        for (text,) in store.rows("SELECT result FROM cell"):
            assert isinstance(json.loads(text), dict)
