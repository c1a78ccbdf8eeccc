"""Contrasts: errors by hand, exact p against enumeration, and intervals that go with the test."""

from itertools import combinations

import numpy as np
import pytest

from seethrough.auditing.evidence.contrasts import (
    FEWEST_PERMUTATIONS,
    Contrast,
    compare_contrasts,
    people_drawn,
    permutations_for,
)

MEMBERS = np.arange(8) < 4


def test_one_contrast_against_all_sets_of_members():
    values = np.array([0.9, 0.7, 0.8, 0.1, 0.2, 0.3, 0.6, 0.0])
    [found] = compare_contrasts([Contrast(np.arange(8), values)], MEMBERS, np.random.default_rng(0), 9_999, 0.95)
    differences = np.array(
        [
            values[list(some)].mean() - np.delete(values, list(some)).mean()
            for some in combinations(range(len(values)), 4)
        ]
    )
    value = values[:4].mean() - values[4:].mean()
    assert found.estimate.value == pytest.approx(value)
    assert found.p == pytest.approx((np.abs(differences) >= value - 1e-9).mean(), abs=0.01)
    # The spread of all 70 differences is the standard error, and their 95 % point ends the interval.
    error = differences.std()
    assert error == pytest.approx(values.std(ddof=1) * np.sqrt(1 / 4 + 1 / 4))
    half = value - found.estimate.low
    assert half / error == pytest.approx(np.quantile(np.abs(differences) / error, 0.95, method="higher"), abs=0.06)


def test_people_who_do_not_count_change_nothing_of_the_difference():
    who = np.array([0, 1, 4, 5])
    [found] = compare_contrasts(
        [Contrast(who, np.array([1.0, 0.0, 0.5, 0.0]))], MEMBERS, np.random.default_rng(0), 999, 0.95
    )
    assert found.estimate.value == 0.25


def test_an_interval_leaves_out_0_where_the_largest_contrast_is_beyond_chance():
    rng = np.random.default_rng(1)
    members = np.arange(200) < 100
    everybody = np.arange(200)
    contrasts = [Contrast(everybody, rng.random(200) + shift * members) for shift in (0.0, 0.2, -0.2, 0.0)]
    found = compare_contrasts(contrasts, members, rng, 1_999, 0.95)
    outside = [each.estimate.low > 0 or each.estimate.high < 0 for each in found]
    assert outside == [False, True, True, False]
    assert [each.p <= 0.05 for each in found] == outside
    assert (found[1].estimate.low > 0, found[2].estimate.high < 0) == (True, True)


def test_nobody_who_differs_is_not_certainty_and_ends_stay_between_minus_1_and_1():
    everybody = np.arange(8)
    flat, whole = compare_contrasts(
        [Contrast(everybody, np.zeros(8)), Contrast(everybody, MEMBERS.astype(float))],
        MEMBERS,
        np.random.default_rng(0),
        999,
        0.95,
    )
    assert (flat.estimate.value, flat.p) == (0.0, 1.0)
    assert flat.estimate.low < 0 < flat.estimate.high
    assert (whole.estimate.value, whole.estimate.high) == (1.0, 1.0)
    assert compare_contrasts([], MEMBERS, np.random.default_rng(0), 99, 0.95) == []


def test_all_of_the_smaller_kind_are_drawn_where_they_fit(monkeypatch):
    monkeypatch.setattr("seethrough.auditing.evidence.contrasts.MOST_CELLS", 1_000)
    members = np.arange(300) < 280
    drawn = people_drawn(members, 10, np.random.default_rng(0))
    assert (members[drawn].sum(), (~members[drawn]).sum()) == (80, 20)
    assert len(np.unique(drawn)) == 100
    assert people_drawn(members, 3, np.random.default_rng(0)).tolist() == list(range(300))


def test_many_contrasts_get_fewer_permutations():
    assert permutations_for(100, 9_999) == 9_999
    assert permutations_for(10_000, 9_999) == (1 << 24) // 10_000
    assert permutations_for(10**6, 9_999) == FEWEST_PERMUTATIONS
    assert permutations_for(10**6, 99) == 99
