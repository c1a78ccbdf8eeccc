"""Posteriors against the textbook formula with dense matrices, and by hand."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from scipy.optimize import minimize
from scipy.special import erf

from seethrough.kernels.solvers.least_squares import (
    Noisy,
    Prior,
    certainty,
    posterior,
    robust_posterior,
)
from seethrough.kernels.solvers.normal_matrix import summing


def random_case(seed, queries=30, rows=12, largest=3):
    rng = np.random.default_rng(seed)
    matrix = sparse.csr_array((rng.random((queries, rows)) < rng.random((queries, 1))).astype(float))
    sizes = rng.integers(1, largest + 1, rows).astype(float)
    noisy = Noisy(matrix, rng.normal(2, 1, queries), rng.uniform(0.1, 2, queries), sizes)
    return noisy, Prior(rng.uniform(0.1, 0.9, rows), rng.uniform(0.05, 0.25, rows))


def apart(noisy, prior):
    """The same with every record on its own, and the row of each."""
    row = np.repeat(np.arange(len(noisy.sizes)), noisy.sizes.astype(int))
    dense = noisy.matrix.toarray()[:, row]
    precision = dense.T @ np.diag(1 / noisy.variances) @ dense + np.diag(1 / prior.variances[row])
    covariance = np.linalg.inv(precision)
    side = dense.T @ (noisy.answers / noisy.variances) + prior.means[row] / prior.variances[row]
    return covariance @ side, np.diag(covariance), row


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 2**32 - 1), st.sampled_from([None, 1, 100]))
def test_the_posterior_is_that_of_the_textbook(seed, sums):
    noisy, prior = random_case(seed)
    if sums:  # how normal matrices are summed depends on how many there will be
        noisy = replace(noisy, normal=summing(noisy.matrix, sums))
    means, variances, row = apart(noisy, prior)
    found = posterior(noisy, prior, np.arange(12))
    np.testing.assert_allclose(found.means[row], means, rtol=1e-8)
    np.testing.assert_allclose(found.variances[row], variances, rtol=1e-8)


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_the_prior_of_one_record_can_be_exchanged_afterwards(seed):
    noisy, prior = random_case(seed, largest=1)
    other = Prior(np.full(12, 0.5), np.full(12, 0.25))
    found = posterior(noisy, prior, np.array([4])).under(prior.take([4]), other.take([4]))
    means, variances = prior.means.copy(), prior.variances.copy()
    means[4], variances[4] = 0.5, 0.25
    direct = posterior(noisy, Prior(means, variances), np.array([4]))
    assert found.means == pytest.approx(direct.means, rel=1e-8)
    assert found.variances == pytest.approx(direct.variances, rel=1e-8)


def test_fifteen_reweighted_solves_reach_the_least_huber_loss():
    noisy, prior = random_case(5, largest=1)
    noisy.answers[:5] += 30
    dense = noisy.matrix.toarray()

    def loss(x):
        deviation = np.abs(noisy.answers - dense @ x) / np.sqrt(noisy.variances)
        huber = np.where(deviation <= 1, deviation**2 / 2, deviation - 0.5)
        return huber.sum() + ((x - prior.means) ** 2 / prior.variances / 2).sum()

    found = robust_posterior(noisy, prior, np.arange(12)).means
    best = minimize(loss, found, method="BFGS").fun
    assert loss(found) == pytest.approx(best, rel=1e-3)
    assert loss(posterior(noisy, prior, np.arange(12)).means) > 1.01 * best


def test_one_record_by_hand():
    # Prior N(1/2, 1/4), one answer 1 with variance 1/4: mean halfway, variance halved.
    noisy = Noisy(sparse.csr_array(np.ones((1, 1))), np.ones(1), np.full(1, 0.25), np.ones(1))
    found = posterior(noisy, Prior(np.full(1, 0.5), np.full(1, 0.25)), np.array([0]))
    assert (found.means[0], found.variances[0]) == pytest.approx((0.75, 0.125))


def test_certainty_by_hand():
    assert certainty(np.array([[0.3, 0.7]]), np.full((1, 2), 0.2)) == pytest.approx(erf(1 / np.sqrt(2)))
    assert certainty(np.array([[0.5, 0.5]]), np.full((1, 2), 0.2)) == pytest.approx(0)
    assert certainty(np.array([[0.1, 0.9, 0.7]]), np.array([[9, 0.05, 0.15]])) == pytest.approx(erf(1 / np.sqrt(2)))
