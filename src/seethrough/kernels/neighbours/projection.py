"""Factor analysis of mixed data: a few coordinates that keep most of the variation of one table.

Numbers are standardised, each level of each category becomes (indicator - p) / sqrt(p) with p its share in the
fitted table, and the coordinates are those along the leading right singular vectors. These are the eigenvectors of
the small Gram matrix, which is summed up in blocks; no matrix of n rows is decomposed. With numbers alone it
is principal component analysis; with categories alone, multiple correspondence analysis up to the factor
1/sqrt(number of columns), which is applied.

Coordinates are summed column by column from a vector for each level, so that equal rows get equal
coordinates, to the last bit, whichever table they stand in.

References
----------
Pages 2004, Revue de statistique appliquee 52(4), 93-111.
"""

from dataclasses import dataclass

import numpy as np
from scipy import sparse
from scipy.sparse.linalg import LinearOperator, eigsh

from seethrough.kernels.arrays import Codes, Floats
from seethrough.kernels.budget import one_blas_thread
from seethrough.kernels.points import Points

RANK_TOLERANCE = 1e-10
ROWS_AT_ONCE = 1 << 14
WIDE = 2000
"""Columns of the indicator matrix up to which its Gram matrix is decomposed as a whole."""


@dataclass(frozen=True, eq=False)
class Projection:
    """A fitted projection: a straight line for each number, a vector for each level."""

    centre: Floats
    slopes: Floats
    levels: tuple[Floats, ...]

    @property
    def dimensions(self) -> int:
        """Count the coordinates."""
        return int(self.slopes.shape[1])

    def coordinates(self, points: Points) -> Floats:
        """Place points; a level that the fitted table did not have counts as "none of its levels"."""
        total = np.zeros((len(points), self.dimensions))
        for j, (centre, slope) in enumerate(zip(self.centre, self.slopes, strict=True)):
            total += (points.numbers[:, j, None] - centre) * slope
        for codes, vectors in zip(points.codes, self.levels, strict=True):
            total += vectors[np.minimum(codes, len(vectors) - 1)]
        return total


def fit_projection(points: Points, dimensions: int) -> Projection:
    """Fit on one table; fewer dimensions come back when the table has less variation."""
    centre, spread = points.numbers.mean(axis=0), points.numbers.std(axis=0)
    scale = 1 / np.where(spread > 0, spread, 1.0)
    shares = [np.bincount(codes) / len(points) for codes in points.codes]
    width = len(scale) + sum(int(np.count_nonzero(share)) for share in shares)
    leading = _leading_of_gram if width <= WIDE else _leading_by_iteration
    with one_blas_thread():  # the sums must not depend on the threads of the machine
        values, vectors = leading(points, centre, scale, shares, min(dimensions, width))
    kept = np.flatnonzero(values > RANK_TOLERANCE * max(values.max(), 1.0))
    axes = vectors[:, kept] * (1.0 if len(scale) else len(shares) ** -0.5)
    slopes = scale[:, None] * axes[: len(scale)]
    return Projection(centre, slopes, _level_vectors(shares, axes[len(scale) :]))


def variation_kept(projection: Projection, points: Points) -> float:
    """Give the share of the variation of the fitted table that the coordinates keep; 1 where there is none.

    A number that varies adds 1 to the whole, a category one less than it has levels.
    """
    shares = [np.bincount(codes) / len(points) for codes in points.codes]
    whole = float((points.numbers.std(axis=0) > 0).sum()) + sum(np.count_nonzero(share) - 1 for share in shares)
    if not points.numbers.shape[1]:
        whole /= max(len(shares), 1)
    kept = float(projection.coordinates(points).var(axis=0).sum())
    return min(1.0, kept / whole) if whole else 1.0


def _leading_of_gram(
    points: Points, centre: Floats, scale: Floats, shares: list[Floats], dimensions: int
) -> tuple[Floats, Floats]:
    """Sum the Gram matrix in blocks and decompose it."""
    width = len(scale) + sum(int(np.count_nonzero(share)) for share in shares)
    total = np.zeros((width, width))
    for start in range(0, len(points), ROWS_AT_ONCE):
        block = points.take(np.arange(start, min(start + ROWS_AT_ONCE, len(points))))
        numbers = (block.numbers - centre) * scale
        parts = [numbers] + [_indicators(codes, share) for codes, share in zip(block.codes, shares, strict=True)]
        rows = np.concatenate(parts, axis=1)
        total += rows.T @ rows
    values, vectors = np.linalg.eigh(total / len(points))
    return values[::-1][:dimensions], vectors[:, ::-1][:, :dimensions]


def _leading_by_iteration(
    points: Points, centre: Floats, scale: Floats, shares: list[Floats], dimensions: int
) -> tuple[Floats, Floats]:
    """Find the leading axes by Lanczos iteration, where thousands of levels would make a huge Gram matrix."""
    numbers = sparse.csr_array((points.numbers - centre) * scale)
    parts, means = [numbers], [np.zeros(len(scale))]
    for codes, share in zip(points.codes, shares, strict=True):
        levels = np.flatnonzero(share)
        column = np.cumsum(share > 0)[codes] - 1
        values = 1 / np.sqrt(share[codes])
        parts.append(sparse.csr_array((values, (np.arange(len(points)), column)), (len(points), len(levels))))
        means.append(np.sqrt(share[levels]))
    rows, mean = sparse.hstack(parts, format="csr"), np.concatenate(means)

    def gram(vector: Floats) -> Floats:
        vector = vector.ravel()
        product: Floats = rows.T @ (rows @ vector)
        return product / len(points) - mean * (mean @ vector)

    size = len(mean)
    operator = LinearOperator((size, size), matvec=gram, dtype=np.float64)
    start = np.cos(np.arange(size))  # any fixed vector that is not an eigenvector
    values, vectors = eigsh(operator, k=dimensions, v0=start, tol=0)
    return values[::-1], vectors[:, ::-1]


def _indicators(codes: Codes, share: Floats) -> Floats:
    levels = np.flatnonzero(share)
    found: Floats = ((codes[:, None] == levels) - share[levels]) / np.sqrt(share[levels])
    return found


def _level_vectors(shares: list[Floats], axes: Floats) -> tuple[Floats, ...]:
    """Sum up what each level contributes: its own indicator, and minus the mean of all; the last row has no level."""
    found, start = [], 0
    for share in shares:
        levels = np.flatnonzero(share)
        mine = axes[start : start + len(levels)]
        start += len(levels)
        none = -(np.sqrt(share[levels])[:, None] * mine).sum(axis=0)
        vectors = np.tile(none, (len(share) + 1, 1))
        vectors[levels] += mine / np.sqrt(share[levels])[:, None]
        found.append(vectors)
    return tuple(found)
