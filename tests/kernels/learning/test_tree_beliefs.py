"""Beliefs on trees: by hand, against enumeration, and where nothing may move."""

from itertools import product

import numpy as np
import pytest
from scipy.sparse.csgraph import minimum_spanning_tree
from sklearn.metrics import mutual_info_score

from seethrough.kernels.learning.tree_beliefs import (
    correct_columns,
    edge_tables,
    mutual_information,
    normalise,
    spanning_tree,
    tree_beliefs,
)

COUNTS = np.array([[30, 10], [10, 50]])


def test_two_columns_by_hand():
    table = edge_tables(COUNTS, 0)
    # .3 / (.4 x .4), .1 / (.4 x .6), .5 / (.6 x .6)
    np.testing.assert_allclose(np.exp(table), [[1.875, 0.4167], [0.4167, 1.3889]], atol=5e-5)
    first, second = tree_beliefs([np.log([[0.6, 0.4]]), np.log([[0.5, 0.5]])], [(0, 1)], [table])
    np.testing.assert_allclose(first, [[0.655629, 0.344371]], atol=1e-6)
    np.testing.assert_allclose(second, [[0.615894, 0.384106]], atol=1e-6)


def test_smoothing_is_added_to_each_cell():
    found = np.exp(edge_tables(np.array([[3, 0], [0, 1]]), 1.0))
    # (4, 1, 1, 2) / 8: margins 5/8, 3/8 in both.
    np.testing.assert_allclose(found, [[0.5 * 64 / 25, 0.125 * 64 / 15], [0.125 * 64 / 15, 0.25 * 64 / 9]])


@pytest.mark.parametrize("edges", [[(0, 1), (0, 2), (0, 3)], [(0, 1), (1, 2), (2, 3)]], ids=["star", "chain"])
def test_consistent_unaries_do_not_move(edges):
    unaries = [np.log([[0.4, 0.6]])] * 4
    for found in tree_beliefs(unaries, edges, [edge_tables(COUNTS, 0)] * 3):
        np.testing.assert_allclose(found, [[0.4, 0.6]], atol=1e-14)


def test_consistent_unaries_of_other_levels_do_not_move_either():
    rng = np.random.default_rng(3)
    middle = rng.dirichlet(np.ones(3))
    tables, margins = [], [middle]
    for levels in (2, 4):
        joint = middle[:, None] * rng.dirichlet(np.ones(levels), 3)
        tables.append(edge_tables(joint, 0))
        margins.append(joint.sum(axis=0))
    beliefs = tree_beliefs([np.log(each)[None] for each in margins], [(0, 1), (0, 2)], tables)
    for found, margin in zip(beliefs, margins, strict=True):
        np.testing.assert_allclose(found[0], margin, atol=1e-14)


def random_tree(rng, size):
    return [tuple(sorted((node, int(rng.integers(0, node))))) for node in range(1, size)]


@pytest.mark.parametrize("seed", range(30))
def test_any_tree_against_enumeration(seed):
    rng = np.random.default_rng(seed)
    size, people = int(rng.integers(2, 7)), 3
    levels = rng.integers(2, 5, size)
    edges = random_tree(rng, size)
    unaries = [rng.normal(0, 2, (people, count)) for count in levels]
    # Some tables are the same for everybody, some each person's own.
    tables = [rng.normal(0, 2, (1 if rng.random() < 0.5 else people, levels[a], levels[b])) for a, b in edges]
    found = tree_beliefs(unaries, edges, tables)
    for person in range(people):
        margins = [np.zeros(count) for count in levels]
        for values in product(*(range(count) for count in levels)):
            weight = sum(unary[person, value] for unary, value in zip(unaries, values, strict=True))
            for (a, b), table in zip(edges, tables, strict=True):
                weight += table[person % len(table), values[a], values[b]]
            for margin, value in zip(margins, values, strict=True):
                margin[value] += np.exp(weight)
        for column, margin in enumerate(margins):
            np.testing.assert_allclose(found[column][person], margin / margin.sum(), atol=1e-12)


