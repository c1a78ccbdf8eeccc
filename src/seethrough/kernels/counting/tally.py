"""Counting released rows by cell and class, in one streaming pass.

Counts add up, so rows may come in any number of pieces and tables; the memory is that of the counts and of one piece.
Nothing is searched for: a set of columns is counted by one `bincount` over mixed-radix codes, and the cells of the
known records are picked from the histogram.

Two things are done before. Equal rows are folded into one with a weight, without sorting, where they are a fraction of
all. Rows that are too different for that meet covers: unions of sets of columns whose joint histogram, classes
included, stays small; the sets inside are counted from its occupied entries.

Seconds for 10^6 ACS rows of which one in forty is different, 15 columns, one thread:

    sets of       one bincount a set    covers    folded
    2 columns     0.22                  0.05      0.05
    3 columns                           0.17      0.08
    4 columns                           0.75      0.18

On two threads the first took 0.26: `bincount` holds the interpreter's lock, hence no threads here. Sorting rows in
order to fold them takes 0.07 alone. Covers of 2^14 and 2^18 codes took 0.07 and 0.10 for pairs.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from seethrough.kernels.arrays import Codes, Floats, Ints
from seethrough.kernels.counting.cells import Cells, Subset, joint_size, ranks
from seethrough.kernels.counting.packed_counts import PackedCounts, pack_subsets

PIECE = 1 << 20
"""Rows that are counted at a time."""
FEW = 1 << 12
"""Rows that are counted as they are, with many sets of columns together."""
COVER = 1 << 17
"""Largest joint histogram of a cover."""
DENSE = 1 << 16
"""A set of columns has a histogram if it is no larger than this or twice the rows; otherwise rows are looked up."""


@dataclass(frozen=True)
class Cover:
    """A union of sets of columns, small enough for one histogram, and the sets it serves."""

    columns: tuple[int, ...]
    subsets: tuple[int, ...]


def covers_of(subsets: Sequence[tuple[int, ...]], radices: Sequence[int], limit: int) -> list[Cover]:
    """Serve every set of columns by a union of at most `limit` codes; a set that is larger is served alone."""
    todo = {place: frozenset(columns) for place, columns in enumerate(subsets)}
    found: list[Cover] = []
    while todo:
        union = _grown(next(iter(todo.values())), list(todo.values()), radices, limit)
        served = tuple(place for place, columns in todo.items() if columns <= union)
        found.append(Cover(tuple(sorted(union)), served))
        todo = {place: columns for place, columns in todo.items() if place not in served}
    return found


def _grown(
    union: frozenset[int], open_sets: list[frozenset[int]], radices: Sequence[int], limit: int
) -> frozenset[int]:
    """Add the column that completes most open sets for the codes it costs, until none fits or completes any."""
    while True:
        size = joint_size(radices, union)
        fitting = [column for column in range(len(radices)) if column not in union and size * radices[column] <= limit]
        near = [columns for columns in open_sets if len(columns - union) == 1]
        gains = {column: sum(column in columns for columns in near) for column in fitting}
        if not gains or not any(gains.values()):
            return union
        union |= {max(gains, key=lambda column: (gains[column] / np.log(max(radices[column], 2)), column))}


def fold(columns: Sequence[Codes], secret: Codes, radices: Sequence[int]) -> tuple[Ints, Floats] | None:
    """Find one row of each kind and how often it comes, without sorting; None where that would not pay.

    Column after column is added to a mixed-radix code. Where its range outgrows the rows, codes are replaced by their
    ranks among those that occur. It pays where no more than a quarter of the rows differ and ranges stay small.
    """
    rows = len(secret)
    # A range never exceeds four times the rows, which are those of one piece.
    codes, size = secret.astype(np.int32), int(secret.max()) + 1
    for column, radix in zip(columns, radices, strict=True):
        if size * radix > rows:
            occurs = np.zeros(size, np.bool_)
            occurs[codes] = True
            codes, size = (np.cumsum(occurs, dtype=np.int32) - 1)[codes], int(np.count_nonzero(occurs))
            if size * radix > 4 * rows or size > rows // 4:
                return None
        codes *= np.int32(radix)
        codes += column.astype(np.int32, copy=False)
        size *= radix
    counts = np.bincount(codes, minlength=size)
    occupied = np.flatnonzero(counts)
    if len(occupied) > rows // 4:
        return None
    last = np.zeros(size, np.int64)
    last[codes] = np.arange(rows)
    return last[occupied], counts[occupied].astype(np.float64)


class Tally:
    """Counts of released rows: `counts` has one row for each cell and one column for each class.

    `rows` have been counted; `seen` is for the caller, who may leave out rows before.
    """

    def __init__(self, cells: Cells, classes: int) -> None:
        """Begin with nothing counted."""
        self.cells = cells
        self.classes = classes
        self.rows = 0
        self.seen = 0
        self.counts: Ints = np.zeros((len(cells), classes), np.int64)

    def plus(self, other: "Tally") -> "Tally":
        """Add what was counted of other rows."""
        found = Tally(self.cells, self.classes)
        found.counts, found.rows = self.counts + other.counts, self.rows + other.rows
        found.seen = self.seen + other.seen
        return found

    @cached_property
    def _covers(self) -> list[Cover]:
        wanted = [subset.columns for subset in self.cells.subsets]
        return covers_of(wanted, self.cells.radices, max(COVER // self.classes, 1))

    def add(self, columns: Sequence[Codes], secret: Codes) -> None:
        """Count further rows: the codes of their columns and their classes, by position."""
        for start in range(0, len(secret), PIECE):
            piece = slice(start, start + PIECE)
            self._add_piece([column[piece] for column in columns], secret[piece])
        self.rows += len(secret)

    def _add_piece(self, columns: list[Codes], secret: Codes) -> None:
        weights = None
        if len(secret) > FEW and (folded := fold(columns, secret, self.cells.radices)):
            rows, weights = folded
            columns, secret = [column[rows] for column in columns], secret[rows]
        if len(secret) <= FEW:
            self._count_few(columns, secret, weights)
            return
        if len(secret) < COVER:  # a histogram that is larger than the piece saves nothing
            for subset in self.cells.subsets:
                self._count(subset, columns, secret, weights)
            return
        for cover in self._covers:
            some, classes, heights = columns, secret, weights
            if len(cover.subsets) > 1 and joint_size(self.cells.radices, cover.columns) * self.classes <= COVER:
                some, classes, heights = self._joint(cover, columns, secret, weights)
            for place in cover.subsets:
                self._count(self.cells.subsets[place], some, classes, heights)

    def _count_few(self, columns: list[Codes], secret: Codes, weights: Floats | None) -> None:
        for run in self._runs:
            if isinstance(run, Subset):
                self._count(run, columns, secret, weights)
            else:
                counts = run.counts(columns, secret, weights)
                first = run.subsets[0].first
                self.counts[first : first + len(counts)] += counts

    @cached_property
    def _runs(self) -> list[PackedCounts | Subset]:
        return pack_subsets(self.cells.subsets, self.classes)

    def _joint(
        self, cover: Cover, columns: list[Codes], secret: Codes, weights: Floats | None
    ) -> tuple[list[Codes], Codes, Floats]:
        """Replace rows by the occupied entries of their joint histogram."""
        sizes = [self.cells.radices[column] for column in cover.columns]
        codes = np.zeros(len(secret), np.int32)
        for column, size in zip(cover.columns, sizes, strict=True):
            codes *= np.int32(size)
            codes += columns[column]
        codes *= np.int32(self.classes)
        codes += secret
        histogram = np.bincount(codes, weights)
        occupied = np.flatnonzero(histogram)
        *values, classes = np.unravel_index(occupied, (*sizes, self.classes))
        rows: list[Codes] = [np.empty(0, np.int64)] * len(columns)
        for column, value in zip(cover.columns, values, strict=True):
            rows[column] = value
        return rows, classes, histogram[occupied].astype(np.float64)

    def _count(self, subset: Subset, columns: list[Codes], secret: Codes, weights: Floats | None) -> None:
        codes, cells = subset.codes_of(columns), len(subset.codes)
        if subset.size * self.classes <= max(DENSE, 2 * len(codes)):
            entries, wanted, size = codes, subset.codes, subset.size
        else:
            entries, wanted, size = ranks(subset.codes, codes), np.arange(cells), cells + 1
        entries = entries * entries.dtype.type(self.classes) + secret.astype(entries.dtype, copy=False)
        histogram = np.bincount(entries, weights, size * self.classes).reshape(size, self.classes)
        # A piece has fewer than 2^53 rows, so sums of weights are whole numbers.
        self.counts[subset.first : subset.first + cells] += histogram[wanted].astype(np.int64, copy=False)
