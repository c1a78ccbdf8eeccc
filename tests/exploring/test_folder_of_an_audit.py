"""An audit written to a folder is explored as the one in hand."""

import polars as pl
import pytest

import seethrough as st
from seethrough.errors import ConfigError
from seethrough.exploring.answers.tables import PeopleQuestion

CHECKS = ["gcap", "zcap", "crp", "dcr"]


@pytest.fixture
def folder(frames, tmp_path):
    for name, frame in zip(("real", "synth", "holdout"), frames, strict=True):
        frame.write_csv(tmp_path / f"{name}.csv")
    paths = [tmp_path / f"{name}.csv" for name in ("real", "synth", "holdout")]
    report = st.audit(*paths, secret="ill", checks=CHECKS, params={"dcr": {"dimensions": 1}}, preset="attacks", seed=3)
    report.save(tmp_path / "audit")
    return tmp_path


def test_it_answers_as_the_exploration_that_made_it(folder):
    paths = [folder / f"{name}.csv" for name in ("real", "synth", "holdout")]
    fresh = st.explore(*paths, secret="ill", checks=CHECKS, params={"dcr": {"dimensions": 1}}, preset="attacks", seed=3)
    fresh.run()
    found = st.Exploration.of(folder / "audit")
    assert found.release_names == fresh.release_names
    assert found.check_names == fresh.check_names
    assert found.ranking() == fresh.ranking()
    assert found.people(PeopleQuestion(sort="dcr")) == fresh.people(PeopleQuestion(sort="dcr"))
    person, same = (each.person(row=4) for each in (found, fresh))
    assert found.guess("ill", ["age", "sex"], person) == fresh.guess("ill", ["age", "sex"], same)
    assert found.rightness("ill", ["age", "sex"]) == fresh.rightness("ill", ["age", "sex"])
    assert found.flags(person) == fresh.flags(same)
    for check in ("gcap", "dcr", "crp"):
        assert found.work_through(check, person).result == fresh.work_through(check, same).result
    assert found.groups("sex") == fresh.groups("sex")
    again = found.run()
    for check in CHECKS:
        assert again[check].risk == fresh.report[check].risk


def test_a_table_that_changed_is_refused(folder):
    frame = pl.read_csv(folder / "synth.csv")
    frame[::-1].write_csv(folder / "synth.csv")
    with pytest.raises(ConfigError, match=r"synth\.csv"):
        st.Exploration.of(folder / "audit")


def test_a_table_that_is_gone_is_named(folder):
    (folder / "real.csv").unlink()
    with pytest.raises(ConfigError, match="real table is no longer at"):
        st.Exploration.of(folder / "audit")
