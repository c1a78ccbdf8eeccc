"""Attacks and exposed people come back in the kind of frame that the user gave."""

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import seethrough as st

ROWS = 200


@pytest.fixture(scope="module")
def tables():
    """Real rows, a release that has them all in another order, and people outside."""
    release = st.samples.acs_release()
    return release.real[:ROWS], release.real[:ROWS].reverse(), release.holdout[:ROWS]


@pytest.fixture(scope="module")
def report(tables):
    return st.audit(*tables, checks="crp")


def test_people_are_given_away_by_their_copies(report, tables):
    real, released, _ = tables
    people = report.people()
    assert isinstance(people, pl.DataFrame)
    assert people.columns == ["row", "family", "attack", "p", "released_row"]
    assert people.height > ROWS
    for row, found in people.select("row", "released_row").iter_rows():
        assert real.row(row - 1) == released.row(found - 1)
    # The surest first; among equals the most isolated, whom tests of isolation have by hand.
    assert people["p"].is_sorted()


def test_the_verdict_is_that_of_the_first_table(report):
    assert report.verdict.grade.value == "severe"
    assert report.verdict == report.tables[0].evidence.verdict
    assert report.findings == report.tables[0].evidence.findings


def test_pandas_in_pandas_out_under_its_own_index(tables, report):
    real, released, holdout = (table.to_pandas() for table in tables)
    real.index = pd.Index([f"person {number}" for number in range(1, ROWS + 1)], name="patient")
    found = st.audit(real, released, holdout, checks="crp")
    attacks, people = found.attacks(), found.people()
    assert isinstance(attacks, pd.DataFrame)
    assert attacks["name"].tolist() == report.attacks()["name"].to_list()
    assert isinstance(people, pd.DataFrame)
    assert people.index.name == "patient"
    assert people.index.tolist() == [f"person {row}" for row in people["row"]]
    assert people["row"].tolist() == report.people()["row"].to_list()
    assert real.loc[people.index[0]].tolist() == list(tables[0].row(int(people["row"].iloc[0]) - 1))
    assert isinstance(found.for_others().attacks(), pd.DataFrame)


def test_arrow_in_arrow_out_and_several_releases_are_named(tables):
    real, released, holdout = (table.to_arrow() for table in tables)
    found = st.audit(real, {"copy": released, "other": holdout.slice(0, 150)}, holdout.slice(150), checks="crp")
    attacks, people = found.attacks(), found.people()
    assert isinstance(attacks, pa.Table)
    assert isinstance(people, pa.Table)
    assert people.column_names[0] == attacks.column_names[0] == "synthetic"
    assert set(attacks["synthetic"].to_pylist()) == {"copy", "other"}


def test_files_in_polars_out_and_nobody_without_people_outside(tables, tmp_path):
    tables[0].write_csv(tmp_path / "real.csv")
    found = st.audit(tmp_path / "real.csv", tables[1], checks="crp")
    assert isinstance(found.people(), pl.DataFrame)
    assert found.people().is_empty()
    assert found.verdict.grade.value == "cannot tell"
