"""Points of a mixed-type space, and the distance between them measured directly.

A point has numbers and codes. In the Euclidean norm the squared distance is the sum of squared differences of the
numbers plus, for each code that differs, the weight of its column; in the Manhattan norm the distance is the sum of
absolute differences plus those weights. Kernels add up totals, and `Norm.distance` makes distances of them at the end.

Distances are rounded to twelve significant digits. Two pairs may be equally far apart and yet differ in the last bit,
because their differences stand in other columns and were added in another order; a tie must not hang on that.
"""

from dataclasses import dataclass
from enum import Enum

import numpy as np

from seethrough.kernels.arrays import Codes, Floats, Ints
from seethrough.kernels.counting.grouping import combine, dense_codes

DIGITS = 12
TIE = 10.0**-DIGITS
"""Relative difference of totals below which two pairs are equally far apart."""
_SMALLEST = 1e-280
"""Distances below it stay as they are: what they would be multiplied with is beyond the largest float."""


class Norm(Enum):
    """How differences add up."""

    EUCLIDEAN = "euclidean"
    MANHATTAN = "manhattan"

    def distance(self, total: Floats) -> Floats:
        """Turn totals into distances."""
        exact = np.sqrt(total) if self is Norm.EUCLIDEAN else total
        known = np.isfinite(exact) & (exact > _SMALLEST)
        scale = 10.0 ** (DIGITS - np.ceil(np.log10(exact, out=np.zeros_like(exact), where=known)))
        return np.where(known, np.round(exact * scale) / scale, exact)

    def part(self, difference: Floats) -> Floats:
        """Give what the difference of two numbers adds to the total."""
        return np.square(difference) if self is Norm.EUCLIDEAN else np.abs(difference)


@dataclass(frozen=True, eq=False)
class Points:
    """Rows of `numbers` (n x a, float64) and `codes` (b x n, unsigned, one row a column); one weight for each code."""

    numbers: Floats
    codes: Codes
    weights: Floats
    norm: Norm = Norm.EUCLIDEAN

    def __len__(self) -> int:
        """Count the points."""
        return len(self.numbers)

    def take(self, rows: Ints) -> "Points":
        """Pick points, by index."""
        return Points(self.numbers[rows], np.take(self.codes, rows, axis=1), self.weights, self.norm)


def sort_points(points: Points) -> Points:
    """Put points in an order that depends on themselves alone; equal ones are next to each other."""
    return points.take(np.lexsort((*points.codes, *points.numbers.T)))


def totals(a: Points, rows: Ints, b: Points, others: Ints) -> Floats:
    """Total of the pairs (rows[i] of `a`, others[i] of `b`), column by column, always in this order."""
    total = np.zeros(len(rows))
    for codes_a, codes_b, weight in zip(a.codes, b.codes, a.weights, strict=True):
        total += weight * (codes_a[rows] != codes_b[others])
    return add_numbers(total, a, rows, b, others)


def add_numbers(total: Floats, a: Points, rows: Ints, b: Points, others: Ints) -> Floats:
    """Add to what the codes of pairs give what their numbers do, column by column."""
    for j in range(a.numbers.shape[1]):
        total += a.norm.part(a.numbers[rows, j] - b.numbers[others, j])
    return total


def block_totals(a: Points, b: Points) -> Floats:
    """All totals between two small sets, by the same operations in the same order as `totals`."""
    total = np.zeros((len(a), len(b)))
    for codes_a, codes_b, weight in zip(a.codes, b.codes, a.weights, strict=True):
        total += weight * (codes_a[:, None] != codes_b[None, :])
    for j in range(a.numbers.shape[1]):
        total += a.norm.part(a.numbers[:, None, j] - b.numbers[None, :, j])
    return total


def point_groups(a: Points, b: Points) -> tuple[Ints, Ints]:
    """Give numbers to the distinct points of both sets together: equal points, equal numbers."""
    columns = [np.concatenate(pair) for pair in zip(a.codes, b.codes, strict=True)]
    columns += [dense_codes(np.concatenate(pair)) for pair in zip(a.numbers.T, b.numbers.T, strict=True)]
    groups = combine(columns) if columns else np.zeros(len(a) + len(b), np.int64)
    ranks = np.unique(groups, return_inverse=True)[1]
    return ranks[: len(a)], ranks[len(a) :]
