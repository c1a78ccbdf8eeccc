"""Lists of neighbours against all distances, sorted."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from seethrough.kernels.budget import Budget
from seethrough.kernels.neighbours.k_nearest import k_nearest
from seethrough.kernels.points import Norm, Points, block_totals


def points(rng, rows, numbers, codes, decimals=1):
    return Points(
        rng.normal(size=(rows, numbers)).round(decimals) * 3,
        rng.integers(0, 4, (codes, rows)).astype(np.uint8),
        np.ones(codes),
        Norm.MANHATTAN,
    )


def agree(people, others, k, budget):
    found = k_nearest(people, others, k, budget)
    every = Norm.MANHATTAN.distance(block_totals(people, others))
    np.testing.assert_array_equal(found.distances, np.sort(every, axis=1)[:, :k])
    np.testing.assert_array_equal(found.nearest, every.argmin(axis=1))


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(1, 60), st.integers(1, 50), st.integers(0, 3), st.integers(0, 4))
def test_distances_are_the_smallest_and_every_copy_counts(seed, rows, others, numbers, codes):
    rng = np.random.default_rng(seed)
    if numbers + codes:
        agree(points(rng, rows, numbers, codes), points(rng, others, numbers, codes), 7, Budget(threads=1))


@pytest.mark.parametrize("decimals", [1, 12])
def test_single_precision_decides_nothing(decimals):
    rng = np.random.default_rng(1)
    shift = Points(np.full((1, 2), 1e6), np.zeros((0, 1), np.uint8), np.empty(0), Norm.MANHATTAN)
    people, others = (
        Points(some.numbers + shift.numbers, some.codes, some.weights, some.norm)
        for some in (points(rng, 200, 2, 0, decimals), points(rng, 300, 2, 0, decimals))
    )
    agree(people, others, 20, Budget(threads=2))


def test_neither_blocks_nor_threads_change_a_bit():
    rng = np.random.default_rng(2)
    people, others = points(rng, 500, 3, 2, 9), points(rng, 400, 3, 2, 9)
    one = k_nearest(people, others, 20, Budget(threads=1))
    other = k_nearest(people, others, 20, Budget(memory=1 << 16, threads=3))
    np.testing.assert_array_equal(one.distances, other.distances)
    np.testing.assert_array_equal(one.nearest, other.nearest)
