"""`seethrough synthesize` as a user runs it."""

import json
import re

import polars as pl
import pytest
from typer.testing import CliRunner

import seethrough as st
from seethrough.cli.main import app
from seethrough.data import samples
from seethrough.plugins import catalog


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("synthesize")
    samples.acs_release().real[:300].write_csv(folder / "real.csv")
    return folder


def run(*words):
    return CliRunner().invoke(app, ["synthesize", *map(str, words)])


def test_a_table_and_its_card(folder, tmp_path):
    words = ["--synthesizer", "nonprivate", "--real", folder / "real.csv", "--rows", 50, "--seed", 7]
    found = run(*words, "--out", tmp_path / "synth.parquet")
    assert found.exit_code == 0, found.output
    assert "nonprivate, Resampled records" in found.stdout
    assert "50 rows" in found.stdout
    made = pl.read_parquet(tmp_path / "synth.parquet")
    real = pl.read_csv(folder / "real.csv", infer_schema=False)
    assert len(made) == 50
    texts = made.with_columns(pl.all().cast(pl.String))
    assert texts.join(real, on=made.columns, how="anti", nulls_equal=True).is_empty()
    card = json.loads((tmp_path / "synth.parquet.card.json").read_text())
    assert (card["seed"], card["rows"], card["real"]["rows"], card["privacy"]) == (7, 50, 300, None)
    assert set(card["real"]) == {"name", "rows", "columns"}  # a digest of the real table would confirm a guess of it
    again = run(*words, "--out", tmp_path / "again.parquet", "--json")
    assert pl.read_parquet(tmp_path / "again.parquet").equals(made)
    assert json.loads(again.stdout)["real"] == card["real"]


def test_without_rows_there_are_as_many_as_in_the_real_table(folder, tmp_path):
    found = run("--synthesizer", "nonprivate", "--real", folder / "real.csv", "--out", tmp_path / "synth.csv")
    assert found.exit_code == 0, found.output
    assert len(pl.read_csv(tmp_path / "synth.csv")) == 300
    assert json.loads((tmp_path / "synth.csv.card.json").read_text())["rows"] == 300
    assert len(st.synthesize("indhist", folder / "real.csv").frame) == 300


def test_noise_that_protects_cannot_be_drawn_again(folder, tmp_path):
    schema = tmp_path / "declared.toml"
    schema.write_text(CliRunner().invoke(app, ["schema", str(folder / "real.csv")]).stdout)
    words = ["--synthesizer", "privbayes:k=1", "--real", folder / "real.csv", "--rows", 50, "--schema", schema]
    cards, tables = [], []
    for name, seed in (("a", ()), ("b", ()), ("c", ("--seed", 7)), ("d", ("--seed", 7))):
        found = run(*words, *seed, "--out", tmp_path / f"{name}.csv")
        assert found.exit_code == 0, found.output
        cards.append(json.loads((tmp_path / f"{name}.csv.card.json").read_text()))
        tables.append((tmp_path / f"{name}.csv").read_text())
        known = "the guarantee holds only against those who do not know it"
        assert (known in " ".join(found.stderr.split())) == bool(seed)
    assert [card["seed"] for card in cards] == [None, None, 7, 7]
    assert tables[0] != tables[1]
    assert tables[2] == tables[3]
    # Without a guarantee there is nothing to protect, and a release can be made again.
    plain = [st.synthesize("indhist", folder / "real.csv", 20) for _ in range(2)]
    assert [each.card.seed for each in plain] == [0, 0]
    assert plain[0].frame.equals(plain[1].frame)


def test_remarks_about_records_are_printed_and_not_on_the_card_of_a_guarantee(folder, tmp_path):
    schema = tmp_path / "declared.toml"
    written = CliRunner().invoke(app, ["schema", str(folder / "real.csv")]).stdout
    schema.write_text(re.sub(r"range = \[0, \d+\]", "range = [0, 60]", written, count=1))
    words = ["--real", folder / "real.csv", "--rows", 50, "--schema", schema, "--out", tmp_path / "x.csv"]
    found = run("--synthesizer", "privbayes:k=1", *words)
    assert found.exit_code == 0, found.output
    told = "for you alone, not covered by epsilon: real.csv: column 'age':"
    assert told in " ".join(found.stderr.split())
    assert "beyond the declared range" not in (tmp_path / "x.csv.card.json").read_text()


def test_the_list_has_every_generator():
    found = run("--list")
    for name, synthesizer in catalog.all_synthesizers().items():
        assert name in found.stdout
        assert synthesizer.card.title in " ".join(found.stdout.split())
    listed = json.loads(run("--list", "--json").stdout)
    assert [each["name"] for each in listed] == list(catalog.all_synthesizers())


def test_help_names_every_generator():
    # Lines break at hyphens too.
    shown = "".join(CliRunner().invoke(app, ["game", "--help"]).stdout.split())
    named = re.search(r"of(baynet,.*?);mayberepeated", shown)
    assert named[1].split(",") == sorted(catalog.all_synthesizers())


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--rows", 0], "0 rows cannot be drawn"),
        (["--rows", 301], "301 rows are more than its 300 records"),
        (["--out", "x.txt"], "does not say what to write"),
        (["--synthesizer", "reel"], "there is no synthesizer 'reel'"),
        (["--param", "k"], "'k' is not of the form NAME=VALUE"),
        (["--epsilon", "1"], "real has no parameter 'epsilon'"),
        (["--real", "nowhere.csv"], "nowhere.csv is not there"),
    ],
)
def test_bad_requests_end_with_one_sentence_and_write_nothing(folder, tmp_path, words, said):
    base = {"--synthesizer": "real", "--real": folder / "real.csv", "--rows": 5, "--out": tmp_path / "x.csv"}
    asked = {**base, words[0]: words[1]}
    found = run(*(word for pair in asked.items() for word in pair))
    assert found.exit_code == 2
    assert said in found.stderr
    assert not list(tmp_path.iterdir())


def test_what_is_missing_is_named(folder):
    assert "--synthesizer is missing" in run("--real", folder / "real.csv").stderr
    assert "--out is missing" in run("--synthesizer", "real", "--real", folder / "real.csv", "--rows", 3).stderr


def test_undeclared_levels_are_refused(folder, tmp_path):
    (tmp_path / "s.toml").write_text('format = 1\n[columns.sex]\nkind = "binary"\nlevels = ["other"]\n')
    found = run(
        *("--synthesizer", "real", "--real", folder / "real.csv", "--rows", 3, "--out", tmp_path / "x.csv"),
        *("--schema", tmp_path / "s.toml"),
    )
    assert "'sex' has values that are not among its declared levels" in found.stderr


def test_from_python_a_frame_of_the_kind_given(folder):
    pandas = pytest.importorskip("pandas")
    found = st.synthesize("nonprivate", pandas.read_csv(folder / "real.csv"), 20, seed=1)
    assert isinstance(found.frame, pandas.DataFrame)
    assert len(found.frame) == 20
    assert found.card.seed == 1
    told = []
    st.synthesize("indhist", samples.acs(), 20, progress=told.append)
    assert [each.doing for each in told] == ["fitting", "sampling", "writing"]
