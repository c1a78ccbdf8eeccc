"""All 3-way marginals of relaxed rows, as a few matrix products.

A relaxed row has a probability for each value of each column; a record is a relaxed row of zeros and ones. The values
of all columns stand below each other, so relaxed rows are the columns of a matrix, and a query is three values
a < b < c of three different columns: its answer is the mean over rows of p_a p_b p_c.

Queries are ordered by the column of b. For one such column the products p_a p_b of all values before it with its own,
times the values after it, are one matrix product that answers all its queries: 16 columns need 14 products, where 560
marginals one by one, or 140,000 queries one by one, read the same rows again and again.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from seethrough.errors import ConfigError
from seethrough.kernels.arrays import Ints

Matrix = npt.NDArray[np.float32]

LEAST_COLUMNS = 3
MOST_QUERIES = 30_000_000
"""A step over so many takes about a second, and two thousand of them half an hour."""
PRODUCTS_AT_ONCE = 1 << 22
"""Numbers in a block of products p_a p_b: 16 MiB."""
RECORDS_AT_ONCE = 1 << 12


@dataclass(frozen=True, eq=False)
class ThreeWayQueries:
    """The queries of columns with so many values each."""

    sizes: tuple[int, ...]

    def __post_init__(self) -> None:
        """Refuse what has no 3-way marginals, and what has too many."""
        if len(self.sizes) < LEAST_COLUMNS:
            raise ConfigError(f"3-way marginals need 3 columns; there are {len(self.sizes)}")
        if self.count > MOST_QUERIES:
            raise ConfigError(
                f"the columns have {self.count:,} combinations of three values, of which at most {MOST_QUERIES:,} can "
                "be fitted; leave out columns with many values, or take fewer bins"
            )

    @cached_property
    def starts(self) -> Ints:
        """Where the values of each column begin, and where the last ends."""
        return np.concatenate([[0], np.cumsum(self.sizes)]).astype(np.int64)

    @property
    def width(self) -> int:
        """How many values all columns have."""
        return int(self.starts[-1])

    @cached_property
    def offsets(self) -> Ints:
        """Where the queries of each column in the middle begin, and where the last end."""
        middle = np.arange(1, len(self.sizes) - 1)
        before, after = self.starts[middle], self.width - self.starts[middle + 1]
        return np.concatenate([[0], np.cumsum(before * np.array(self.sizes)[middle] * after)]).astype(np.int64)

    @property
    def count(self) -> int:
        """How many queries there are."""
        return int(self.offsets[-1])

    def values(self, queries: Ints) -> tuple[Ints, Ints, Ints]:
        """Give the three values of queries."""
        block = np.searchsorted(self.offsets, queries, side="right") - 1
        size = np.array(self.sizes)[block + 1]
        after = self.starts[block + 2]
        pair, last = np.divmod(queries - self.offsets[block], self.width - after)
        first, middle = np.divmod(pair, size)
        return first, self.starts[block + 1] + middle, after + last

    def sums(self, rows: Matrix) -> Matrix:
        """Add up p_a p_b p_c over relaxed rows, which are the columns of `rows`."""
        found = np.empty(self.count, np.float32)
        pairs = int((self.starts[1:-2] * np.array(self.sizes[1:-1])).max())
        least = max(self.sizes) * rows.shape[1]
        room = np.empty(min(max(PRODUCTS_AT_ONCE, least), pairs * rows.shape[1]), np.float32)
        for column, block in enumerate(self._blocks(found), 1):
            own, later = rows[self.starts[column] : self.starts[column + 1]], rows[self.starts[column + 1] :].T
            step = max(1, PRODUCTS_AT_ONCE // own.size)
            for start in range(0, len(block), step):
                earlier = rows[start : min(start + step, int(self.starts[column]))]
                products = room[: len(earlier) * own.size].reshape(len(earlier), *own.shape)
                np.multiply(earlier[:, None], own, out=products)
                part = block[start : start + step].reshape(-1, block.shape[2])
                np.matmul(products.reshape(-1, rows.shape[1]), later, out=part)
        return found

    def marginals(self, cells: npt.NDArray[np.integer]) -> Matrix:
        """Answer all queries on records, given by the value of each column; the counts are exact."""
        total = np.zeros(self.count)
        for start in range(0, len(cells), RECORDS_AT_ONCE):
            total += self.sums(self._indicators(cells[start : start + RECORDS_AT_ONCE]))
        return (total / len(cells)).astype(np.float32)

    def largest(self, errors: Matrix) -> Matrix:
        """Give the largest absolute error of each marginal, in the order of `columns`."""
        found = []
        for column, block in enumerate(self._blocks(np.abs(errors)), 1):
            first = np.maximum.reduceat(block.max(axis=1), self.starts[:column], axis=0)
            found.append(np.maximum.reduceat(first, self.starts[column + 1 : -1] - self.starts[column + 1], axis=1))
        return np.concatenate([part.ravel() for part in found])

    @cached_property
    def columns(self) -> tuple[tuple[int, int, int], ...]:
        """The three columns of each marginal."""
        places = range(len(self.sizes))
        return tuple((i, j, k) for j in places[1:-1] for i in places[:j] for k in places[j + 1 :])

    def queries(self, marginal: int) -> Ints:
        """List the queries of one marginal."""
        i, j, k = self.columns[marginal]
        after = self.starts[j + 1]
        first = np.arange(self.starts[i], self.starts[i + 1])[:, None, None]
        last = np.arange(self.starts[k], self.starts[k + 1]) - after
        pair = first * self.sizes[j] + np.arange(self.sizes[j])[:, None]
        found: Ints = (self.offsets[j - 1] + pair * (self.width - after) + last).ravel()
        return found

    def _blocks(self, answers: Matrix) -> Iterator[Matrix]:
        """Show the queries of each column in the middle by its values and those before and after."""
        for place, (start, end) in enumerate(zip(self.offsets[:-1], self.offsets[1:], strict=True)):
            yield answers[start:end].reshape(self.starts[place + 1], self.sizes[place + 1], -1)

    def _indicators(self, cells: npt.NDArray[np.integer]) -> Matrix:
        rows: Matrix = np.zeros((self.width, len(cells)), np.float32)
        for start, column in zip(self.starts[:-1], cells.T, strict=True):
            rows[start + column, np.arange(len(cells))] = 1
        return rows


def pad_sizes(sizes: tuple[int, ...]) -> tuple[int, ...]:
    """Add columns of one value until there are three: their 3-way marginals are those of the columns there are."""
    return sizes + (1,) * (LEAST_COLUMNS - len(sizes))
