"""Marginals chosen and measured with noise: the costs, the noise, and how far one record moves what is looked at."""

from math import sqrt

import numpy as np
import pytest

from seethrough.errors import Overspent
from seethrough.synthesizers._models.relaxed.queries import ThreeWayQueries
from seethrough.synthesizers._privacy.noisy_marginals import BudgetSplit, NoisyMarginals

SIZES = (2, 3, 2, 2)


def cells(records, seed=0):
    rng = np.random.default_rng(seed)
    return np.column_stack([rng.integers(0, size, records) for size in SIZES])


def test_split_by_hand():
    """rho = 1, K = 4, a = 0.5: eps0 = sqrt(2 / (4 x 0.5)) = 1."""
    split = BudgetSplit(1.0, 4)
    assert split.unit == pytest.approx(1)
    assert split.parameter == pytest.approx(1)
    assert split.choosing == split.measuring == pytest.approx(1 / 8)
    assert split.noise(100) == pytest.approx(sqrt(2) / 50)
    uneven = BudgetSplit(1.0, 4, 0.25)
    assert 4 * (uneven.choosing + uneven.measuring) == pytest.approx(1)
    assert uneven.measuring == pytest.approx(9 * uneven.choosing)
    assert uneven.measuring == pytest.approx((sqrt(2) / 100) ** 2 / (2 * uneven.noise(100) ** 2))


def test_one_record_moves_scores_and_marginals_as_far_as_stated():
    three_way, people = ThreeWayQueries(SIZES), cells(40)
    truth, rng = three_way.marginals(people), np.random.default_rng(1)
    answers = rng.random(three_way.count).astype(np.float32)
    before = three_way.largest(truth - answers)
    for record in range(40):
        other = people.copy()
        other[record] = [rng.integers(0, size) for size in SIZES]
        moved = three_way.marginals(other)
        assert np.abs(three_way.largest(moved - answers) - before).max() <= 1 / 40 + 1e-6
        lengths = [np.linalg.norm((moved - truth)[three_way.queries(k)]) for k in range(len(three_way.columns))]
        assert max(lengths) <= sqrt(2) / 40 + 1e-6


def test_the_whole_budget_and_no_more():
    three_way, rng = ThreeWayQueries(SIZES), np.random.default_rng(2)
    known = NoisyMarginals(three_way, three_way.marginals(cells(30)), 30, BudgetSplit(0.7, 1000))
    answers = np.zeros(three_way.count, np.float32)
    for _ in range(500):
        first, second = known.choose(answers, 2, rng)
        assert first != second
        known.measure(first, rng)
        known.measure(second, rng)
    assert known.ledger.spent == pytest.approx(0.7)
    assert known.ledger.spent <= 0.7
    with pytest.raises(Overspent, match="a measurement would cost rho"):
        known.measure(0, rng)
    with pytest.raises(Overspent, match="a choice would cost rho"):
        known.choose(answers, 1, rng)


@pytest.mark.parametrize("rho", [0.5, 50.0])
def test_noise_has_the_sd_stated(rho):
    three_way = ThreeWayQueries((20, 20, 20))
    truth = np.full(three_way.count, 0.5, np.float32)
    split = BudgetSplit(rho, 1)
    known = NoisyMarginals(three_way, truth, 100, split)
    known.measure(0, np.random.default_rng(3))
    inside = known.values[(known.values > 0) & (known.values < 1)] - 0.5
    assert len(inside) > 7900
    assert inside.std() == pytest.approx(split.noise(100), rel=0.03)
    assert inside.mean() == pytest.approx(0, abs=4 * split.noise(100) / sqrt(8000))


def test_measurements_are_averaged_and_clipped_and_the_rest_is_unknown():
    three_way = ThreeWayQueries(SIZES)
    truth = three_way.marginals(cells(50))
    known = NoisyMarginals(three_way, truth, 50, BudgetSplit(4000.0, 2000))
    rng = np.random.default_rng(4)
    for _ in range(400):
        known.measure(1, rng)
    asked = three_way.queries(1)
    single = BudgetSplit(4000.0, 2000).noise(50)
    assert np.abs(known.values[asked] - truth[asked]).max() < 5 * single / 20
    assert 0 <= known.values.min() <= known.values.max() <= 1
    answers = np.full(three_way.count, 0.25, np.float32)
    errors = known.errors(answers)
    np.testing.assert_allclose(errors[asked], 0.25 - known.values[asked])
    assert np.count_nonzero(np.delete(errors, asked)) == 0
    assert known.marginals == 1


def test_a_marginal_with_a_large_error_is_chosen_when_the_budget_is_large():
    three_way = ThreeWayQueries(SIZES)
    truth = np.zeros(three_way.count, np.float32)
    truth[three_way.queries(2)[3]] = 0.5
    known = NoisyMarginals(three_way, truth, 1000, BudgetSplit(100.0, 10))
    assert known.choose(np.zeros_like(truth), 1, np.random.default_rng(5)) == [2]
