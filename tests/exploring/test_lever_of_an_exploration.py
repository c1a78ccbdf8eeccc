"""A lever is tried as by `whatif`, and the release as it is is attacked once."""

import pytest

import seethrough as st
from seethrough.errors import ConfigError
from seethrough.exploring import lever_trials


@pytest.fixture(scope="module")
def tables():
    release = st.samples.acs_release()
    return release.real[:250], release.synthetic[:250], release.holdout[:200]


@pytest.fixture(scope="module")
def released(tables):
    found = st.explore(*tables, secret="employed", checks=["gcap"], preset="attacks")
    found.run()
    return found


def test_a_lever_gives_the_row_of_whatif(released, tables):
    row = released.apply("drop column age")
    [other] = st.whatif(released.report, *tables, levers=["drop column age"]).rows
    assert row.families == other.families
    assert (row.leak, row.change, row.utility, row.near_copies) == (
        other.leak,
        other.change,
        other.utility,
        other.near_copies,
    )


def test_the_release_as_it_is_is_attacked_once(released, monkeypatch):
    released.apply("fewer rows 100")
    monkeypatch.setattr(lever_trials, "take_stock", None)
    told = []
    assert released.apply("coarsen age to 5", told.append).rows == 250
    assert told[-1].done == told[-1].steps


@pytest.mark.parametrize("line", ["generator privbayes:epsilon=1", "epsilon 1", "regenerate without 3"])
def test_a_new_release_is_not_made_here(released, line):
    with pytest.raises(ConfigError, match="makes a new release"):
        released.apply(line)


def test_without_people_outside_no_lever_can_be_measured(tables):
    with pytest.raises(ConfigError, match="no holdout was given"):
        st.explore(*tables[:2], checks=["gcap"]).apply("drop column age")
