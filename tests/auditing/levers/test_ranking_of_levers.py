"""The order of levers by hand."""

import pytest

from seethrough.auditing.levers.ranking import per_utility, rank_levers
from seethrough.results.estimate import Estimate
from seethrough.results.levers.what_if import LeverRow, UtilityFigures


def lever(name, removed, lost, half=0.01, **more):
    return LeverRow(
        name,
        change=Estimate(-removed, -removed - half, -removed + half),
        utility=UtilityFigures(None, None, None, 0.5),
        utility_change=-lost,
        per_utility=per_utility(removed, lost),
        helps=removed > half,
        **more,
    )


def test_leak_removed_per_utility_lost_and_small_losses_count_as_three_in_a_hundred():
    assert per_utility(0.1, 0.05) == pytest.approx(2)
    assert per_utility(0.1, 0.001) == per_utility(0.1, -0.3) == pytest.approx(10 / 3)
    assert per_utility(-0.02, 0.04) == pytest.approx(-0.5)


def test_levers_that_surely_help_come_first_and_what_is_no_remedy_never_leads():
    rows = rank_levers(
        [
            lever("unsure", 0.005, 0.0001),
            lever("dear", 0.2, 0.2),
            lever("copies", 0.3, 0.01, is_remedy=False),
            lever("cheap", 0.1, 0.04),
            LeverRow("broken", reason="the generator failed"),
        ]
    )
    assert [row.lever for row in rows] == ["cheap", "dear", "copies", "unsure", "broken"]
    assert [row.place for row in rows] == [1, 2, 3, 4, None]


def test_a_lever_is_dominated_by_one_that_removes_as_much_for_less():
    rows = {
        row.lever: row.is_dominated
        for row in rank_levers(
            [
                lever("a", 0.2, 0.1),
                lever("b", 0.1, 0.2),
                lever("c", 0.2, 0.1),
                lever("d", 0.3, 0.3),
                lever("copies", 0.9, 0.0, is_remedy=False),
            ]
        )
    }
    # Equals do not dominate each other, and what is no remedy dominates nobody.
    assert rows == {"a": False, "b": True, "c": False, "d": False, "copies": False}
