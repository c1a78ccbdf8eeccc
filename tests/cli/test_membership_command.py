"""`seethrough attack membership` as a user runs it."""

import json

import polars as pl
import pytest
from typer.testing import CliRunner

from seethrough.cli.main import app
from seethrough.data import samples


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Forty people of whom half are in a copied release, named by what a spreadsheet would run."""
    folder = tmp_path_factory.mktemp("membership")
    found = samples.acs_release()
    asked = pl.concat([found.real[:20], found.holdout[:20]])
    asked = asked.with_columns(pl.Series("who", [f"=p{number}" for number in range(40)]))
    asked.write_csv(folder / "people.csv")
    found.real[:300].write_csv(folder / "copy.csv")
    found.synthetic[:300].write_csv(folder / "synthetic.csv")
    found.holdout[20:600].write_csv(folder / "reference.csv")
    return folder


@pytest.fixture
def attack(folder):
    def go(*more, synthetic="copy.csv", reference=True):
        words = ["--people", folder / "people.csv", "--synthetic", folder / synthetic, "--id", "who"]
        words += ["--reference", folder / "reference.csv"] if reference else []
        return CliRunner().invoke(app, [*map(str, ("attack", "membership", *words, *more))], env={"COLUMNS": "80"})

    return go


def test_people_are_rated_against_a_reference(attack, tmp_path):
    found = attack("--out", tmp_path / "rated.csv")
    assert found.exit_code == 0, found.output
    said = " ".join(found.stdout.split())
    assert "At 10 % false alarms" in said
    assert "are expected to if nobody was in the data" in said
    assert "0.1 % cannot be told with 522 people of the reference; the lowest rate is 1 in 523." in said
    assert "if the reference is drawn from the same population" in said
    assert max(map(len, found.stdout.splitlines())) <= 80
    rated = pl.read_csv(tmp_path / "rated.csv")
    assert rated.columns == ["synthetic", "rating", "row", "id", "score", "rank", "p", "listed"]
    assert rated["row"].to_list() == [*range(1, 41)]
    assert rated["id"][0] == "'=p0"
    assert rated.filter(rank=1)["row"].max() <= 20


def test_without_a_reference_it_is_called_a_ranking(attack):
    found = attack(reference=False)
    assert found.exit_code == 0, found.output
    said = " ".join(found.stdout.split())
    assert "This is a ranking and no probability" in said
    assert "false alarm rate" not in said
    assert "self-ratio" in said


def test_several_ratings_and_releases_stand_side_by_side(attack, folder):
    more = ["--synthetic", folder / "synthetic.csv", "--rating", "log-ratio,match", "--rating", "nearness"]
    found = attack(*more)
    assert found.exit_code == 0, found.output
    assert [
        line.split()[0] for line in found.stdout.splitlines() if line.startswith(("log-", "match ", "nearness "))
    ] == [
        "log-ratio",
        "match",
        "nearness",
    ] * 2
    assert "choosing the rating with the longest" in found.stdout
    assert max(map(len, found.stdout.splitlines())) <= 80


@pytest.mark.parametrize("name", ["rated.parquet", "rated.arrow", "rated.json", "rated.csv.gz"])
def test_ratings_are_written_in_the_format_of_the_name(attack, tmp_path, name):
    out = tmp_path / name
    found = attack("--out", out, "--json")
    assert found.exit_code == 0, found.output
    told = json.loads(found.stdout)
    assert told["format"] == 1
    assert told["ratings"][0]["people"][0].keys() == {"row", "id", "score", "rank", "p", "listed"}
    if name.endswith(".json"):
        assert json.loads(out.read_text())["ratings"][0]["people"] == told["ratings"][0]["people"]
    else:
        read = {"parquet": pl.read_parquet, "arrow": pl.read_ipc, "gz": pl.read_csv}[name.rpartition(".")[2]]
        assert read(out)["score"].to_list() == [person["score"] for person in told["ratings"][0]["people"]]


def test_a_parameter_of_a_rating_is_set(attack):
    told = json.loads(attack("--param", "log-ratio.neighbours=3", "--json").stdout)
    assert told["ratings"][0]["parameters"] == {"neighbours": 3}


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--rating", "nearnes"], "there is no rating 'nearnes'; did you mean nearness"),
        (["--out", "rated.txt"], "rated.txt does not say what to write"),
        (["--reference", "none.csv"], "none.csv is not there"),
        (["--id", "name"], "people.csv has no column 'name' that names people"),
        (["--memory", "1k"], "is too little"),
    ],
)
def test_what_is_at_fault_is_said_in_one_sentence(attack, words, said):
    found = attack(*words)
    assert found.exit_code == 2
    assert said in found.stderr
    assert len(found.stderr.strip().splitlines()) == 1
