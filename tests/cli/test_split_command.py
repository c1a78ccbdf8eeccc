"""`seethrough split` as a user runs it."""

import json

import pytest
from typer.testing import CliRunner

from seethrough.cli.main import app
from seethrough.data import samples


@pytest.fixture(scope="module")
def real(tmp_path_factory):
    path = tmp_path_factory.mktemp("split") / "real.csv"
    samples.acs_release().real[:300].write_csv(path)
    return path


def run(*words):
    return CliRunner().invoke(app, ["split", *map(str, words)])


def test_two_parts_and_a_card(real, tmp_path):
    found = run(real, "--out", tmp_path / "parts", "--seed", 7)
    assert found.exit_code == 0, found.output
    card = json.loads((tmp_path / "parts" / "holdout.csv.card.json").read_text())
    parts = [(tmp_path / "parts" / name).read_text().splitlines() for name in ("train.csv", "holdout.csv")]
    assert (card["seed"], card["audit_set"]["people"]) == (7, 120)
    assert [len(part) - 1 for part in parts] == [card["train"]["rows"], card["holdout"]["rows"]]
    assert sorted([*parts[0][1:], *parts[1][1:]]) == sorted(real.read_text().splitlines()[1:])
    assert "300 people: " in found.stdout
    assert "Keep holdout.csv and holdout.csv.card.json private" in found.stdout


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--audit-share", 0), "an audit share of 0 is not possible"),
        (("--audit-share", 0.1), "has 30; at least 80 are needed"),
        (("--entity", "nobody"), "real.csv has no column 'nobody' that names people"),
        (("--separator", ",,"), "separator ',,' is not usable"),
    ],
)
def test_a_bad_request_ends_with_one_sentence(real, tmp_path, words, said):
    found = run(real, "--out", tmp_path / "parts", *words)
    assert found.exit_code == 2
    assert said in found.stderr
    assert found.stderr.count("\n") == 1
    assert not (tmp_path / "parts").exists()


def test_a_table_that_is_not_there(tmp_path):
    found = run(tmp_path / "no.csv", "--out", tmp_path / "parts")
    assert found.exit_code == 2
    assert "is not there" in found.stderr
