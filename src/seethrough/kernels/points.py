"""Points of a mixed-type space, and the distance between them measured directly.

A point has numbers and codes. The squared distance is the sum of squared differences of the
numbers plus, for each code that differs, the weight of its column.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from seethrough.kernels.grouping import combine, dense_codes

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Codes = npt.NDArray[np.integer]


@dataclass(frozen=True, eq=False)
class Points:
    """Rows of `numbers` (n x a, float64) and `codes` (b x n, unsigned, one row a column); one weight for each code."""

    numbers: Floats
    codes: Codes
    weights: Floats

    def __len__(self) -> int:
        """Count the points."""
        return len(self.numbers)

    def take(self, rows: Ints) -> "Points":
        """Pick points, by index."""
        return Points(self.numbers[rows], self.codes[:, rows], self.weights)


def squared(a: Points, rows: Ints, b: Points, others: Ints) -> Floats:
    """Squared distance of the pairs (rows[i] of `a`, others[i] of `b`), column by column, always in this order."""
    total = np.zeros(len(rows))
    for codes_a, codes_b, weight in zip(a.codes, b.codes, a.weights, strict=True):
        total += weight * (codes_a[rows] != codes_b[others])
    for j in range(a.numbers.shape[1]):
        total += (a.numbers[rows, j] - b.numbers[others, j]) ** 2
    return total


def squared_block(a: Points, b: Points) -> Floats:
    """All squared distances between two small sets, by the same operations in the same order as `squared`."""
    total = np.zeros((len(a), len(b)))
    for codes_a, codes_b, weight in zip(a.codes, b.codes, a.weights, strict=True):
        total += weight * (codes_a[:, None] != codes_b[None, :])
    for j in range(a.numbers.shape[1]):
        total += (a.numbers[:, None, j] - b.numbers[None, :, j]) ** 2
    return total


def point_groups(a: Points, b: Points) -> tuple[Ints, Ints]:
    """Give numbers to the distinct points of both sets together: equal points, equal numbers."""
    columns = [np.concatenate(pair) for pair in zip(a.codes, b.codes, strict=True)]
    columns += [dense_codes(np.concatenate(pair)) for pair in zip(a.numbers.T, b.numbers.T, strict=True)]
    groups = combine(columns) if columns else np.zeros(len(a) + len(b), np.int64)
    ranks = np.unique(groups, return_inverse=True)[1]
    return ranks[: len(a)], ranks[len(a) :]
