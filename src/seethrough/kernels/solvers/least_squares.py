"""Least squares with a prior: the posterior of the shares of one class, given noisy counts of cells.

A row of g equal records has the sum x of their shares, a priori N(g p, g v); answers are r = a x + noise with the
variances given, taken as independent. The posterior is normal, with precision H = a' V^-1 a + diag(1 / (g v)), so one
Cholesky factor of H (rows x rows) gives means and variances. Nothing keeps a mean within [0, 1].

Robust: noise of a query counts in full up to one standard deviation and linearly beyond (Huber), by fifteen solves in
which a query's weight is divided by how many standard deviations its error was in the solve before.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from scipy import sparse
from scipy.linalg import cho_factor, cho_solve, solve_triangular
from scipy.special import erf

from seethrough.kernels.arrays import Floats, Ints
from seethrough.kernels.budget import one_blas_thread
from seethrough.kernels.solvers.normal_matrix import normal_matrix

BLOCK = 512
"""Rows whose variances are found together."""
HUBER = 1.0
SOLVES = 15
SETTLED = 1e-6
"""Relative change of all variances below which no further solve is needed."""


@dataclass(frozen=True, eq=False)
class Prior:
    """What is held about one record of each row before any answer: mean and variance of its share."""

    means: Floats
    variances: Floats

    def take(self, rows: Ints) -> "Prior":
        """Pick rows, by index."""
        return Prior(self.means[rows], self.variances[rows])


@dataclass(frozen=True, eq=False)
class Noisy:
    """Queries about one class: matrix (queries x rows), answers, their variances, and the records of each row.

    `normal` sums weighted outer products of the queries; without it `normal_matrix` does.
    """

    matrix: sparse.csr_array
    answers: Floats
    variances: Floats
    sizes: Floats
    normal: Callable[[Floats], Floats] | None = None


@dataclass(frozen=True, eq=False)
class Posterior:
    """Mean and variance of the share of one record of each row asked about."""

    means: Floats
    variances: Floats

    def under(self, own: Prior, other: Prior) -> "Posterior":
        """Exchange the prior of the record itself, all else being equal: exact, since everything is normal."""
        precision = 1 / other.variances - 1 / own.variances
        shift = other.means / other.variances - own.means / own.variances
        shrunk = 1 + self.variances * precision
        return Posterior((self.means + self.variances * shift) / shrunk, self.variances / shrunk)

    def take(self, rows: Ints) -> "Posterior":
        """Pick rows, by index."""
        return Posterior(self.means[rows], self.variances[rows])


def posterior(queries: Noisy, prior: Prior, rows: Ints) -> Posterior:
    """Solve once; the answer is about one record of each of `rows`."""
    with one_blas_thread():
        factor, sums = solve_for_sums(queries, prior)
        return _about(rows, factor, sums, queries, prior)


def robust_posterior(queries: Noisy, prior: Prior, rows: Ints) -> Posterior:
    """Solve with weights that errors of more than one standard deviation lose."""
    with one_blas_thread():
        current = queries
        for solve in range(1, SOLVES + 1):
            factor, sums = solve_for_sums(current, prior)
            if solve < SOLVES:
                deviations = np.abs(queries.answers - queries.matrix @ sums) / np.sqrt(queries.variances)
                variances = queries.variances * np.maximum(deviations / HUBER, 1)
                if np.allclose(variances, current.variances, rtol=SETTLED, atol=0):
                    break
                current = replace(queries, variances=variances)
        return _about(rows, factor, sums, queries, prior)


def solve_for_sums(queries: Noisy, prior: Prior) -> tuple[Floats, Floats]:
    """Factor the precision and find the posterior mean of the sums."""
    normal = queries.normal or partial(normal_matrix, queries.matrix)
    precision = normal(1 / queries.variances)
    precision[np.diag_indices_from(precision)] += 1 / (queries.sizes * prior.variances)
    side = queries.matrix.T @ (queries.answers / queries.variances) + prior.means / prior.variances
    factor, _ = cho_factor(precision, lower=True, overwrite_a=True, check_finite=False)
    return factor, cho_solve((factor, True), side, check_finite=False)


def _about(rows: Ints, factor: Floats, sums: Floats, queries: Noisy, prior: Prior) -> Posterior:
    """Go from sums of rows to one record each: equal records share their sum, and differ as much as before."""
    sizes, own = queries.sizes[rows], prior.take(rows)
    variances = np.empty(len(rows))
    for start in range(0, len(rows), BLOCK):
        some = rows[start : start + BLOCK]
        units = np.zeros((len(factor), len(some)), order="F")
        units[some, np.arange(len(some))] = 1
        halves = solve_triangular(factor, units, lower=True, overwrite_b=True, check_finite=False)
        variances[start : start + BLOCK] = np.einsum("ij,ij->j", halves, halves)
    return Posterior(sums[rows] / sizes, variances / sizes**2 + own.variances * (1 - 1 / sizes))


def certainty(means: Floats, deviations: Floats) -> Floats:
    """Tell from 0 to 1 how far the best class leads the next, measured by their standard deviations (rows x classes).

    For two classes that mirror each other it is the chance that a normal deviate is below |mean - 1/2| / deviation.
    """
    found: Floats = erf(standardised_lead(means, deviations) / np.sqrt(2))
    return found


def standardised_lead(means: Floats, deviations: Floats) -> Floats:
    """Tell how far the best class leads the next, in the sum of their standard deviations (rows x classes)."""
    places = np.argsort(means, axis=1)[:, -2:]
    second, best = np.take_along_axis(means, places, axis=1).T
    spread = np.take_along_axis(deviations, places, axis=1).sum(axis=1)
    found: Floats = (best - second) / spread
    return found
