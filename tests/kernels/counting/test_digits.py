"""Digits of numbers by hand."""

import numpy as np
import pytest

from seethrough.kernels.counting.digits import digits_of, round_alike


@pytest.mark.parametrize(("step", "digits"), [(0.01, 2), (0.5, 1), (1.0, 0), (10.0, -1), (25.0, 0), (1000.0, -3)])
def test_digits_by_hand(step, digits):
    assert digits_of(step * np.arange(1, 40)) == digits


def test_few_numbers_or_full_precision_have_no_digits():
    assert digits_of(np.array([1.0, 2.0, np.nan])) is None
    assert digits_of(np.zeros(50)) is None
    assert digits_of(np.random.default_rng(0).random(50)) is None


def test_numbers_are_rounded_as_the_others_are():
    mine, others = round_alike(np.array([1.26, -0.04, np.nan]), np.arange(0.1, 2.0, 0.1))
    assert mine[:2].tolist() == [1.3, 0.0]
    assert np.isnan(mine[2])
    assert not np.signbit(mine[1])
    assert others.tolist() == np.round(np.arange(0.1, 2.0, 0.1), 1).tolist()
