"""Neighbour kernels against brute force."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.distance import cdist

from seethrough.kernels.budget import Budget
from seethrough.kernels.neighbours import nearest, nearest_rounds
from seethrough.kernels.neighbours.all_nearest import all_nearest
from seethrough.kernels.neighbours.extreme_distances import extremes
from seethrough.kernels.neighbours.nearest import nearest_between, nearest_other, nearest_other_of, nearest_to
from seethrough.kernels.points import Norm, Points

SMALL_BLOCKS = Budget(memory=16 * 16 * 48, threads=1)


@pytest.fixture(autouse=True, scope="module", params=["blocks", "rounds", "rounds of few"])
def way(request):
    """Search blocks of pairs, as few points are, and small clusters in rounds, as many points in few columns are."""
    with pytest.MonkeyPatch.context() as patch:
        if request.param != "blocks":
            patch.setattr(nearest, "MANY_PAIRS", 0)
            patch.setattr(nearest_rounds, "SPARSE", np.inf)
        if request.param == "rounds of few":
            patch.setattr(nearest_rounds, "WIDTH", 9)
            patch.setattr(nearest_rounds, "MAKING", 0)
            patch.setattr(nearest_rounds, "CHILDREN", 2)
            patch.setattr(nearest_rounds, "PEOPLE", 90)
            patch.setattr(nearest_rounds, "AT_ONCE", 700)
            patch.setattr(nearest_rounds, "SLOTS", 2)
        yield


def test_many_points_in_few_columns_are_searched_in_rounds_and_wide_ones_in_blocks():
    rng = np.random.default_rng(0)
    few, wide = (
        Points(rng.random((2000, 1)), rng.integers(0, 3, (codes, 2000)).astype(np.uint8), np.ones(codes))
        for codes in (3, 20)
    )
    with pytest.MonkeyPatch.context() as patch:
        for name, value in (("SPARSE", 0.1), ("SLOTS", 256), ("WIDTH", 64), ("MAKING", 0)):
            patch.setattr(nearest_rounds, name, value)
        for points, is_sparse in ((few, True), (wide, False)):
            search = nearest_rounds.NearestRounds(points, points, Budget(threads=1), np.arange(len(points)))
            assert search.is_sparse(np.full(len(points), np.inf)) == is_sparse


def brute(a, b):
    """The definition, pair by pair; distances rounded as all distances are."""
    found = np.zeros((len(a), len(b)))
    for i in range(len(a)):
        for j in range(len(b)):
            total = 0.0
            for codes_a, codes_b, weight in zip(a.codes, b.codes, a.weights, strict=True):
                total += weight * (codes_a[i] != codes_b[j])
            for x, y in zip(a.numbers[i], b.numbers[j], strict=True):
                total += (x - y) * (x - y) if a.norm is Norm.EUCLIDEAN else abs(x - y)
            found[i, j] = total
    return a.norm.distance(found)


@st.composite
def two_sets(draw, most=30):
    """Two small sets with ties, twins, unseen codes and far outliers."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    numbers, codes = draw(st.integers(0, 3)), draw(st.integers(0, 4))
    levels = draw(st.sampled_from([1, 2, 3, 60]))
    weights = draw(st.sampled_from([np.ones(codes), rng.random(codes) + 0.1]))
    scale = draw(st.sampled_from([1.0, 1000.0]))

    def one(n, extra):
        return Points(
            rng.integers(0, 4, (n, numbers)) / 3 * scale + (rng.random((n, numbers)) if extra else 0),
            rng.integers(0, levels + extra, (codes, n)).astype(np.uint8),
            weights,
        )

    return one(draw(st.integers(1, most)), 0), one(draw(st.integers(1, most)), draw(st.integers(0, 1)))


@settings(max_examples=150, deadline=None)
@given(two_sets())
def test_nearest_between_equals_the_definition(sets):
    a, b = sets
    distances = brute(a, b)
    found = nearest_between(a, b, SMALL_BLOCKS)
    assert found.rows.tolist() == distances.min(axis=1).tolist()
    assert found.columns.tolist() == distances.min(axis=0).tolist()


@settings(max_examples=100, deadline=None)
@given(two_sets())
def test_nearest_other_equals_the_definition(sets):
    a, _ = sets
    distances = brute(a, a)
    np.fill_diagonal(distances, np.inf)
    assert nearest_other(a, SMALL_BLOCKS).tolist() == distances.min(axis=1).tolist()


@settings(max_examples=60, deadline=None)
@given(two_sets(), st.integers(0, 2**32 - 1))
def test_those_who_ask_find_the_nearest_of_all_others(sets, seed):
    a, b = sets
    assert nearest_to(a, b, SMALL_BLOCKS).tolist() == brute(a, b).min(axis=1).tolist()
    rng = np.random.default_rng(seed)
    rows = np.sort(rng.permutation(len(b))[: rng.integers(0, len(b) + 1)])
    distances = brute(b, b)
    np.fill_diagonal(distances, np.inf)
    assert nearest_other_of(b, rows, SMALL_BLOCKS).tolist() == distances.min(axis=1)[rows].tolist()


@settings(max_examples=100, deadline=None)
@given(two_sets(), st.integers(1, 3))
def test_extremes_equal_the_definition(sets, depth):
    a, b = sets
    distances = np.sort(brute(a, b), axis=0)
    padded = np.concatenate([distances, np.full((3, len(b)), np.inf)])
    found = extremes(a, b, depth, SMALL_BLOCKS)
    assert found.nearest.tolist() == padded[:depth].tolist()
    assert found.farthest == distances.max()


