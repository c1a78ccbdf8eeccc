"""Conjugate gradients against the textbook formula with dense matrices."""

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scipy import sparse

from seethrough.errors import SolverFailed
from seethrough.kernels.solvers import conjugate_gradients
from seethrough.kernels.solvers.conjugate_gradients import (
    COARSER,
    NoisyColumns,
    posterior_means,
    posterior_means_of_tables,
)
from seethrough.kernels.solvers.least_squares import Noisy, Prior


def random_case(seed, queries=40, rows=25):
    rng = np.random.default_rng(seed)
    matrix = sparse.csr_array((rng.random((queries, rows)) < rng.random((queries, 1))).astype(float))
    sizes = rng.integers(1, 4, rows).astype(float)
    noisy = Noisy(matrix, rng.normal(2, 1, queries), rng.uniform(0.01, 2, queries), sizes)
    return noisy, Prior(rng.uniform(0.1, 0.9, rows), rng.uniform(0.05, 0.25, rows))


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_the_means_are_those_of_the_textbook(seed):
    noisy, prior = random_case(seed)
    dense = noisy.matrix.toarray()
    precision = dense.T @ np.diag(1 / noisy.variances) @ dense + np.diag(1 / (noisy.sizes * prior.variances))
    side = dense.T @ (noisy.answers / noisy.variances) + prior.means / prior.variances
    expected = np.linalg.solve(precision, side) / noisy.sizes
    np.testing.assert_allclose(posterior_means(noisy, prior).shares, expected, atol=1e-6)


def test_without_queries_nothing_is_learnt():
    prior = Prior(np.array([0.2, 0.7]), np.array([0.16, 0.21]))
    nothing = Noisy(sparse.csr_array((0, 2)), np.empty(0), np.empty(0), np.array([1.0, 3.0]))
    found = posterior_means(nothing, prior)
    assert found.shares == pytest.approx([0.2, 0.7])
    assert found.steps == 0


def test_a_solve_that_does_not_settle_is_an_error(monkeypatch):
    monkeypatch.setattr(conjugate_gradients, "MOST_STEPS", 2)
    with pytest.raises(SolverFailed, match="did not settle within 2 steps"):
        posterior_means(*random_case(0))


def random_tables(seed, queries=40, rows=25, tables=4):
    """Queries about several tables of some of the same rows."""
    rng = np.random.default_rng(seed)
    matrix = sparse.csr_array((rng.random((queries, rows)) < rng.random((queries, 1))).astype(float))
    sizes = rng.integers(0, 4, (rows, tables)).astype(float)
    answers, variances = rng.normal(2, 1, (queries, tables)), rng.uniform(0.01, 2, (queries, tables))
    return NoisyColumns((matrix,), answers, variances, sizes)


def scaled_length(vector, precision):
    """The measure in which the solver says how much of the equations is left."""
    return np.sqrt(vector @ (vector / np.diag(precision)))


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 2**32 - 1))
@example(18542)
def test_tables_solved_together_have_the_means_of_each_alone(seed):
    several = random_tables(seed)
    found, steps = posterior_means_of_tables(several, 0.3, 0.21)
    for place in range(found.shape[1]):
        there = several.sizes[:, place] > 0
        dense, sizes = several.factors[0].toarray()[:, there], several.sizes[there, place]
        precision = dense.T / several.variances[:, place] @ dense + np.diag(1 / (sizes * 0.21))
        side = dense.T @ (several.answers[:, place] / several.variances[:, place]) + 0.3 / 0.21
        left = side - precision @ (found[there, place] * sizes)
        assert scaled_length(left, precision) <= 1.001 * COARSER * scaled_length(side, precision)
        np.testing.assert_allclose(found[there, place], np.linalg.solve(precision, side) / sizes, atol=1e-3)
        assert np.isnan(found[~there, place]).all()
    assert (steps <= 40).all()


def test_a_table_comes_to_the_same_whatever_is_solved_beside_it():
    several = random_tables(5, tables=6)
    found, steps = posterior_means_of_tables(several, 0.5, 0.25)
    for some in ([0, 1], [3, 2, 5], [4, 0, 1, 2, 5]):
        part = NoisyColumns(
            several.factors, *(each[:, some] for each in (several.answers, several.variances, several.sizes))
        )
        alone, taken = posterior_means_of_tables(part, 0.5, 0.25)
        np.testing.assert_array_equal(alone, found[:, some])
        assert taken.tolist() == steps[some].tolist()


@pytest.mark.parametrize("threads", [2, 3, 50])
def test_threads_change_no_bit(threads):
    several = random_tables(7, queries=30)
    one, steps = posterior_means_of_tables(several, 0.5, 0.25)
    shared, taken = posterior_means_of_tables(several, 0.5, 0.25, threads)
    np.testing.assert_array_equal(shared, one)
    assert taken.tolist() == steps.tolist()


@pytest.mark.parametrize("threads", [1, 3])
def test_a_matrix_may_come_as_a_product(threads):
    several = random_tables(9)
    outer = sparse.csr_array(np.triu(np.ones((40, 40))))
    inner = sparse.csr_array(np.linalg.solve(outer.toarray(), several.factors[0].toarray()))
    product = NoisyColumns((outer, inner), several.answers, several.variances, several.sizes)
    found, _ = posterior_means_of_tables(product, 0.5, 0.25, threads)
    np.testing.assert_allclose(found, posterior_means_of_tables(several, 0.5, 0.25)[0], atol=1e-5)


def test_without_a_query_threads_have_nothing_to_share():
    nothing = NoisyColumns((sparse.csr_array((0, 3)),), np.empty((0, 2)), np.empty((0, 2)), np.ones((3, 2)))
    np.testing.assert_array_equal(posterior_means_of_tables(nothing, 0.3, 0.21, 2)[0], np.full((3, 2), 0.3))


def test_tables_that_do_not_settle_together_are_an_error(monkeypatch):
    monkeypatch.setattr(conjugate_gradients, "MOST_STEPS", 2)
    with pytest.raises(SolverFailed, match="did not settle within 2 steps"):
        posterior_means_of_tables(random_tables(0), 0.5, 0.25)
