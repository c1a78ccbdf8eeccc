"""The program behind linear reconstruction: absolute errors of counts, summed and minimised.

    minimise  sum_jc w_jc | r_jc - sum_i a_ji x_ic |   over  x_ic >= 0,  sum_c x_ic = g_i  (one class alone: <= g_i)

a is the 0/1 matrix of cells and rows, r the answers, w the weights, g how many records a row stands for; x_ic / g_i is
the share of class c among them. Merging equal records so changes nothing: averaging over them costs nothing, because
the objective is convex.

Its dual bounds the objective from below and certifies a solution, whoever found it:

    maximise  sum_jc r_jc y_jc - sum_i g_i max_c (a' y)_ic   over  |y_jc| <= w_jc   (one class alone: max(0, .))
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy import sparse

from seethrough.kernels.arrays import Floats, Ints
from seethrough.kernels.counting.grouping import combine, dense_codes

MIXERS = (0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9)
"""Odd numbers without structure, from the splitmix64 generator."""


@dataclass(frozen=True, eq=False)
class Program:
    """Matrix (queries x rows), answers and weights (queries x classes), and how many records each row stands for."""

    matrix: sparse.csr_array
    answers: Floats
    weights: Floats
    sizes: Floats

    @property
    def shape(self) -> tuple[int, int, int]:
        """Count queries, rows and classes."""
        return len(self.answers), len(self.sizes), self.answers.shape[1]

    @property
    def entries(self) -> int:
        """Count the entries of the matrix, once for each class."""
        return int(self.matrix.nnz * self.answers.shape[1])

    def objective(self, counts: Floats) -> float:
        """Sum the weighted errors of x = matrix times solution."""
        return float((self.weights * np.abs(self.answers - counts)).sum())

    def bound(self, multipliers: Floats, pulls: Floats) -> float:
        """Give the dual objective of multipliers within the weights; `pulls` is the transposed matrix times them."""
        top = pulls.max(axis=1)
        top = np.maximum(top, 0) if self.answers.shape[1] == 1 else top
        return float((self.answers * multipliers).sum() - (self.sizes * top).sum())


@dataclass(frozen=True, eq=False)
class Solution:
    """Shares (rows x classes), what they cost, and the bound that no other shares can undercut."""

    shares: Floats
    objective: float
    bound: float
    engine: str
    status: str

    @property
    def gap(self) -> float:
        """Give the objective's distance to its bound, relative to the objective where that is above 1."""
        return max(self.objective - self.bound, 0.0) / max(self.objective, 1.0)


def certify(program: Program, solution: Floats, multipliers: Floats, engine: str, status: str) -> Solution:
    """Make a solution feasible by projection, its multipliers by clipping, and compare what they promise."""
    sizes = program.sizes[:, None]
    inside = project_shares(solution, program.sizes)
    multipliers = np.clip(multipliers, -program.weights, program.weights)
    bound = program.bound(multipliers, program.matrix.T @ multipliers)
    return Solution(inside / sizes, program.objective(program.matrix @ inside), bound, engine, status)


def project_shares(solution: Floats, sizes: Floats) -> Floats:
    """Find the nearest feasible point: each row a box for one class, a simplex of its size for several."""
    classes = solution.shape[1]
    if classes == 1:
        return np.clip(solution, 0, sizes[:, None])
    falling = -np.sort(-solution, axis=1)
    surplus = (np.cumsum(falling, axis=1) - sizes[:, None]) / np.arange(1, classes + 1)
    last = np.count_nonzero(falling > surplus, axis=1) - 1
    return np.maximum(solution - np.take_along_axis(surplus, last[:, None], axis=1), 0)


def merge_equal_queries(program: Program) -> Program:
    """Make one query of those with the same members and answers, with the sum of their weights."""
    if not len(program.answers):
        return program
    matrix = program.matrix
    matrix.sort_indices()
    first, group = _alike(matrix, program.answers)
    weights = np.zeros((len(first), program.answers.shape[1]))
    np.add.at(weights, group, program.weights)
    return Program(matrix[first], program.answers[first], weights, program.sizes)


def _alike(matrix: sparse.csr_array, answers: Floats) -> tuple[Ints, Ints]:
    """Find the first of each group of equal queries, and the group of each; members are compared, not only signed."""
    sizes = np.diff(matrix.indptr)
    keys = [dense_codes(sizes), *(dense_codes(signature) for signature in _signatures(matrix))]
    keys += [dense_codes(column) for column in answers.T]
    _, first, group = np.unique(combine(keys), return_index=True, return_inverse=True)
    entry = np.repeat(matrix.indptr[first[group]] - matrix.indptr[:-1], sizes) + np.arange(matrix.nnz)
    differs = np.zeros(len(sizes), np.bool_)
    differs[np.repeat(np.arange(len(sizes)), sizes)[matrix.indices != matrix.indices[entry]]] = True
    alone = np.flatnonzero(differs)
    group[alone] = len(first) + np.arange(len(alone))
    return np.concatenate([first, alone]), group


def _signatures(matrix: sparse.csr_array) -> list[npt.NDArray[np.uint64]]:
    """Sum two mixed numbers over the members of each query: equal sets have equal sums."""
    members = np.arange(1, matrix.shape[1] + 1, dtype=np.uint64)
    found = []
    for mixer in MIXERS:
        mixed = members * np.uint64(mixer)
        mixed = (mixed ^ (mixed >> np.uint64(31))) * np.uint64(MIXERS[1])
        sums = np.concatenate([np.zeros(1, np.uint64), np.cumsum(mixed[matrix.indices], dtype=np.uint64)])
        found.append(sums[matrix.indptr[1:]] - sums[matrix.indptr[:-1]])
    return found
