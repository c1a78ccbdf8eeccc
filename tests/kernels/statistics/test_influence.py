"""What people contribute to a leak: against standard errors that are known, and against the spread of fresh samples."""

from statistics import NormalDist

import numpy as np
import pytest

from seethrough.kernels.statistics.influence import (
    area_influence,
    half_widths,
    smallest_error,
    success_influence,
    tail_influence,
)


def people(members, others):
    return np.arange(members + others) < members


def test_success_has_the_error_of_two_means():
    scores, inside = np.array([1.0, 0.0, 1.0, 1.0, 0.0, 0.0]), people(4, 2)
    found = success_influence(scores, inside)
    assert found == pytest.approx([0.25 / 4, -0.75 / 4, 0.25 / 4, 0.25 / 4, 0.0, 0.0])
    assert found.sum() == pytest.approx(0)
    # 3/4 right of four, with variance 3/16 / 4; nobody differs among the others.
    assert np.square(found).sum() == pytest.approx(3 / 16 / 4)


def test_area_has_delongs_variance():
    scores, inside = np.array([3.0, 1.0, 2.0, 0.0]), people(2, 2)
    # Placements of members: 1 and 1/2; of others: 1/2 and 1. The area is 3/4.
    found = area_influence(scores, inside)
    assert found == pytest.approx([2 * 0.25 / 2, -2 * 0.25 / 2, -2 * 0.25 / 2, 2 * 0.25 / 2])


def test_tail_counts_those_above_the_threshold():
    scores, inside = np.array([9.0, 8.0, 1.0, 5.0, 4.0, 3.0, 2.0]), people(3, 4)
    # One of five may be above: the threshold is the highest of the others, 5; two of three members are found.
    found = tail_influence(scores, inside, 0.2)
    assert found == pytest.approx([1 / 9, 1 / 9, -2 / 9, 0, 0, 0, 0])


def test_error_of_a_difference_is_that_of_fresh_samples():
    rng = np.random.default_rng(0)
    inside = people(300, 200)
    differences, errors = [], []
    for _ in range(400):
        common = rng.normal(size=500)
        first, second = common + rng.normal(size=500) + inside * 0.5, common + rng.normal(size=500) + inside * 0.3
        leaks = [2 * _area(scores, inside) - 1 for scores in (first, second)]
        differences.append(leaks[1] - leaks[0])
        paired = area_influence(second, inside) - area_influence(first, inside)
        errors.append(np.sqrt(np.square(paired).sum()))
    assert np.mean(errors) == pytest.approx(np.std(differences), rel=0.1)


def _area(scores, inside):
    return (scores[inside][:, None] > scores[~inside]).mean()


def test_one_interval_is_normal_and_many_are_wider_and_hold_at_once():
    rng = np.random.default_rng(1)
    one = np.full((100, 1), 0.01)
    assert half_widths(one, np.zeros(1), 0.95, rng) == pytest.approx([1.959964 * 0.1])
    missed, people_, many = 0, 400, 10
    for _ in range(300):
        drawn = rng.normal(size=(people_, many)) / people_
        missed += (np.abs(drawn.sum(axis=0)) > half_widths(drawn, np.zeros(many), 0.95, rng)).any()
    assert missed / 300 < 0.09


def test_intervals_that_hold_at_once_know_how_differences_hang_together():
    rng = np.random.default_rng(2)
    # Orthogonal columns are independent sums: ten of them need 1 - 0.95^(1/10) each (Sidak).
    apart = np.linalg.qr(rng.normal(size=(500, 10)))[0]
    sidak = NormalDist().inv_cdf(0.5 + 0.95**0.1 / 2)
    assert half_widths(apart, np.zeros(10), 0.95, rng) == pytest.approx(np.full(10, sidak), rel=0.04)
    # The same column again, or its opposite, adds nothing; neither does one that is 0.
    same = np.column_stack([apart[:, 0], -apart[:, 0], 3 * apart[:, 0]])
    assert half_widths(same, np.zeros(3), 0.95, rng) == pytest.approx([1.96, 1.96, 5.88], rel=0.05)


def test_draws_are_those_of_multipliers_for_everybody():
    rng = np.random.default_rng(3)
    differences = rng.normal(size=(200, 3)) @ np.array([[1, 0.9, 0], [0, 0.3, 0], [0, 0, 2]]) + 0.1
    errors = np.sqrt(np.square(differences).sum(axis=0))
    largest = np.abs(rng.standard_normal((40_000, 200)) @ differences / errors).max(axis=1)
    expected = np.quantile(largest, 0.9) * errors
    assert half_widths(differences, np.zeros(3), 0.9, rng) == pytest.approx(expected, rel=0.04)


def test_nobody_who_differs_is_not_certainty():
    none = np.zeros((10, 2))
    floor = smallest_error(4, 6)
    assert floor == pytest.approx(np.sqrt(1 / 16 + 1 / 36))
    assert (half_widths(none, np.full(2, floor), 0.95, np.random.default_rng(0)) >= 1.95 * floor).all()
