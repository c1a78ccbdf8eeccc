"""Squared distances of many pairs at once, as one matrix product with a known error.

For each code column with more than two levels the product of indicators counts agreements, a
column of two levels is the number 0 or 1, and numbers expand as x^2 + y^2 - 2xy. All terms stand in
one product [indicators, numbers, norm, 1] . [-weights, -2 numbers, 1, norm + sum of weights]. Levels
beyond the `WIDE` most frequent of a column go into a sparse product, so that a column of thousands
of levels costs no more than one of `WIDE`.

The rounding error of an entry is at most gamma_K times the sum of the absolute terms (Higham,
Accuracy and Stability of Numerical Algorithms, 2nd ed., section 3.1). With unit weights and no numbers
every term is a small integer and single precision is exact.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy import sparse

from seethrough.kernels.arrays import Codes, Floats, Ints, Matrix
from seethrough.kernels.points import Points

WIDE = 48
COARSE = 2e-3
"""Error of a squared distance above which single precision leaves too many candidates."""


@dataclass(frozen=True, eq=False)
class ProductLayout:
    """How codes become columns of the product; made once for both sets.

    `levels[j]` lists the codes of column j that get an indicator, `tail[j]` those that go into the sparse part; a
    column of two codes has neither, and `two[j]` is the one that counts as 1 (-1 otherwise).
    """

    levels: tuple[Ints, ...]
    two: tuple[int, ...]
    tail: tuple[Ints, ...]
    centre: Floats
    weights: Floats

    @property
    def exact(self) -> bool:
        """Tell whether single precision makes no error."""
        return not self.centre.size and bool(np.all(self.weights == 1))


def layout(a: Points, b: Points) -> ProductLayout:
    """Choose indicators by how often the levels occur."""
    levels, two, tail = [], [], []
    for codes_a, codes_b in zip(a.codes, b.codes, strict=True):
        size = int(max(codes_a.max(initial=0), codes_b.max(initial=0))) + 1
        pairs = np.bincount(codes_a, minlength=size) + np.bincount(codes_b, minlength=size)
        present = np.flatnonzero(pairs)
        common = present[np.argsort(-pairs[present], kind="stable")]
        many = len(common) > 2
        levels.append(common[:WIDE] if many else common[:0])
        tail.append(common[WIDE:] if many else common[:0])
        two.append(int(common[0]) if len(common) == 2 else -1)
    centre = a.numbers.mean(axis=0) if len(a) else np.zeros(a.numbers.shape[1])
    return ProductLayout(tuple(levels), tuple(two), tuple(tail), centre, a.weights)


@dataclass(frozen=True, eq=False)
class Side:
    """One set of points, ready for the product, with the largest norm of its points."""

    dense: Matrix
    tail: sparse.csr_array | None
    norm: float

    def take(self, rows: Ints) -> "Side":
        """Pick points, by index; the norm of the whole set still bounds theirs."""
        return Side(self.dense[rows], None if self.tail is None else self.tail[rows], self.norm)


def left(points: Points, plan: ProductLayout, dtype: npt.DTypeLike) -> Side:
    """Encode the points whose rows are the rows of the product."""
    dense, norms = _features(points, plan, dtype)
    dense[:, -2], dense[:, -1] = norms, 1
    return Side(dense, _tail(points.codes, plan, np.ones(len(plan.weights))), float(norms.max(initial=0)))


def right(points: Points, plan: ProductLayout, dtype: npt.DTypeLike) -> Side:
    """Encode the points whose rows are the columns of the product."""
    dense, norms = _features(points, plan, dtype)
    indicators = sum(len(levels) for levels in plan.levels)
    many = np.array([len(levels) > 0 for levels in plan.levels], bool)
    dense[:, :indicators] *= -np.repeat(plan.weights, [len(levels) for levels in plan.levels])
    dense[:, indicators:-2] *= -2
    dense[:, -2], dense[:, -1] = 1, norms + float(plan.weights[many].sum())
    return Side(dense, _tail(points.codes, plan, plan.weights), float(norms.max(initial=0)))


def _features(points: Points, plan: ProductLayout, dtype: npt.DTypeLike) -> tuple[Matrix, Floats]:
    indicators = [codes[:, None] == levels for codes, levels in zip(points.codes, plan.levels, strict=True)]
    twos = [
        (codes == one)[:, None] * weight**0.5
        for codes, one, weight in zip(points.codes, plan.two, plan.weights, strict=True)
        if one >= 0
    ]
    numbers = np.concatenate([*twos, points.numbers - plan.centre], axis=1)
    width = sum(block.shape[1] for block in indicators)
    dense = np.empty((len(points), width + numbers.shape[1] + 2), dtype)
    np.concatenate([*indicators, np.empty((len(points), 0), bool)], axis=1, out=dense[:, :width])
    dense[:, width:-2] = numbers
    return dense, np.square(numbers).sum(axis=1)


def _tail(codes: Codes, plan: ProductLayout, weights: Floats) -> sparse.csr_array | None:
    start, rows, columns, values = 0, [], [], []
    for column, rare, weight in zip(codes, plan.tail, weights, strict=True):
        number = np.full(int(column.max(initial=0)) + 1, -1)
        known = rare[rare < len(number)]
        number[known] = start + np.arange(len(rare))[rare < len(number)]
        hit = np.flatnonzero(number[column] >= 0)
        rows.append(hit)
        columns.append(number[column[hit]])
        values.append(np.full(len(hit), weight, np.float32))
        start += len(rare)
    if not start:
        return None
    data = (np.concatenate(values), (np.concatenate(rows), np.concatenate(columns)))
    return sparse.csr_array(data, shape=(codes.shape[1], start))


def error_bound(first: Side, second: Side, plan: ProductLayout) -> float:
    """Bound the error of every entry of `product(first, second)`."""
    if plan.exact:
        return 0.0
    unit = float(np.finfo(first.dense.dtype).eps) / 2
    terms = first.dense.shape[1] + len(plan.weights) + 8
    size = 2 * float(plan.weights.sum()) + 2 * (first.norm + second.norm)
    return float(1.1 * terms * unit * size)


def product(first: Side, second: Side, out: Matrix) -> Matrix:
    """Fill `out` with the squared distances of all pairs, up to `error_bound`."""
    np.matmul(first.dense, second.dense.T, out=out)
    if first.tail is not None and second.tail is not None:
        shared = (first.tail @ second.tail.T).tocsr()
        rows = np.repeat(np.arange(shared.shape[0]), np.diff(shared.indptr))
        out[rows, shared.indices] -= shared.data.astype(out.dtype)
    return out