def test_tables_of_zeros_and_columns_apart_change_nothing():
    rng = np.random.default_rng(0)
    unaries = [np.log(rng.dirichlet(np.ones(count), 5)) for count in (2, 3, 4)]
    zeros = [np.zeros((1, 2, 3)), np.zeros((1, 3, 4))]
    for edges, tables in (([(0, 1), (1, 2)], zeros), ([], [])):
        for found, unary in zip(tree_beliefs(unaries, edges, tables), unaries, strict=True):
            np.testing.assert_allclose(found, np.exp(unary), atol=1e-12)


def test_very_small_probabilities_stay_numbers():
    unaries = [np.log([[1.0, 1e-12]]), np.log([[1e-12, 1.0]])]
    table = edge_tables(np.array([[1000, 0], [0, 1000]]), 1e-6)
    # Exponents of the table: 2 where equal, 5e-10 / .25 = 2e-9 elsewhere; (0, 0) and (1, 1) weigh 2e-12, (0, 1) 2e-9.
    first = (2e-9 + 2e-12) / (2e-9 + 4e-12)
    for found, expected in zip(tree_beliefs(unaries, [(0, 1)], [table]), (first, 1 - first), strict=True):
        np.testing.assert_allclose(found, [[expected, 1 - expected]], atol=1e-9)
    assert np.isfinite(normalise(np.array([[-2000.0, -2001.0]]))).all()


@pytest.mark.parametrize("seed", range(5))
def test_mutual_information_is_that_of_scikit_learn(seed):
    rng = np.random.default_rng(seed)
    counts = rng.integers(0, 6, (4, 3))
    first, second = (np.repeat(side.ravel(), counts.ravel()) for side in np.indices(counts.shape))
    assert mutual_information(counts) == pytest.approx(mutual_info_score(first, second), abs=1e-12)


def test_mutual_information_of_nothing_and_of_independent_columns():
    assert mutual_information(np.zeros((2, 2), int)) == 0
    assert mutual_information(np.outer([1, 2, 3], [4, 5])) == pytest.approx(0, abs=1e-15)
    assert mutual_information(np.diag([5, 5])) == pytest.approx(np.log(2))


@pytest.mark.parametrize("seed", range(10))
def test_the_tree_weighs_as_much_as_scipys(seed):
    rng = np.random.default_rng(seed)
    size = int(rng.integers(2, 9))
    weights = np.triu(rng.random((size, size)) + 0.1, 1)
    weights += weights.T
    edges = spanning_tree(weights)
    assert len(edges) == size - 1
    assert sum(weights[edge] for edge in edges) == pytest.approx(-minimum_spanning_tree(-weights).sum())


def test_of_equal_weights_the_lower_columns_come_first():
    assert spanning_tree(np.ones((4, 4))) == ((0, 1), (0, 2), (0, 3))
    weights = np.ones((3, 3))
    weights[1, 2] = weights[2, 1] = 2
    assert spanning_tree(weights) == ((1, 2), (0, 1))


def test_correction_by_hand():
    beliefs = np.array([[0.8, 0.2], [0.4, 0.6]])
    found = correct_columns(beliefs, np.array([0.15, 0.85]), beliefs.mean(axis=0), 0.5)
    # Means are .6 and .4: weights sqrt(.15 / .6) = 1/2 and sqrt(.85 / .4) = 1.457738.
    weights = np.array([0.5, np.sqrt(0.85 / 0.4)])
    np.testing.assert_allclose(found, beliefs * weights / (beliefs * weights).sum(axis=1, keepdims=True), atol=1e-14)
    np.testing.assert_allclose(correct_columns(beliefs, np.array([0.15, 0.85]), beliefs.mean(axis=0), 0), beliefs)
