"""Exposed rows, columns, fidelity and distances by hand."""

import numpy as np
import polars as pl

import seethrough as st
from seethrough.auditing.diagnostics.collection import bin_distances
from seethrough.auditing.diagnostics.exposure import column_exposure, exposed_rows
from seethrough.auditing.diagnostics.isolated_people import order_exposed
from seethrough.bench.isolation import Isolation
from seethrough.data.reading.release_tables import read_release
from seethrough.data.samples import acs_release
from seethrough.kernels.budget import Budget
from seethrough.kernels.statistics.total_variation import total_variation
from seethrough.results.evidence import ExposedPerson, LeakFamily


def one(columns, tables_of):
    return tables_of(columns, columns)[0]


def test_listed_people_are_shown_once_the_surest_first_then_the_most_isolated(tables_of):
    table = one({"c": ["a", "b", None, "a", "a"], "v": [1.5, 2.0, None, 3.0, 3.0]}, tables_of)
    released = table.take(np.array([3, 1, 0]))
    people = [
        ExposedPerson(4, LeakFamily.MEMBERSHIP, "log-ratio", 0.02, 1),
        ExposedPerson(3, LeakFamily.MEMBERSHIP, "log-ratio", 0.02, None),
        ExposedPerson(2, LeakFamily.MEMBERSHIP, "log-ratio", 0.04, 2),
        ExposedPerson(2, LeakFamily.IDENTITY, "match-rare", 0.01, 2),
    ]
    isolation = Isolation(neighbours=2).measure(table, Budget(), np.random.default_rng(0))
    people = order_exposed(people, isolation)
    rows = exposed_rows(people, table, released, show_values=True)
    # Nobody is like row 3, whose values are missing; row 5 equals row 4.
    assert [(row.row, row.families, row.attack, row.p, row.released_row) for row in rows] == [
        (2, ("identity", "membership"), "match-rare", 0.01, 2),
        (3, ("membership",), "log-ratio", 0.02, None),
        (4, ("membership",), "log-ratio", 0.02, 1),
    ]
    assert [row.shown for row in rows] == [("b", "2"), ("(missing)", "(missing)"), ("a", "3")]
    assert [row.released_shown for row in rows] == [("b", "2"), (), ("a", "3")]
    hidden = exposed_rows(people, table, released, show_values=False)
    assert {(row.shown, row.released_shown) for row in hidden} == {((), ())}
    assert [row.differing for row in hidden] == [(), (), ()]
    # Row 4 (a, 3) differs from released row 2 (b, 2) in both columns, from released row 3 (a, 1.5) in one.
    other = [ExposedPerson(4, LeakFamily.MEMBERSHIP, "x", 0.1, place) for place in (2, 3)]
    found = [exposed_rows([each], table, released, show_values=False)[0].differing for each in other]
    assert found == [("c", "v"), ("v",)]
    assert exposed_rows([], table, released, show_values=True) == ()


def test_a_column_that_follows_from_a_copied_row_is_exposed_more_than_outside():
    sample = acs_release()

    def leads(synthetic, holdout):
        release = read_release(sample.real, [synthetic], holdout)
        tables = release.train.table, release.synthetic[0].table, release.holdout.table
        found = column_exposure(*tables, np.random.default_rng(0))
        return [column.real.value - column.outside.value for column in found]

    assert len(leads(sample.synthetic, sample.holdout)) == 17
    assert np.mean(leads(sample.synthetic, sample.holdout)) > 0.05
    assert abs(np.mean(leads(sample.holdout[:2500], sample.holdout[2500:]))) < 0.03


def test_column_exposure_by_hand(tables_of):
    real, released = tables_of({"c": ["a", "b"], "d": ["x", "y"]}, {"c": ["a", "a", "b"], "d": ["x", "y", "y"]})
    c, d = column_exposure(real, released, None, np.random.Generator(np.random.PCG64(0)))
    # (a, x): d = x is in row 1 alone, which has a; (b, y): d = y is in rows 2 and 3, one of which has b.
    assert (c.real.value, c.outside, c.base_rate) == (0.75, None, 0.5)
    # (a, x): c = a is in rows 1 and 2, one of which has x; (b, y): c = b is in row 3 alone, which has y.
    assert d.real.value == 0.75


def test_total_variation_and_distances_by_hand():
    assert total_variation(np.array([1.0, 3.0]), np.array([2.0, 2.0])) == 0.25
    found = bin_distances(np.array([0.0, 0.0, 1.0, 3.0]), np.array([2.0, 3.0]))
    assert (sum(found.released), sum(found.independent)) == (4, 2)
    assert (found.released_zero, found.independent_zero) == (2, 0)
    assert (found.released_median, found.independent_median) == (0.5, 2.5)
    assert bin_distances(np.zeros(3), np.zeros(2)).released[0] == 3


def test_fidelity_of_a_copy_is_perfect_and_no_search_is_made_for_a_picture():
    frame = pl.DataFrame({"a": [1, 2, 3, 4] * 5, "b": ["x", "y"] * 10, "c": ["p", "q", "r", "s", "t"] * 4})
    report = st.audit(frame, frame.reverse(), checks="crp")
    shown = report.tables[0].exhibits
    assert [column.released for column in shown.marginals] == [0.0] * 3
    assert {pair.released for pair in shown.pairs} == {0.0}
    assert shown.pair_similarity == 1.0
    assert shown.distances is None
    assert "NearestBetween" not in {cost.request for cost in report.timings.shared}
    assert st.audit(frame, frame.reverse(), checks="auth").tables[0].exhibits.distances is not None


def test_values_enter_the_json_form_only_when_asked_for():
    rng = np.random.default_rng(0)
    real, holdout = (
        pl.DataFrame({"a": rng.choice(["h1dden", "veiled"], 200), "b": rng.integers(0, 4, 200), "c": rng.random(200)})
        for _ in range(2)
    )
    for show in (False, True):
        report = st.audit(real, real, holdout, checks="crp", secret="b", show_values=show)
        assert {group.label for group in report.tables[0].exhibits.groups.groups} >= {"h1dden", "veiled"}
        assert ("h1dden" in report.to_json()) is show
        assert "hidden" not in report.for_others().to_json()
        assert "veiled" not in report.for_others().to_html()
