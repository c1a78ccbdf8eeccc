"""`seethrough audit` and the people outside: too few, the same, of a split, several rows each; and limits of grades."""

import json

import numpy as np
import polars as pl
import pytest
from typer.testing import CliRunner

from seethrough.cli.main import app
from seethrough.data import samples

SAMPLE = samples.acs_release()
COLUMNS = ["age", "sex", "race", "disability"]


def table(frame, rows=slice(0, 150)):
    return frame.select(COLUMNS)[rows]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("people")
    for name in ("real", "synthetic", "holdout"):
        table(getattr(SAMPLE, name)).write_csv(folder / f"{name}.csv")
    return folder


def run(folder, *words, real="real.csv", holdout="holdout.csv", synthetic="synthetic.csv"):
    tables = ["--real", folder / real, "--synthetic", folder / synthetic, "--holdout", folder / holdout]
    return CliRunner().invoke(app, ["audit", *map(str, [*tables, "--checks", "dcr", *words])])


def refused(found):
    """Give the one sentence that a bad request ends with."""
    assert found.exit_code == 2, found.output
    (sentence,) = [line for line in found.stderr.splitlines() if line.startswith("seethrough: ")]
    return sentence


def test_a_holdout_of_fewer_than_30_people_cannot_tell(folder):
    table(SAMPLE.holdout, slice(0, 29)).write_csv(folder / "few.csv")
    found = run(folder, "--json", holdout="few.csv")
    assert found.exit_code == 0, found.output
    verdict = json.loads(found.stdout)["verdict"]
    assert verdict["grade"] == "cannot tell"
    assert "the holdout has 29 people; at least 30 are needed" in verdict["sentence"].lower()


def test_a_holdout_that_is_the_real_table_is_refused(folder):
    table(SAMPLE.real).reverse().write_csv(folder / "same.csv")
    assert "same.csv has the same rows as real.csv" in refused(run(folder, holdout="same.csv"))


@pytest.mark.parametrize("words", [(), ("--secret", "disability")])
def test_a_holdout_without_the_secret_is_refused(folder, words):
    table(SAMPLE.holdout).drop("disability").write_csv(folder / "no-secret.csv")
    assert "no-secret.csv has no column 'disability', which real.csv has" in refused(
        run(folder, *words, holdout="no-secret.csv")
    )


def test_a_holdout_with_an_empty_secret_cannot_tell_what_secrets_are(folder):
    empty = table(SAMPLE.holdout).with_columns(disability=pl.lit(None, pl.String))
    empty.write_csv(folder / "empty.csv")
    found = run(folder, "--secret", "disability", "--json", holdout="empty.csv")
    assert found.exit_code == 0, found.output
    told = {finding["family"]: finding for finding in json.loads(found.stdout)["findings"]}
    assert told["attribute"]["grade"] == "cannot tell"
    assert told["attribute"]["cannot_tell"]


def test_a_holdout_with_other_columns_is_refused(folder):
    pl.DataFrame({"height": [1.5] * 50, "weight": np.arange(50.0)}).write_csv(folder / "other.csv")
    assert "other.csv has no column" in refused(run(folder, holdout="other.csv"))


@pytest.mark.parametrize(
    ("grades", "said"),
    [
        ("0.1", "grades '0.1' are not two shares"),
        ("0.2,0.1", "grades '0.2,0.1' are not two shares"),
        ("0,2", "grades '0,2' are not two shares"),
        ("few,many", "--grades 'few,many' is not a list of numbers"),
    ],
)
def test_limits_of_grades_that_are_none_are_refused(folder, grades, said):
    assert said in refused(run(folder, "--grades", grades))


def test_limits_of_grades_are_recorded_with_who_set_them(folder):
    found = json.loads(run(folder, "--grades", "0.3,1", "--json", synthetic="real.csv").stdout)
    assert found["evidence"]["grades"] == {"clear": 0.3, "severe": 1.0, "set_by": "the user"}
    assert found["verdict"]["grade"] == "clear"
    assert found["record"]["grades"] == [0.3, 1.0]


def visits(frame, first):
    """Give everybody two rows that differ in one column, with the person's name."""
    people = table(frame).with_columns(person=pl.Series([f"P{first + row}" for row in range(150)]))
    return pl.concat([people, people.with_columns(pl.col("age") + 1)])


def test_several_rows_a_person_are_one_person(folder):
    visits(SAMPLE.real, 0).write_csv(folder / "visits.csv")
    visits(SAMPLE.holdout, 500).write_csv(folder / "visits-outside.csv")
    tables = {"real": "visits.csv", "holdout": "visits-outside.csv", "synthetic": "visits.csv"}
    found = json.loads(run(folder, "--entity", "person", "--json", **tables).stdout)
    assert found["evidence"]["members"] == 150
    assert found["evidence"]["outsiders"] + found["evidence"]["reference"] == 150
    assert found["verdict"]["grade"] == "severe"
    assert found["record"]["entity"] == "person"
    roles = {column["name"]: column["role"] for column in found["schema"]["columns"]}
    assert roles["person"] == "id"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--entity", "nobody"), "has no column 'nobody' that names people"),
        (("--entity", "person", "--secret", "person"), "column 'person' names people, so it can be neither secret nor"),
    ],
)
def test_a_column_of_people_that_is_none_is_refused(folder, words, said):
    visits(SAMPLE.real, 0).write_csv(folder / "visits.csv")
    visits(SAMPLE.holdout, 500).write_csv(folder / "visits-outside.csv")
    assert said in refused(run(folder, *words, real="visits.csv", holdout="visits-outside.csv"))


