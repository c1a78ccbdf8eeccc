"""Normal matrices: a' diag(d) a for one 0/1 matrix of queries and rows and one or many weights d.

They are summed in two ways. Queries with few members go through a sparse product, those with many through matrix
products of a few hundred queries at a time; nothing has queries x rows numbers. Seconds for one sum over 813 rows and
2,579 queries, and over 3,053 rows and 3,350: sparse alone 0.047 and 1.05, products alone 0.097 and 0.69, both with the
cut at a tenth of the rows 0.019 and 0.20.

Where many are to be summed, for reweighting or for many classes, `NormalMatrix` prepares that: queries with few members
go through a list of all pairs of members, made once, and entry (i, k) is the sum of the weights of the queries that
have both, one sparse product. Milliseconds for one sum over 5,098 queries and 759 rows by the number of members up to
which a query is few: 40: 13, 80: 8, 150: 6, with 6, 15 and 45 for the list.
"""

from collections.abc import Callable, Iterable
from functools import partial

import numpy as np
from scipy import sparse
from scipy.linalg import blas

from seethrough.kernels.arrays import Floats, Ints

MANY = 0.1
"""Share of all rows above which a query goes through a matrix product."""
FEW = 80
"""The same in members, where sums are prepared."""
MOST_PAIRS = 4_000_000
"""Pairs that are listed at most, 12 bytes each; there are fewer if queries with fewer members would exceed this."""
BLOCK = 512
PREPARED_ROWS = 4_000
"""Rows up to which sums are prepared: the preparation has a number for each pair of rows."""
FEW_SUMS = 4
"""So few are faster without preparation."""


def summing(matrix: sparse.csr_array, sums: int) -> Callable[[Floats], Floats]:
    """Choose how to sum normal matrices of one matrix a number of times."""
    if sums <= FEW_SUMS or matrix.shape[1] > PREPARED_ROWS:
        return partial(normal_matrix, matrix)
    return NormalMatrix(matrix)


def normal_matrix(matrix: sparse.csr_array, weights: Floats) -> Floats:
    """Sum weighted outer products of the queries; only the lower triangle is meant to be read."""
    rows = matrix.shape[1]
    total = np.zeros((rows, rows), order="F")
    is_large = np.diff(matrix.indptr) > MANY * rows
    large, small = np.flatnonzero(is_large), np.flatnonzero(~is_large)
    blocks = (large[start : start + BLOCK] for start in range(0, len(large), BLOCK))
    total = _add_large(total, ((some, matrix[some]) for some in blocks), weights)
    few = matrix[small]
    product = few.T.tocsr() @ (sparse.diags_array(weights[small]) @ few)
    for start in range(0, rows, BLOCK):
        total[start : start + BLOCK] += product[start : start + BLOCK].toarray()
    return total


def _add_large(total: Floats, blocks: Iterable[tuple[Ints, sparse.csr_array]], weights: Floats) -> Floats:
    """Add the outer products of queries with many members, a block of queries at a time."""
    for some, block in blocks:
        scaled = block.toarray() * np.sqrt(weights[some])[:, None]
        total = blas.dsyrk(1.0, scaled.T, beta=1.0, c=total, overwrite_c=1, lower=1)
    return total


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

    def __call__(self, weights: Floats) -> Floats:
        """Sum weighted outer products of the queries; only the lower triangle is meant to be read."""
        total: Floats = (self._pairs @ weights[self._small]).reshape(self.rows, self.rows).T
        return _add_large(total, zip(self._large, self._blocks, strict=True), weights)


def _few(sizes: Ints) -> int:
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
