"""Squared distances of many pairs at once, as one matrix product with a known error, and comparisons of codes.

For each code column of few levels, but more than two, the product of indicators counts agreements, a
column of two levels is the number 0 or 1, and numbers expand as x^2 + y^2 - 2xy. All terms stand in
one product [indicators, numbers, norm, 1] . [-weights, -2 numbers, 1, norm + sum of weights]. A column
of more than `FEW` levels is compared pair by pair instead, so that one of thousands of levels costs no
more than one of `FEW`: an indicator costs 0.022 ns a pair, a comparison of bytes 0.1 ns. Where codes alone add up, each
by 1, all columns are compared and nothing is multiplied: 0.8 ns a pair for twelve columns, and 1.8 with a product.

The rounding error of an entry is at most gamma_K times the sum of the absolute terms (Higham,
Accuracy and Stability of Numerical Algorithms, 2nd ed., section 3.1). With unit weights and no numbers
columns that differ are counted, without any error.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from seethrough.kernels.arrays import Codes, Floats, Ints, Matrix
from seethrough.kernels.points import Points

FEW = 6
COARSE = 2e-3
"""Error of a squared distance above which single precision leaves too many candidates."""


@dataclass(frozen=True, eq=False)
class ProductLayout:
    """How codes become columns of the product; made once for both sets.

    `levels[j]` lists the codes of column j that get an indicator; a column of two codes has none, and `two[j]` is the
    one that counts as 1 (-1 otherwise); `compared` gives the columns of many levels, with the smallest type that holds
    their codes.
    """

    levels: tuple[Ints, ...]
    two: tuple[int, ...]
    compared: Mapping[int, np.dtype]
    centre: Floats
    weights: Floats

    @property
    def exact(self) -> bool:
        """Tell whether single precision makes no error."""
        return not self.centre.size and bool(np.all(self.weights == 1))


def layout(a: Points, b: Points) -> ProductLayout:
    """Give indicators to the levels that occur in columns of few, and compare the others; all, where they are exact."""
    levels, two, compared = [], [], {}
    only_codes = not a.numbers.shape[1] and bool(np.all(a.weights == 1))
    for place, (codes_a, codes_b) in enumerate(zip(a.codes, b.codes, strict=True)):
        size = int(max(codes_a.max(initial=0), codes_b.max(initial=0))) + 1
        present = np.flatnonzero(np.bincount(codes_a, minlength=size) + np.bincount(codes_b, minlength=size))
        levels.append(present if 2 < len(present) <= FEW and not only_codes else present[:0])
        two.append(int(present[0]) if len(present) == 2 and not only_codes else -1)
        if len(present) > FEW or (len(present) > 1 and only_codes):
            compared[place] = np.min_scalar_type(size)
    centre = a.numbers.mean(axis=0) if len(a) else np.zeros(a.numbers.shape[1])
    return ProductLayout(tuple(levels), tuple(two), compared, centre, a.weights)


@dataclass(frozen=True, eq=False)
class Side:
    """One set of points, ready for the product, with the largest norm of its points."""

    dense: Matrix
    codes: tuple[Codes, ...]
    norm: float

    def take(self, rows: Ints) -> "Side":
        """Pick points, by index; the norm of the whole set still bounds theirs."""
        return Side(self.dense[rows], tuple(column[rows] for column in self.codes), self.norm)


def left(points: Points, plan: ProductLayout, dtype: npt.DTypeLike) -> Side:
    """Encode the points whose rows are the rows of the product."""
    dense, norms = _features(points, plan, dtype)
    dense[:, -2], dense[:, -1] = norms, 1
    return Side(dense, _narrow(points, plan), float(norms.max(initial=0)))


def right(points: Points, plan: ProductLayout, dtype: npt.DTypeLike) -> Side:
    """Encode the points whose rows are the columns of the product."""
    dense, norms = _features(points, plan, dtype)
    indicators = sum(len(levels) for levels in plan.levels)
    many = np.array([len(levels) > 0 for levels in plan.levels], bool)
    dense[:, :indicators] *= -np.repeat(plan.weights, [len(levels) for levels in plan.levels])
    dense[:, indicators:-2] *= -2
    dense[:, -2], dense[:, -1] = 1, norms + float(plan.weights[many].sum())
    return Side(dense, _narrow(points, plan), float(norms.max(initial=0)))


def _narrow(points: Points, plan: ProductLayout) -> tuple[Codes, ...]:
    return tuple(points.codes[place].astype(kind) for place, kind in plan.compared.items())


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


def error_bound(first: Side, second: Side, plan: ProductLayout) -> float:
    """Bound the error of every entry of `product(first, second)`."""
    if plan.exact:
        return 0.0
    unit = float(np.finfo(first.dense.dtype).eps) / 2
    terms = first.dense.shape[1] + len(plan.weights) + 8
    size = 2 * float(plan.weights.sum()) + 2 * (first.norm + second.norm)
    return float(1.1 * terms * unit * size)


def product(first: Side, second: Side, plan: ProductLayout, out: Matrix) -> Matrix:
    """Fill `out` with the squared distances of all pairs, up to `error_bound`."""
    if plan.exact:
        out[...] = mismatches(first.codes, second.codes) if plan.compared else 0
        return out
    np.matmul(first.dense, second.dense.T, out=out)
    weights = plan.weights[list(plan.compared)]
    for weight in np.unique(weights):
        mine = np.flatnonzero(weights == weight)
        counts = mismatches([first.codes[j] for j in mine], [second.codes[j] for j in mine])
        out += counts if weight == 1 else out.dtype.type(weight) * counts
    return out


def mismatches(first: Sequence[Codes], second: Sequence[Codes]) -> Codes:
    """Count, for each pair of points, the columns in which they differ."""
    shape = len(first[0]), len(second[0])
    found, differ = np.zeros(shape, np.min_scalar_type(len(first))), np.empty(shape, bool)
    for a, b in zip(first, second, strict=True):
        np.not_equal(a[:, None], b, out=differ)
        np.add(found, differ.view(np.uint8), out=found)
    return found
