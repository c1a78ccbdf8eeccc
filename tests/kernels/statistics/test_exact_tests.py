"""Exact chances against counting all cases."""

from itertools import combinations
from math import comb

import pytest

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
