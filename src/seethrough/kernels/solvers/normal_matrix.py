"""Normal matrices: a' diag(d) a for one 0/1 matrix and many weights d, as every step of a solver needs it.

Queries with few members go through a list of all pairs of members, made once: entry (i, k) is the sum of the weights of
the queries that have both, which is one sparse product. Queries with many members go through matrix products of a few
hundred queries at a time. Nothing has queries x rows numbers. Milliseconds for one sum over 5,098 queries and 759 rows
by the number of members up to which a query is few: 40: 13, 80: 8, 150: 6, with 6, 15 and 45 for the list.
"""

import numpy as np
import numpy.typing as npt
from scipy import sparse
from scipy.linalg import get_blas_funcs

from seethrough.kernels.arrays import Floats

Numbers = npt.NDArray[np.floating]

FEW = 80
MOST_PAIRS = 4_000_000
"""Pairs that are listed at most, 12 bytes each; there are fewer if queries with fewer members would exceed this."""
BLOCK = 512


class NormalMatrix:
    """The matrix (queries x rows), prepared; call it with weights."""

    def __init__(self, matrix: sparse.csr_array) -> None:
        """List the pairs of small queries, set the large ones apart."""
        matrix = matrix.sorted_indices()
        self.rows = matrix.shape[1]
        sizes = np.diff(matrix.indptr)
        is_small = sizes <= _few(sizes)
        self._small, large = np.flatnonzero(is_small), np.flatnonzero(~is_small)
        self._pairs = _pairs(matrix[self._small])
        self._large = [large[start : start + BLOCK] for start in range(0, len(large), BLOCK)]
        self._blocks = [matrix[some] for some in self._large]

    def __call__(self, weights: Floats, kind: type[np.floating] = np.float64) -> Numbers:
        """Sum weighted outer products of the queries; only the lower triangle is meant to be read."""
        total: Numbers = (self._pairs @ weights[self._small]).astype(kind, copy=False).reshape(self.rows, self.rows).T
        (syrk,) = get_blas_funcs(("syrk",), (total,))
        for some, block in zip(self._large, self._blocks, strict=True):
            scaled = block.toarray().astype(kind, copy=False)
            scaled *= np.sqrt(weights[some]).astype(kind)[:, None]
            total = syrk(1.0, scaled.T, beta=1.0, c=total, overwrite_c=1, lower=1)
        return total


def _few(sizes: npt.NDArray[np.integer]) -> int:
    """Find the number of members up to which queries are small."""
    pairs = np.bincount(np.minimum(sizes, FEW + 1), minlength=FEW + 2)[: FEW + 1] * np.arange(FEW + 1) ** 2 / 2
    return int(np.searchsorted(np.cumsum(pairs), MOST_PAIRS, side="right")) - 1


def _pairs(matrix: sparse.csr_array) -> sparse.csr_array:
    """Give one row for each place of the normal matrix, by columns, and one column for each query that adds to it.

    Members ascend, so a member meets itself and those after it: places of the lower triangle.
    """
    queries, rows = matrix.shape
    # There are at most `MOST_PAIRS` of them, so their numbers fit 32 bits; the places do for 46,340 rows.
    members, ends = matrix.indices.astype(np.int32 if rows**2 < 1 << 31 else np.int64), matrix.indptr.astype(np.int32)
    entries = np.arange(len(members), dtype=np.int32)
    meets = np.repeat(ends[1:], np.diff(ends)) - entries
    before = np.concatenate([np.zeros(1, np.int32), np.cumsum(meets, dtype=np.int32)])
    first = np.repeat(entries, meets)
    second = np.arange(len(first), dtype=np.int32) + np.repeat(entries - before[:-1], meets)
    places = members[first] * members.dtype.type(rows) + members[second]
    shape = (rows * rows, queries)
    return sparse.csc_array((np.ones(len(places)), places, before[ends].astype(places.dtype)), shape=shape).tocsr()