@settings(max_examples=60, deadline=None)
@given(two_sets())
def test_the_manhattan_norm_equals_the_definition(sets):
    a, b = (replace(points, norm=Norm.MANHATTAN) for points in sets)
    distances = brute(a, b)
    found = nearest_between(a, b, SMALL_BLOCKS)
    assert found.rows.tolist() == distances.min(axis=1).tolist()
    assert found.columns.tolist() == distances.min(axis=0).tolist()
    assert extremes(a, b, 1, SMALL_BLOCKS).farthest == distances.max()


@settings(max_examples=100, deadline=None)
@given(two_sets(), st.integers(1, 4))
def test_all_nearest_are_found_with_their_ties(sets, depth):
    a, b = sets
    distances = brute(a, b)
    found = all_nearest(a, b, SMALL_BLOCKS, depth)
    reach = np.sort(distances, axis=1)[:, min(depth, len(b)) - 1]
    assert found.distances.tolist() == reach.tolist()
    pairs = [set(np.flatnonzero(row <= last)) for row, last in zip(distances, reach, strict=True)]
    members = [np.flatnonzero(found.column_groups == group) for group in range(found.links.shape[1])]
    for i, expected in enumerate(pairs):
        groups = found.links[[found.row_groups[i]]].indices
        assert {j for group in groups for j in members[group]} == expected


def test_distances_keep_twelve_digits_and_zero_stays_zero():
    found = Norm.EUCLIDEAN.distance(np.array([0.0, 2.0, 1e-300, np.inf, 1 / 3 + 2 / 3 + 1e-16]))
    np.testing.assert_allclose(found, [0, 2**0.5, 1e-150, np.inf, 1], rtol=1e-11)
    assert found[0] == 0


def test_a_tie_does_not_hang_on_the_order_of_columns():
    a = Points(np.array([[0.0, 0.0, 0.0]]), np.array([[0]], np.uint8), np.array([0.36161213]))
    b = Points(np.array([[1 / 3, 2 / 3, 0.1], [2 / 3, 0.1, 1 / 3]]), np.array([[1, 1]], np.uint8), a.weights)
    assert all_nearest(a, b, SMALL_BLOCKS).links.sum() == 2


def mixed(rng, n):
    return Points(rng.random((n, 3)), rng.integers(0, 5, (4, n)).astype(np.uint8), np.ones(4))


@pytest.mark.parametrize("threads", [1, 2, 3])
@pytest.mark.parametrize("memory", [48 * 20**2 * 3, 48 * 100**2 * 3, 1 << 32])
def test_neither_threads_nor_blocks_change_a_bit(threads, memory):
    rng = np.random.default_rng(1)
    a, b = mixed(rng, 700), mixed(rng, 500)
    b.numbers[3] = 1e6  # an outlier whose block falls back to double precision
    reference, budget = Budget(threads=1), Budget(memory=memory, threads=threads)
    expected, found = nearest_between(a, b, reference), nearest_between(a, b, budget)
    assert found.rows.tobytes() == expected.rows.tobytes()
    assert found.columns.tobytes() == expected.columns.tobytes()
    assert nearest_other(a, budget).tobytes() == nearest_other(a, reference).tobytes()
    assert extremes(a, b, 2, budget).nearest.tobytes() == extremes(a, b, 2, reference).nearest.tobytes()


def test_agrees_with_scipy_on_numbers():
    rng = np.random.default_rng(2)
    a, b = rng.normal(size=(300, 7)), rng.normal(size=(200, 7))
    sets = (Points(x, np.empty((0, len(x)), np.uint8), np.empty(0)) for x in (a, b))
    found = nearest_between(*sets, Budget())
    np.testing.assert_allclose(found.rows, cdist(a, b).min(axis=1), rtol=1e-11)


def test_equal_points_are_at_distance_zero_exactly():
    rng = np.random.default_rng(3)
    a = mixed(rng, 2000)
    shuffled = a.take(rng.permutation(2000))
    found = nearest_between(a, shuffled, Budget())
    assert not found.rows.any()
    assert not found.columns.any()


def test_progress_is_told_and_ends_at_one():
    told = []
    rng = np.random.default_rng(4)
    nearest_between(mixed(rng, 50), mixed(rng, 50), Budget(memory=SMALL_BLOCKS.memory, threads=1, tick=told.append))
    assert told == sorted(told)
    assert told[-1] == 1


def test_an_error_in_a_job_reaches_the_caller():
    def broken():
        raise RuntimeError("job")

    with pytest.raises(RuntimeError, match="job"):
        Budget(threads=2).run([broken] * 5)


@pytest.mark.parametrize("norm", list(Norm))
def test_tiny_distances_are_numbers(norm):
    totals = np.array([0.0, 5e-324, 1e-300, 1e-150, 1.0, 1e300])
    exact = np.sqrt(totals) if norm is Norm.EUCLIDEAN else totals
    np.testing.assert_allclose(norm.distance(totals), exact, rtol=1e-11)


def test_numbers_beyond_single_precision_are_compared_in_double():
    rng = np.random.default_rng(0)
    a, b = (Points(rng.random((n, 2)) * 1e60, np.zeros((0, n), np.uint8), np.ones(0)) for n in (7, 9))
    found = nearest_between(a, b, SMALL_BLOCKS)
    np.testing.assert_allclose(found.rows, cdist(a.numbers, b.numbers).min(axis=1), rtol=1e-9)
