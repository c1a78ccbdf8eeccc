"""Exact chances against counting all cases."""

from itertools import combinations
from math import comb

import numpy as np
import pytest
from scipy import stats

from seethrough.kernels.statistics.exact_tests import binomial_tail, hypergeometric_tail


@pytest.mark.parametrize("found", range(5))
def test_draws_without_replacement_are_counted_one_by_one(found):
    drawn = [sum(person < 3 for person in group) for group in combinations(range(8), 4)]
    expected = sum(each >= found for each in drawn) / len(drawn)
    assert hypergeometric_tail(found, 8, 3, 4) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("found", range(7))
def test_tries_by_the_definition(found):
    expected = sum(comb(6, each) * 0.3**each * 0.7 ** (6 - each) for each in range(found, 7))
    assert binomial_tail(found, 6, 0.3) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("seed", range(20))
def test_tails_are_those_of_scipy(seed):
    rng = np.random.default_rng(seed)
    people = int(rng.integers(2, 10 ** rng.integers(1, 6)))
    marked, drawn = (int(rng.integers(0, people + 1)) for _ in range(2))
    mean = marked * drawn / people
    for found in (0, round(mean), round(1.1 * mean) + 1, drawn, people):
        expected = stats.hypergeom.sf(found - 1, people, marked, drawn)
        assert hypergeometric_tail(found, people, marked, drawn) == pytest.approx(expected, rel=1e-8, abs=1e-250)
        expected = stats.binom.sf(found - 1, drawn, 0.3)
        assert binomial_tail(found, drawn, 0.3) == pytest.approx(expected, rel=1e-8, abs=1e-250)
