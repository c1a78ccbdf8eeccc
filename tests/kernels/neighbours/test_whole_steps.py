"""Lower bounds in whole steps lose no pair that is within a limit, and keep few that are not."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from seethrough.kernels.neighbours.whole_steps import whole_steps
from seethrough.kernels.points import Norm, Points, block_totals


def mixed(rng, rows, columns, far):
    numbers = rng.normal(size=(rows, 3)) * np.where(rng.random((rows, 1)) < 0.1, far, 1.0)
    codes = rng.integers(0, 3, (columns, rows)).astype(np.uint8)
    return Points(numbers, codes, np.ones(columns), Norm.MANHATTAN)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32 - 1), st.sampled_from([0, 4, 300]), st.sampled_from([1.0, 50.0, 1e100]))
def test_every_pair_within_its_limit_is_found(seed, columns, far):
    rng = np.random.default_rng(seed)
    mine, others = mixed(rng, 20, columns, far), mixed(rng, 30, columns, far)
    who, places = rng.permutation(20)[:12], rng.permutation(30)[:25]
    totals = block_totals(mine.take(who), others.take(places))
    limits = np.quantile(totals, 0.2, axis=1, method="inverted_cdf")
    steps = whole_steps(mine, others)
    found = set(zip(*(side.tolist() for side in steps.pairs_within(limits, who, places)), strict=True))
    assert found >= {(int(i), int(j)) for i, j in np.argwhere(totals <= limits[:, None])}
    if far == 1.0:
        slack = 2 * (mine.numbers.shape[1] + 2) / steps.unit
        assert all(totals[i, j] <= limits[i] + slack for i, j in found)


@pytest.mark.parametrize("norm", list(Norm))
def test_nothing_to_gain_from(norm):
    codes = Points(np.empty((2, 0)), np.zeros((2, 2), np.uint8), np.ones(2), norm)
    weighted = Points(np.zeros((2, 1)), np.zeros((2, 2), np.uint8), np.full(2, 0.5), norm)
    assert whole_steps(codes, codes) is None
    assert whole_steps(weighted, weighted) is None
