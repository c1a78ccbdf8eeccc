"""Groups, exposed rows, columns, fidelity and distances by hand."""

from dataclasses import replace

import numpy as np
import polars as pl
import pytest

import seethrough as st
from seethrough.auditing.diagnostics.collection import bin_distances
from seethrough.auditing.diagnostics.exposure import column_exposure, exposed_rows, group_risks, grouping_attack
from seethrough.data.samples import acs_release
from seethrough.kernels.statistics.total_variation import total_variation
from seethrough.metrics.crp import CommonRows
from seethrough.results.card import Evidence, Need
from seethrough.results.estimate import Estimate
from seethrough.results.evidence import ExposedPerson, LeakFamily
from seethrough.results.outcome import Controls, Measured, Measurement, Skipped


def one(columns, tables_of):
    return tables_of(columns, columns)[0]


def judged(name, risks, evidence=Evidence.ATTACK, n=None, independent=0.0):
    card = replace(CommonRows.card, name=name, evidence=evidence)
    risk = Estimate(float(np.mean(risks)), 0.0, 1.0)
    found = Measurement(risk, 0.0, len(risks) if n is None else n, per_record=np.array(risks, float))
    controls = Controls(Estimate(1.0, 1.0, 1.0), Estimate(independent, independent, independent))
    return Measured(card, found, controls, 0.0, {})


def test_small_groups_are_merged_and_means_are_right(tables_of):
    letters = ["a"] * 40 + ["b"] * 50 + ["c"] * 20 + ["d"] * 15
    table = one({"c": letters, "v": list(range(125))}, tables_of)
    risks = np.array([0.5] * 40 + [0.0] * 50 + [1.0] * 20 + [0.0] * 15)
    groups = group_risks(table, risks)
    assert [(group.label, group.merged, group.risk.n) for group in groups] == [
        ("a", 1, 40),
        ("b", 1, 50),
        ("all others", 2, 35),
    ]
    assert [group.risk.value for group in groups] == pytest.approx([0.5, 0.0, 20 / 35])
    assert all(group.risk.low <= group.risk.value <= group.risk.high for group in groups)


def test_a_merged_group_that_is_still_small_is_left_out(tables_of):
    letters = ["a"] * 40 + ["b"] * 50 + ["c"] * 20
    groups = group_risks(one({"c": letters}, tables_of), np.zeros(110))
    assert [group.label for group in groups] == ["a", "b"]


def test_groups_are_by_the_attack_that_leads_among_those_that_saw_every_row():
    outcomes = [
        judged("partial", [1.0, 1.0], n=1),
        judged("weak", [0.5, 0.5], independent=0.4),
        judged("strong", [0.4, 0.4], independent=0.1),
        judged("near", [1.0, 1.0], Evidence.SIMILARITY),
        Skipped(CommonRows.card, "why"),
    ]
    assert grouping_attack(outcomes, 2).check == "strong"
    assert grouping_attack(outcomes[3:], 2) is None
    strong = next(each for each in outcomes if each.check == "strong")
    relative = replace(strong, card=replace(strong.card, needs=(Need.HOLDOUT,)))
    assert grouping_attack([relative], 2) is None


def test_listed_people_are_shown_once_the_surest_first_then_the_rarest(tables_of):
    table = one({"c": ["a", "b", None, "a", "a"], "v": [1.5, 2.0, None, 3.0, 3.0]}, tables_of)
    people = [
        ExposedPerson(4, LeakFamily.MEMBERSHIP, "log-ratio", 0.02, 9),
        ExposedPerson(3, LeakFamily.MEMBERSHIP, "log-ratio", 0.02, 8),
        ExposedPerson(2, LeakFamily.MEMBERSHIP, "log-ratio", 0.04, 7),
        ExposedPerson(2, LeakFamily.IDENTITY, "match-rare", 0.01, 7),
    ]
    rows = exposed_rows(people, table, show_values=True)
    # Row 3 has values that no other row has; row 4 shares both of its own.
    assert [(row.row, row.families, row.attack, row.p, row.released_row) for row in rows] == [
        (2, ("identity", "membership"), "match-rare", 0.01, 7),
        (3, ("membership",), "log-ratio", 0.02, 8),
        (4, ("membership",), "log-ratio", 0.02, 9),
    ]
    assert [row.shown for row in rows] == [("b", "2"), ("(missing)", "(missing)"), ("a", "3")]
    assert {row.shown for row in exposed_rows(people, table, show_values=False)} == {()}
    assert exposed_rows([], table, show_values=True) == ()


def test_a_column_that_follows_from_a_copied_row_is_exposed_more_than_outside():
    sample = acs_release()
    release = st.audit(sample.real, sample.synthetic, sample.holdout, checks="crp").tables[0].exhibits
    leads = [column.real.value - column.outside.value for column in release.columns]
    assert len(leads) == 17
    assert np.mean(leads) > 0.05
    independent = st.audit(sample.real, sample.holdout[:2500], sample.holdout[2500:], checks="crp").tables[0].exhibits
    assert abs(np.mean([column.real.value - column.outside.value for column in independent.columns])) < 0.03


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
    frame = pl.DataFrame({"a": ["hidden", "veiled"] * 40, "b": [1, 2, 3, 4] * 20})
    for show in (False, True):
        text = st.audit(frame, frame, checks=["crp", "gcap"], secret="b", show_values=show).to_json()
        assert ("hidden" in text) is show
