"""The 0/1 matrix of cells of pairs of columns as a product of two that have fewer entries.

Of every column the most frequent level is left out. Sums over all records, over the records of each other level, and
over those of each pair of other levels determine the sums over all cells of pairs: those with a level left out follow
by subtraction, as the cells of a table follow from its margins. A record is in as many cells as there are pairs of
columns, but in a pair of other levels only where neither of its levels is the frequent one.

Of 11,400 records of a census table with 32 columns the matrix has 5.7 million entries, the two factors 1.6 million.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from scipy import sparse

from seethrough.kernels.arrays import Codes, Floats, Ints
from seethrough.kernels.counting.cells import Cells, Subset, tell_apart

WORTH = 0.7
"""Share of the entries up to which two products are faster than one."""


def pair_factors(cells: Cells) -> tuple[sparse.csr_array, ...]:
    """Give matrices whose product is that of the cells, from left to right; one where two would not be faster."""
    whole = int(np.count_nonzero(cells.members >= 0))
    factors = _Factors(cells)
    for place, subset in enumerate(cells.subsets):
        if len(subset.columns) == 2:
            factors.add_pair(subset)
        else:
            factors.add_other(cells.members[:, place])
        if factors.entries > WORTH * whole:
            return (cells.matrix(),)
    return factors.outer(), factors.inner()


@dataclass(eq=False)
class _Entries:
    """Entries of a sparse matrix, collected part by part."""

    rows: list[Ints] = field(default_factory=list)
    columns: list[Ints] = field(default_factory=list)
    values: list[Floats] = field(default_factory=list)
    count: int = 0

    def add(self, rows: Ints, columns: Ints, values: Floats | None = None) -> None:
        self.rows.append(rows)
        self.columns.append(columns)
        self.values.append(np.ones(len(rows)) if values is None else values)
        self.count += len(rows)

    def matrix(self, shape: tuple[int, int]) -> sparse.csr_array:
        parts = (np.concatenate([*each, np.empty(0, kind)]) for each, kind in self._parts())
        rows, columns, values = parts
        return sparse.csr_array((values, (rows.astype(np.int32), columns.astype(np.int32))), shape=shape)

    def _parts(self) -> list[tuple[list[Ints] | list[Floats], type]]:
        return [(self.rows, np.int64), (self.columns, np.int64), (self.values, np.float64)]


class _Factors:
    """Sums over records (`sums`: a row a sum), and how cells are made of them (`made`: a row a cell)."""

    def __init__(self, cells: Cells) -> None:
        self.cells, self.sums, self.made = cells, _Entries(), _Entries()
        self.everybody = np.arange(len(cells.members))
        self.sums.add(np.zeros(len(self.everybody), np.int64), self.everybody)
        self.known = 1
        self.singles: dict[int, Ints] = {}
        self.frequent: dict[int, int] = {}

    @property
    def entries(self) -> int:
        """Count what both products go through."""
        return self.sums.count + self.made.count

    def inner(self) -> sparse.csr_array:
        """Give the matrix of sums over records."""
        return self.sums.matrix((self.known, len(self.everybody)))

    def outer(self) -> sparse.csr_array:
        """Give the matrix that makes cells of sums."""
        return self.made.matrix((len(self.cells), self.known))

    def add_other(self, members: Codes) -> None:
        """Sum over the records of each cell of a set of any columns."""
        asked = np.flatnonzero(members >= 0)
        different, place = np.unique(members[asked], return_inverse=True)
        self.sums.add(self.known + place, asked)
        self.made.add(different.astype(np.int64), self.known + np.arange(len(different)))
        self.known += len(different)

    def add_pair(self, subset: Subset) -> None:
        """Make the cells of two columns of the sums over both, over each, and over everybody."""
        first, second = subset.columns
        radix = subset.radices[1]
        ones, others = self._level_sums(first, subset.radices[0]), self._level_sums(second, radix)
        usual, other_usual = self.frequent[first], self.frequent[second]
        mine, theirs = self.cells.levels[first], self.cells.levels[second]
        rare = np.flatnonzero((mine != usual) & (theirs != other_usual))
        codes, place = tell_apart(mine[rare].astype(np.int64) * radix + theirs[rare], subset.radices[0] * radix)
        pairs = self.known + np.arange(len(codes))
        self.sums.add(self.known + place, rare)
        self.known += len(codes)
        cell = np.full(subset.radices[0] * radix, -1)
        cell[subset.codes] = subset.first + np.arange(len(subset.codes))
        i, j = np.divmod(codes, radix)
        here, there = np.flatnonzero(ones >= 0), np.flatnonzero(others >= 0)
        margins = ((usual * radix + there, others[there]), (here * radix + other_usual, ones[here]))
        both, total = usual * radix + other_usual, np.zeros(1, np.int64)
        self._make(
            cell,
            added=((codes, pairs), *margins, (both, pairs), (both, total)),
            taken=(
                (usual * radix + j, pairs),
                (i * radix + other_usual, pairs),
                (both, ones[here]),
                (both, others[there]),
            ),
        )

    def _make(
        self, cell: Ints, *, added: Sequence[tuple[Ints | int, Ints]], taken: Sequence[tuple[Ints | int, Ints]]
    ) -> None:
        """Add sums to cells and take others from them, where the cells (by their codes) are asked about."""
        pairs = [np.broadcast_arrays(codes, sums) for codes, sums in (*added, *taken)]
        cells, sums = cell[np.concatenate([codes for codes, _ in pairs])], np.concatenate([each for _, each in pairs])
        signs = np.ones(len(cells))
        signs[sum(len(each) for _, each in pairs[: len(added)]) :] = -1.0
        asked = cells >= 0
        self.made.add(cells[asked], sums[asked], signs[asked])

    def _level_sums(self, column: int, radix: int) -> Ints:
        """Give the place of the sum over each level of a column, -1 for the frequent one and those that nobody has."""
        if column not in self.singles:
            levels = self.cells.levels[column].astype(np.int64)
            counts = np.bincount(levels, minlength=radix)
            self.frequent[column] = int(np.argmax(counts))
            counts[self.frequent[column]] = 0
            present = np.flatnonzero(counts)
            place = np.full(radix, -1)
            place[present] = self.known + np.arange(len(present))
            rare = np.flatnonzero(place[levels] >= 0)
            self.sums.add(place[levels[rare]], rare)
            self.known += len(present)
            self.singles[column] = place
        return self.singles[column]
