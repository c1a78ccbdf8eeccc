"""The posterior means of `least_squares` for thousands of rows, by conjugate gradients.

The precision H = a' V^-1 a + diag(1 / (g v)) is never built: a step takes one product with the sparse matrix and one
with its transpose. H divided by its diagonal is well conditioned, because the variance of an answer grows with the
records in its cell. The error is measured in what is left of the equations, relative to their right side. Variances
are not found on this way: they would take as many solves as there are rows.

Seconds of one core for 4,280 rows and 8,782 queries (16 columns, the cells of two and that of all): 76 steps in 0.11;
the Cholesky factor with all variances takes 3.0, and the means of the two differ by 4e-8 at most.

Tables that share most of their rows are solved together, a column each: the sparse matrix is then read once for all of
them. Each column takes its own steps, so that what it comes to does not depend on the others. Milliseconds of a step
for 7,248 rows and 12,448 queries: 1.2 for one column, 5.6 for six, 7.4 for eleven. Cells of pairs come as a product of
two matrices with fewer entries (`pair_factors`), which rounds otherwise in the last digits: of 11,400 records with 32
columns a step takes 17 instead of 58. The product with a transpose goes through the entries as the matrix has them and
adds to sums of a few thousand records, which a cache holds, instead of picking from tens of thousands of cells: 7
instead of 17 for 1.4 million entries and eleven columns, in the same order, so to the same bit. Threads share the rows
of a product, each of which is summed as ever, so that they change no bit.
"""

from dataclasses import dataclass
from functools import partial
from itertools import pairwise

import numpy as np
from scipy import sparse

from seethrough.errors import SolverFailed
from seethrough.kernels.arrays import Floats, Ints
from seethrough.kernels.crew import run_jobs
from seethrough.kernels.solvers.least_squares import Noisy, Prior

TOLERANCE = 1e-8
"""Of what is left of the equations, relative to their right side: means are then right to some 1e-6, and a guess needs
a lead that can be seen. 1e-10 takes a third more steps."""
COARSER = 1e-6
"""The same for tables that are solved together, of which there are many and none is about a single person: of 11,000
records of a census table means differ by 4e-4 at most (median 4e-6) from those of 1e-8, one guess by its value, and a
third of the steps is saved."""
MOST_STEPS = 2_000


@dataclass(frozen=True, eq=False)
class Means:
    """The posterior mean of the share of one record of each row, and how many steps it took."""

    shares: Floats
    steps: int


def posterior_means(queries: Noisy, prior: Prior) -> Means:
    """Solve for the means of all rows, or raise `SolverFailed`."""
    matrix, back, weights = queries.matrix, queries.matrix.T.tocsr(), 1 / queries.variances
    own = 1 / (queries.sizes * prior.variances)
    diagonal = back.power(2) @ weights + own
    side = back @ (weights * queries.answers) + prior.means / prior.variances
    sums = queries.sizes * prior.means
    left = side - back @ (weights * (matrix @ sums)) - own * sums
    goal = TOLERANCE**2 * float(side @ (side / diagonal))
    scaled = left / diagonal
    towards, size = scaled, float(left @ scaled)
    for step in range(MOST_STEPS):
        if size <= goal:
            return Means(sums / queries.sizes, step)
        pushed = back @ (weights * (matrix @ towards)) + own * towards
        length = size / float(towards @ pushed)
        sums = sums + length * towards
        left = left - length * pushed
        scaled = left / diagonal
        before, size = size, float(left @ scaled)
        towards = scaled + size / before * towards
    raise SolverFailed(f"least squares did not settle within {MOST_STEPS} steps; nothing is guessed instead")


@dataclass(frozen=True, eq=False)
class NoisyColumns:
    """The same queries about several tables: answers, variances (queries x tables), and records (rows x tables).

    The product of the factors is the matrix of the queries, of 0 and 1. A row that a table lacks has 0 records there.
    """

    factors: tuple[sparse.csr_array, ...]
    answers: Floats
    variances: Floats
    sizes: Floats


def posterior_means_of_tables(
    queries: NoisyColumns, mean: float, variance: float, threads: int = 1
) -> tuple[Floats, Ints]:
    """Solve for the means of all rows in each table (rows x tables), and count the steps of each.

    `mean` and `variance` are those of every record before any answer; rows that a table lacks have NaN.
    """
    matrix = _SharedFactors([_share_rows(factor, threads) for factor in queries.factors])
    back = _SharedFactors([_share_columns(factor, threads) for factor in reversed(queries.factors)])
    return _solved(_Precision(queries, matrix, back, variance), queries, mean, variance)


