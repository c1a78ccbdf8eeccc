"""Lists of neighbours against all distances, sorted."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from seethrough.kernels.budget import Budget
from seethrough.kernels.neighbours.k_nearest import k_nearest
from seethrough.kernels.neighbours.lists.growing_lists import NAMED
from seethrough.kernels.points import Norm, Points, block_totals


def points(rng, rows, numbers, codes, decimals=1):
    return Points(
        rng.normal(size=(rows, numbers)).round(decimals) * 3,
        rng.integers(0, 4, (codes, rows)).astype(np.uint8),
        np.ones(codes),
        Norm.MANHATTAN,
    )


def by_definition(people, others, k):
    """All distances, sorted by distance, then place; a copy is named by the first of its copies."""
    every = Norm.MANHATTAN.distance(block_totals(people, others))
    order = np.argsort(every, axis=1, kind="stable")[:, :k]
    distances = np.take_along_axis(every, order, axis=1)
    return distances, [named(others, row) for row in every]


def named(others, distances):
    """Name neighbours in the order of distance and first copies, each as often as it has copies."""
    rows = np.column_stack([others.numbers, others.codes.T])
    _, first, inverse = np.unique(rows, axis=0, return_index=True, return_inverse=True)
    firsts = first[inverse.ravel()]
    return firsts[np.lexsort((np.arange(len(firsts)), firsts, distances))][:NAMED]


def agree(people, others, k, budget):
    found = k_nearest(people, others, k, budget)
    distances, places = by_definition(people, others, k)
    np.testing.assert_array_equal(found.distances, distances)
    np.testing.assert_array_equal(found.places, np.array(places)[:, :k])


BUDGETS = [Budget(threads=1), Budget(memory=24 * 9, threads=1), Budget(memory=24 * 600, threads=3)]
"""Clusters of hundreds, of nine and one, and in between."""


@settings(max_examples=80, deadline=None)
@given(
    st.integers(0, 2**32 - 1),
    st.tuples(st.integers(1, 60), st.integers(1, 90)),
    st.integers(0, 3),
    st.integers(0, 4),
    st.sampled_from([1, 2, 7, 20]),
    st.sampled_from(BUDGETS),
)
def test_distances_are_the_smallest_and_every_copy_counts(seed, rows, numbers, codes, k, budget):
    rng = np.random.default_rng(seed)
    if numbers + codes:
        people, others = (points(rng, each, numbers, codes) for each in rows)
        agree(people, others, k, budget)


@pytest.mark.parametrize("budget", BUDGETS)
@pytest.mark.parametrize(("numbers", "codes", "decimals"), [(0, 5, 0), (1, 3, 0), (3, 2, 6), (0, 9, 0), (2, 0, 12)])
def test_many_ties_and_many_clusters(numbers, codes, decimals, budget):
    rng = np.random.default_rng(7)
    agree(points(rng, 150, numbers, codes, decimals), points(rng, 900, numbers, codes, decimals), 20, budget)


def test_weights_other_than_one_and_codes_that_others_do_not_have():
    rng = np.random.default_rng(3)
    weights = np.array([0.5, 1 / 3, 2.0])
    people, others = (
        Points(rng.normal(size=(rows, 1)), rng.integers(0, top, (3, rows)).astype(np.uint8), weights, Norm.MANHATTAN)
        for rows, top in ((120, 9), (400, 4))
    )
    for budget in BUDGETS:
        agree(people, others, 20, budget)


def test_the_last_digit_decides_a_tie():
    # 0.1 + 0.2 and 0.3 differ in the last bit and are equally far; the first by place is named.
    people = Points(np.zeros((1, 2)), np.zeros((0, 1), np.uint8), np.empty(0), Norm.MANHATTAN)
    others = Points(
        np.array([[0.3, 0.0], [0.1, 0.2], [0.2, 0.1], [0.0, 0.3]]),
        np.zeros((0, 4), np.uint8),
        np.empty(0),
        Norm.MANHATTAN,
    )
    for budget in BUDGETS:
        found = k_nearest(people, others, 2, budget)
        assert found.places.tolist() == [[0, 1]]
        assert found.distances.tolist() == [[0.3, 0.3]]


@pytest.mark.parametrize("decimals", [1, 12])
def test_far_from_zero_nothing_is_lost(decimals):
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


@pytest.mark.parametrize("at_once", [1, 700, 1 << 19])
@pytest.mark.parametrize("dense", [0.0, 1.0])
def test_many_clusters_of_a_wide_table_compared_together_lose_nothing(monkeypatch, at_once, dense):
    monkeypatch.setattr("seethrough.kernels.neighbours.whole_steps.AT_ONCE", at_once)
    monkeypatch.setattr("seethrough.kernels.neighbours.lists.step_boxes.AT_ONCE", at_once)
    monkeypatch.setattr("seethrough.kernels.neighbours.lists.list_rounds.DENSE", dense)
    monkeypatch.setattr("seethrough.kernels.neighbours.lists.list_rounds.TOGETHER", 60)
    monkeypatch.setattr("seethrough.kernels.neighbours.k_nearest.FEW", 16)
    monkeypatch.setattr("seethrough.kernels.neighbours.k_nearest.MAKING", 0)
    rng = np.random.default_rng(4)
    people, others = points(rng, 60, 3, 12), points(rng, 500, 3, 12)
    wide = Points(others.numbers, others.codes.astype(np.uint32) * 300, others.weights, others.norm)
    agree(people, others, 5, Budget(threads=1))
    asking = Points(people.numbers, people.codes.astype(np.uint32) * 300, people.weights, people.norm)
    agree(asking, wide, 5, Budget(threads=2))


def test_distances_that_differ_in_few_bits_are_in_order():
    # Many are told apart by less than the bits that are left for a distance beside person and place.
    rng = np.random.default_rng(5)
    others = Points(
        rng.permutation(400)[:, None] * 1e-11 + rng.integers(0, 2, (400, 1)) * 1e6,
        np.zeros((0, 400), np.uint8),
        np.empty(0),
        Norm.MANHATTAN,
    )
    people = Points(
        np.zeros((50, 1)) - np.arange(50)[:, None] * 1e3, np.zeros((0, 50), np.uint8), np.empty(0), Norm.MANHATTAN
    )
    agree(people, others, 20, Budget(threads=1))
