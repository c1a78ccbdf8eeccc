"""A report in the hands of a Python user: frames of scores and columns, iteration, names that nothing has."""

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import seethrough as st
from seethrough.errors import ConfigError
from seethrough.results.outcome import Measured, Skipped

ROWS = 200


@pytest.fixture(scope="module")
def tables():
    release = st.samples.acs_release()
    return release.real[:ROWS], release.synthetic[:ROWS], release.holdout[:ROWS]


@pytest.fixture(scope="module")
def report(tables):
    return st.audit(*tables, checks=["dcr", "gcap", "crp"], preset="fast")


def test_scores_are_those_of_the_outcomes(report):
    scores = report.scores()
    assert isinstance(scores, pl.DataFrame)
    assert scores["check"].to_list() == ["dcr", "gcap", "crp"]
    for row in scores.iter_rows(named=True):
        outcome = report[row["check"]]
        assert isinstance(outcome, Measured)
        assert row["status"] == "measured"
        assert (row["risk"], row["risk_low"], row["risk_high"]) == (
            outcome.risk.value,
            outcome.risk.low,
            outcome.risk.high,
        )
        assert (row["copy"], row["independent"]) == (outcome.controls.copy.value, outcome.controls.independent.value)
        assert row["n"] == outcome.measurement.n


def test_a_check_that_was_skipped_says_why(tables):
    found = st.audit(*tables[:2], checks="membership", preset="fast")
    outcome, row = found["membership"], found.scores().row(0, named=True)
    assert isinstance(outcome, Skipped)
    assert (row["status"], row["reason"], row["risk"]) == ("skipped", outcome.reason, None)


def test_columns_are_those_of_the_real_table_in_its_order(report, tables):
    columns = report.columns()
    assert columns["column"].to_list() == tables[0].columns
    assert columns["missing"].to_list() == [tables[0][name].null_count() for name in tables[0].columns]
    released = {each.column: each.released for each in report.tables[0].exhibits.marginals}
    assert dict(columns.select("column", "difference").drop_nulls().iter_rows()) == released
    guessed = {each.column: each.real.value for each in report.tables[0].exhibits.columns}
    assert dict(columns.select("column", "guessed_real").drop_nulls().iter_rows()) == guessed


@pytest.mark.parametrize(("give", "kind"), [("to_pandas", pd.DataFrame), ("to_arrow", pa.Table)])
def test_frames_are_of_the_kind_that_came_in_and_name_the_release(tables, give, kind):
    real, released, holdout = (getattr(table, give)() for table in tables)
    found = st.audit(real, {"one": released, "two": released}, holdout, checks="crp", preset="fast")
    for frame in (found.attacks(), found.scores(), found.people(), found.columns()):
        assert isinstance(frame, kind)
        names = frame.column_names if kind is pa.Table else list(frame.columns)
        assert names[0] == "synthetic"
    for frame in (found.scores(), found.columns()):
        named = frame["synthetic"].to_pylist() if kind is pa.Table else frame["synthetic"].tolist()
        assert set(named) == {"one", "two"}
    assert isinstance(found.records(), kind)


def test_records_of_pandas_have_the_users_labels(tables):
    real, released, holdout = (table.to_pandas() for table in tables)
    real.index = pd.MultiIndex.from_product([["north", "south"], range(ROWS // 2)], names=["town", "person"])
    found = st.audit(real, released, holdout, checks="crp", preset="fast")
    assert found.records().index.equals(real.index)
    assert found.people().index.names == ["town", "person"]


def test_a_report_is_walked_by_the_names_of_its_checks(report):
    assert list(report) == ["dcr", "gcap", "crp"]
    assert [report[name].check for name in report] == list(report)
    assert len(report) == 3
    assert "dcr" in report
    assert "nope" not in report
    assert report._ipython_key_completions_() == list(report)


def test_a_name_that_no_check_has_gets_those_that_are_near(report):
    with pytest.raises(KeyError) as near:
        report["gap"]
    assert str(near.value) == "there is no check 'gap'; did you mean gcap?"
    with pytest.raises(ConfigError) as far:
        report["nope"]
    assert str(far.value) == "there is no check 'nope'; there are dcr, gcap, crp"
    with pytest.raises(KeyError, match="there is no check 0; there are dcr, gcap, crp"):
        report[0]


def test_a_report_for_others_has_columns_and_neither_scores_nor_records(report):
    others = report.for_others()
    assert others.scores().is_empty()
    assert list(others) == []
    assert others.columns()["column"].to_list() == report.columns()["column"].to_list()
    with pytest.raises(ConfigError, match="no risk of single records"):
        others.records()
    with pytest.raises(ConfigError, match="names no people"):
        others.people()


def test_columns_of_a_schema_and_scores_of_a_game_help_as_well(tables):
    schema = st.infer_schema(tables[0])
    with pytest.raises(KeyError, match="there is no column 'agee'; did you mean age"):
        schema["agee"]
    played = st.play_game(
        tables[0], secret="disability", synthesizers="indhist", attacks="dcr", rows=40, sizes=[40], games=2
    )
    with pytest.raises(KeyError, match="there is no attack 'drc'; did you mean dcr"):
        played.score("drc")
    with pytest.raises(KeyError, match="there is no synthesizer 'indhits'; did you mean indhist"):
        played.score("dcr", "indhits")
    with pytest.raises(KeyError, match="there is no release size 41; dcr was played at 40 rows"):
        played.score("dcr", "indhist", 41)
    with pytest.raises(ConfigError, match="secret column 'disabilty' is not in the real table; did you mean dis"):
        st.audit(*tables, secret="disabilty")