def test_a_holdout_that_shares_people_is_refused_with_their_number(folder):
    visits(SAMPLE.real, 0).write_csv(folder / "visits.csv")
    visits(SAMPLE.holdout, 143).write_csv(folder / "shared.csv")
    sentence = refused(run(folder, "--entity", "person", real="visits.csv", holdout="shared.csv"))
    assert "7 of the 150 people of shared.csv have rows in visits.csv too" in sentence


def test_rows_that_name_nobody_are_refused(folder):
    nameless = visits(SAMPLE.real, 0).with_columns(pl.when(pl.col("person") != "P3").then("person").alias("person"))
    nameless.write_csv(folder / "nameless.csv")
    visits(SAMPLE.holdout, 500).write_csv(folder / "visits-outside.csv")
    sentence = refused(run(folder, "--entity", "person", real="nameless.csv", holdout="visits-outside.csv"))
    assert "column 'person' names nobody in 2 rows" in sentence


@pytest.fixture(scope="module")
def parts(tmp_path_factory):
    """A table split before a release, which is a copy of the training table."""
    folder = tmp_path_factory.mktemp("parts")
    whole = pl.concat([table(getattr(SAMPLE, name), slice(0, 250)) for name in ("real", "holdout")])
    whole.write_csv(folder / "whole.csv")
    found = CliRunner().invoke(app, ["split", str(folder / "whole.csv"), "--out", str(folder), "--seed", "1"])
    assert found.exit_code == 0, found.output
    return folder


PARTS = {"real": "train.csv", "holdout": "holdout.csv", "synthetic": "train.csv"}


def test_the_card_beside_the_holdout_is_recognised_and_bounds_epsilon(parts):
    found = json.loads(run(parts, "--json", **PARTS).stdout)
    bound = found["evidence"]["epsilon"]
    assert found["evidence"]["exchangeability"] == "designed"
    assert 0 < bound["low"] <= bound["ceiling"]
    assert found["record"]["has_card"]


def test_the_report_says_that_coins_decided_and_what_they_bound(parts):
    said = " ".join(run(parts, "--verbose", "--grades", "0.02,0.2", **PARTS).stdout.split())
    assert "exchangeable by design: coins decided who is a member" in said
    assert "Epsilon is at least" in said
    assert "clear if then the lower end is at least 2 in 100" in said
    assert "limits set by the user" in said


def test_without_the_card_there_is_no_epsilon(parts, tmp_path):
    for name in ("train.csv", "holdout.csv"):
        (tmp_path / name).write_bytes((parts / name).read_bytes())
    found = json.loads(run(tmp_path, "--json", **PARTS).stdout)
    assert found["evidence"]["epsilon"] is None
    assert found["evidence"]["exchangeability"] == "assumed"
    named = run(tmp_path, "--json", "--card", parts / "holdout.csv.card.json", **PARTS)
    assert json.loads(named.stdout)["evidence"]["exchangeability"] == "designed"


def test_a_card_of_other_tables_is_refused_if_named_and_noted_if_found(parts, folder):
    card = parts / "holdout.csv.card.json"
    sentence = refused(run(folder, "--card", card))
    assert "holdout.csv.card.json is the card of another split: real.csv and holdout.csv are not what it" in sentence
    (folder / "lent.csv").write_bytes((folder / "holdout.csv").read_bytes())
    (folder / "lent.csv.card.json").write_bytes(card.read_bytes())
    found = json.loads(run(folder, "--json", holdout="lent.csv").stdout)
    assert found["evidence"]["epsilon"] is None
    assert any("the card of another split" in note for note in found["notes"])


def test_a_card_that_is_none_is_refused(folder, tmp_path):
    (tmp_path / "card.json").write_text("{}")
    assert "is not the card of a split" in refused(run(folder, "--card", tmp_path / "card.json"))
    assert "cannot be read" in refused(run(folder, "--card", tmp_path / "no.json"))


def test_an_audit_with_a_card_can_be_repeated(parts, tmp_path):
    assert run(parts, "--out", tmp_path, **PARTS).exit_code == 0
    tables = ["--real", parts / "train.csv", "--synthetic", parts / "train.csv", "--holdout"]
    again = CliRunner().invoke(app, ["verify", *map(str, [tmp_path / "report.json", *tables, parts / "holdout.csv"])])
    assert again.exit_code == 0, again.output
    (tmp_path / "holdout.csv").write_bytes((parts / "holdout.csv").read_bytes())
    lost = CliRunner().invoke(app, ["verify", *map(str, [tmp_path / "report.json", *tables, tmp_path / "holdout.csv"])])
    assert "the audit had the card of a split, which is needed again" in refused(lost)