def _solved(precision: "_Precision", queries: NoisyColumns, mean: float, variance: float) -> tuple[Floats, Ints]:
    sums = queries.sizes * mean
    side = (precision.back @ (precision.weights * queries.answers) + mean / variance) * precision.there
    left = side - precision.push(sums)
    goal = COARSER**2 * _dots(side, side / precision.diagonal)
    towards = scaled = left / precision.diagonal
    size, steps = _dots(left, scaled), np.zeros(sums.shape[1], np.int64)
    for _ in range(MOST_STEPS):
        active = size > goal
        if not active.any():
            return np.divide(sums, queries.sizes, out=np.full_like(sums, np.nan), where=precision.there), steps
        steps += active
        pushed = precision.push(towards)
        length = np.where(active, size / np.where(active, _dots(towards, pushed), 1.0), 0.0)
        sums += length * towards
        left -= length * pushed
        scaled = left / precision.diagonal
        before, size = size, np.where(active, _dots(left, scaled), size)
        towards = scaled + np.where(active, size / np.where(before > 0, before, 1.0), 0.0) * towards
    raise SolverFailed(f"least squares did not settle within {MOST_STEPS} steps; nothing is guessed instead")


@dataclass(frozen=True, eq=False)
class _SharedRows:
    """A sparse matrix in parts of rows, one for each thread, which is to be multiplied many times."""

    parts: list[sparse.csr_array] | list[sparse.csc_array]

    def __matmul__(self, columns: Floats) -> Floats:
        if len(self.parts) == 1:
            found: Floats = self.parts[0] @ columns
            return found
        each: list[Floats] = [columns] * len(self.parts)

        def multiply(place: int) -> None:
            each[place] = self.parts[place] @ columns

        run_jobs([partial(multiply, place) for place in range(len(each))], len(each), lambda _: None)
        return np.concatenate(each)


def _share_rows(matrix: sparse.csr_array, threads: int) -> _SharedRows:
    """Deal rows to threads so that each has as many entries."""
    return _SharedRows([matrix[first:last] for first, last in _shares(matrix.indptr, threads)])


def _share_columns(matrix: sparse.csr_array, threads: int) -> _SharedRows:
    """Deal the rows of the transpose, which stays as it is: a matrix by columns."""
    if threads == 1:
        return _SharedRows([matrix.T])
    ends = np.concatenate([[0], np.cumsum(np.bincount(matrix.indices, minlength=matrix.shape[1]))])
    return _SharedRows([matrix[:, first:last].T for first, last in _shares(ends, threads)])


def _shares(ends: Ints, threads: int) -> list[tuple[int, int]]:
    """Give from which row to which each thread has; `ends` count the entries up to each row."""
    rows = len(ends) - 1
    cuts = np.searchsorted(ends, np.linspace(0, int(ends[-1]), threads + 1)[1:-1])
    return list(pairwise([0, *np.unique(cuts[(cuts > 0) & (cuts < rows)]).tolist(), rows]))


@dataclass(frozen=True, eq=False)
class _SharedFactors:
    """A product of sparse matrices, which is never built."""

    factors: list[_SharedRows]

    def __matmul__(self, columns: Floats) -> Floats:
        for factor in reversed(self.factors):
            columns = factor @ columns
        return columns


class _Precision:
    """The precision of each table, with 0 in the place of rows that it lacks."""

    def __init__(self, queries: NoisyColumns, matrix: _SharedFactors, back: _SharedFactors, variance: float) -> None:
        self.matrix, self.back, self.there = matrix, back, queries.sizes > 0
        self.weights, self.own = 1 / queries.variances, 1 / (np.where(self.there, queries.sizes, 1.0) * variance)
        self.diagonal = self.back @ self.weights + self.own  # entries are 0 and 1, so they are their own squares

    def push(self, towards: Floats) -> Floats:
        """Multiply by it."""
        counts = self.matrix @ towards
        counts *= self.weights
        pushed = self.back @ counts
        pushed += self.own * towards
        pushed *= self.there
        return pushed


def _dots(one: Floats, other: Floats) -> Floats:
    """Multiply column by column; each sum is over contiguous numbers, so that it does not depend on other columns."""
    found: Floats = np.array([float(a @ b) for a, b in zip(one.T.copy(), other.T.copy(), strict=True)])
    return found
