"""`seethrough attack linkage` and `seethrough reverse-map` as a user runs them."""

import json

import polars as pl
import pytest
from typer.testing import CliRunner

from seethrough.cli.main import app
from seethrough.data import samples


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("linkage")
    found = samples.acs_release()
    columns = ["age", "education", "sex", "race", "employed", "disability"]
    found.real[:300].select(columns).write_csv(folder / "real.csv")
    found.synthetic[:300].select(columns).write_csv(folder / "one.csv")
    found.synthetic[300:500].select(columns).write_csv(folder / "two.csv")
    found.holdout[:300].select(columns).write_csv(folder / "holdout.csv")
    return folder


def run(*words):
    return CliRunner().invoke(app, [*map(str, words)], env={"COLUMNS": "80"})


@pytest.fixture
def link(folder):
    def go(*more):
        files = ["--synthetic", folder / "one.csv", "--synthetic", folder / "two.csv"]
        return run("attack", "linkage", "--real", folder / "real.csv", *files, *more)

    return go


def test_a_secret_column_is_read_off_and_held_against_baselines(link, folder, tmp_path):
    words = ["--secret", "age", "--holdout", folder / "holdout.csv", "--out", tmp_path / "records.csv"]
    found = link(*words)
    assert found.exit_code == 0, found.output
    for said in ("Secret column age", "permuted", "holdout", "narrow and right", "two.csv has 200 rows", "no order"):
        assert said in found.stdout
    assert max(map(len, found.stdout.splitlines())) <= 80
    records = pl.read_csv(tmp_path / "records.csv")
    assert len(records) == 2 * 300
    assert records.filter(file="one.csv")["row"].to_list() == list(range(1, 301))
    report = json.loads(link(*words, "--json").stdout)
    exact = records.filter(file="one.csv")["exact"].mean()
    assert report["disclosures"][0]["files"]["release"][0]["exact"]["value"] == pytest.approx(exact)
    assert report["format"] == 2
    assert report["rows"] == [300, 200]


def test_without_a_secret_column_it_is_about_identity(link, tmp_path):
    found = link("--criterion", "max", "--out", tmp_path / "records.csv")
    assert found.exit_code == 0, found.output
    assert "Who is linked to whom" in found.stdout
    assert "max of rank differences in 6 columns" in found.stdout
    assert pl.read_csv(tmp_path / "records.csv").columns[:3] == ["row", "file", "linked"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--secret", "shoe"], "'shoe' is not in the real table"),
        (["--criterion", "mean"], "parameter linkage.criterion is 'mean'; sum or max or min is expected"),
        (["--synthetic", "none.csv"], "none.csv is not there"),
        (["--secret", "age", "--narrow", "3"], "a share is expected"),
    ],
)
def test_what_cannot_be_linked_ends_with_one_sentence(link, words, said, tmp_path):
    found = link(*words, "--out", tmp_path / "records.csv")
    assert found.exit_code == 2
    assert said in found.stderr
    assert len(found.stderr.strip().splitlines()) == 1
    assert list(tmp_path.iterdir()) == []


def test_reverse_mapping_writes_tables_and_says_what_they_do_not_protect(folder, tmp_path):
    words = ["--real", folder / "real.csv", "--synthetic", folder / "one.csv", "--synthetic", folder / "two.csv"]
    found = run("reverse-map", *words, "--out", tmp_path / "map")
    assert found.exit_code == 0, found.output
    for said in (
        "marginals are exact",
        "protects no better",
        "does not protect single values",
        "drawn again at random",
    ):
        assert said in " ".join(found.stdout.split())
    names = {path.name for path in (tmp_path / "map").iterdir()}
    assert names == {f"{part}-{n}.csv" for part in ("mapped", "permutation", "noise") for n in (1, 2)}
    real, mapped = pl.read_csv(folder / "real.csv"), pl.read_csv(tmp_path / "map" / "mapped-2.csv")
    for name in real.columns:
        assert mapped[name].sort().to_list() == real[name].sort().to_list()
    run("reverse-map", *words, "--out", tmp_path / "other", "--format", "parquet")
    assert pl.read_parquet(tmp_path / "other" / "mapped-2.parquet").equals(mapped)
    wrong = run("reverse-map", *words, "--out", tmp_path / "no", "--format", "xls")
    assert wrong.exit_code == 2
    assert "neither parquet nor csv" in wrong.stderr
    assert not (tmp_path / "no").exists()


def test_attacks_are_listed_and_an_unknown_one_is_refused():
    for name in ("recon", "dcr", "infer", "linkage"):
        assert name in run("attack", "--help").stdout
    assert run("attack", "nope").exit_code == 2


def test_an_audit_of_several_files_draws_the_growth(folder, tmp_path):
    files = ["--synthetic", folder / "one.csv", "--synthetic", folder / "two.csv"]
    words = ["--secret", "age", "--checks", "linkage", "--out", tmp_path / "audit", "--verbose"]
    found = run("audit", "--real", folder / "real.csv", *files, *words)
    assert found.exit_code == 0, found.output
    assert "SEVERAL TABLES TOGETHER" in found.stdout
    assert max(map(len, found.stdout.splitlines())) <= 80
    page = (tmp_path / "audit" / "report.html").read_text()
    assert page.count('class="growth"') == 6
    report = json.loads((tmp_path / "audit" / "report.json").read_text())
    assert report["format"] == 2
    assert len(report["growth"][0]["curves"]) == 6
