"""Cells: who among the known records shares which values, for every small set of columns.

For a set A of columns a cell is a combination of values that some known record has in A. Records with equal values in
all columns are one row here and carry their multiplicity. Combinations that no known record has are never built: they
constrain nothing.

Columns come as codes. `coding_of` makes them: a category that no known record has becomes the last code, which is in no
cell; a number keeps its value where the known records share few, as ages, and otherwise becomes one of at most ten
bins, cut at the observed deciles of the known records (`bins`); missing is a code like any other. A set of columns has
one mixed-radix code for each row. Where 62 bits would not hold it, the columns so far are replaced by their rank among
the known records, which is exact because all that is unknown may share one rank.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from math import prod

import numpy as np
import numpy.typing as npt
from scipy import sparse

from seethrough.kernels.arrays import Bools, Codes, Floats, Ints, Values
from seethrough.kernels.counting.bins import cut, decile_edges, known_numbers
from seethrough.kernels.counting.grouping import LIMIT, combine

Places = npt.NDArray[np.int32]

FEW_VALUES = 100
SHARED_BY = 4
"""A number with at most so many values, each shared by so many known records in the mean, is not cut."""
SMALL = 1 << 12
"""Range of codes that are told apart by marking those that occur."""


@dataclass(frozen=True, eq=False)
class Coding:
    """How the values of one column become codes below `radix`; `edges` cut numbers, `lookup` translates categories."""

    radix: int
    edges: Floats | None
    lookup: Codes

    @cached_property
    def _gapless(self) -> int | None:
        """Give the first of the known levels, if they follow each other without a gap."""
        first = len(self.lookup) - self.radix
        return first if first >= 0 and (self.lookup[first:-1] == np.arange(self.radix - 1)).all() else None

    def codes(self, values: Values) -> Codes:
        """Translate values of any table."""
        if self.edges is None:
            first, kind = self._gapless, values.dtype
            if first is not None and kind.kind == "u" and len(self.lookup) < 256**kind.itemsize:
                # Levels below the first wrap round to large numbers, so all that is unknown becomes the last code.
                shifted = values - kind.type(first)  # type: ignore[operator]
                return np.asarray(np.minimum(shifted, kind.type(self.radix - 1)), self.lookup.dtype)
            return np.asarray(np.take(self.lookup, values.astype(np.int64, copy=False), mode="clip"))
        return cut(values.astype(np.float64, copy=False), self.edges)


def coding_of(known: Values) -> Coding:
    """Make the codes of a column from the values that the known records have."""
    if known.dtype.kind == "f":
        numbers = known_numbers(known)
        # Uncut, what lies above the known maximum joins its bin.
        edges = decile_edges("observed deciles", numbers) if is_cut(known) else np.unique(numbers)[:-1]
        return Coding(len(edges) + 2, edges, np.empty(0, np.uint8))
    levels = np.unique(known).astype(np.int64)
    lookup = np.full(int(levels.max(initial=-1)) + 2, len(levels), np.min_scalar_type(len(levels)))
    lookup[levels] = np.arange(len(levels))
    return Coding(len(levels) + 1, None, lookup)


def is_cut(known: Values) -> bool:
    """Tell whether a column has numbers that known records hardly share."""
    if known.dtype.kind != "f":
        return False
    numbers = known_numbers(known)
    return len(numbers) > 0 and len(np.unique(numbers)) > min(FEW_VALUES, len(numbers) // SHARED_BY)


@dataclass(frozen=True, eq=False)
class Subset:
    """A set of columns and its cells: `codes` are theirs, ascending, `first` is the number of the first of them.

    `ranked` has, for each column, None or the codes of the columns before it, by whose ranks they are replaced.
    """

    columns: tuple[int, ...]
    radices: tuple[int, ...]
    ranked: tuple[Ints | None, ...]
    codes: Ints
    first: int

    @property
    def size(self) -> int:
        """Give a bound of all codes."""
        size = 1
        for radix, prefixes in zip(self.radices, self.ranked, strict=True):
            size = (size if prefixes is None else len(prefixes) + 1) * radix
        return size

    def codes_of(self, columns: Sequence[Codes]) -> Codes:
        """Give each row its code; `columns` are all columns."""
        kind = np.int32 if self.size < 1 << 31 else np.int64
        total: Codes = columns[self.columns[0]].astype(kind)
        for column, radix, prefixes in zip(self.columns[1:], self.radices[1:], self.ranked[1:], strict=True):
            total = total if prefixes is None else ranks(prefixes, total).astype(kind)
            total *= kind(radix)
            total += columns[column].astype(kind, copy=False)
        return total


def ranks(known: Ints, codes: Codes) -> Ints:
    """Find the place of each code among ascending ones; what is not among them gets the place after the last."""
    places = np.searchsorted(known, codes)
    found = known[np.minimum(places, len(known) - 1)] == codes
    return np.where(found, places, len(known))


def _subset(
    columns: tuple[int, ...], rows: Sequence[Codes], radices: Sequence[int], first: int
) -> tuple[Subset, Codes]:
    """Find the cells of a set of columns, and the place of each row among them."""
    own = tuple(radices[column] for column in columns)
    ranked: list[Ints | None] = [None]
    size, start = own[0], 0
    for place, radix in enumerate(own[1:], 1):
        prefixes = None
        if size * radix > LIMIT:
            before = Subset(columns[:place], own[:place], tuple(ranked), np.empty(0, np.int64), start)
            prefixes = np.unique(before.codes_of(rows)).astype(np.int64)
            size = len(prefixes) + 1
        ranked.append(prefixes)
        size *= radix
    subset = Subset(columns, own, tuple(ranked), np.empty(0, np.int64), first)
    codes, places = tell_apart(subset.codes_of(rows), subset.size)
    return replace(subset, codes=codes), places


def tell_apart(codes: Codes, size: int) -> tuple[Ints, Ints]:
    """Find the different codes, ascending, and the place of each one among them; all are below `size`."""
    if size > max(len(codes), SMALL):
        different, places = np.unique(codes, return_inverse=True)
        return different.astype(np.int64), places
    occurs = np.zeros(size, np.bool_)
    occurs[codes] = True
    return np.flatnonzero(occurs), (np.cumsum(occurs) - 1)[codes]


@dataclass(frozen=True, eq=False)
class Cells:
    """All cells of several sets of columns, numbered through.

    `members` has one row for each different record and one column for each set: the number of its cell, -1 where that
    cell is not asked about. `weights` says how many records a row stands for, `row_of` which row a record is, `sizes`
    how many records a cell has, `levels` the codes of the rows, column by column.
    """

    subsets: tuple[Subset, ...]
    radices: tuple[int, ...]
    members: Places
    weights: Ints
    row_of: Ints
    sizes: Ints
    levels: tuple[Codes, ...]

    def __len__(self) -> int:
        """Count the cells."""
        return len(self.sizes)

    def among(self, weights: Ints) -> "Cells":
        """Keep the same cells, which may then be empty, of other people: `weights` says how many a row stands for."""
        kept = np.flatnonzero(weights)
        place = np.full(len(weights), -1)
        place[kept] = np.arange(len(kept))
        sets = self.members[kept]
        return replace(
            self,
            members=sets,
            weights=weights[kept],
            row_of=place[self.row_of],
            sizes=_cell_sizes(sets, weights[kept], len(self)),
            levels=tuple(codes[kept] for codes in self.levels),
        )

    def matrix(self) -> sparse.csr_array:
        """Give the 0/1 matrix with a row for each cell and a column for each different record."""
        asked = self.members >= 0
        ends = np.concatenate([[0], np.cumsum(asked.sum(axis=1))])
        if ends[-1] < 1 << 31:
            ends = ends.astype(np.int32)  # solvers are faster with small numbers
        entries = np.ones(int(ends[-1]))
        by_row = sparse.csr_array((entries, self.members[asked], ends), shape=(len(self.members), len(self)))
        return by_row.T.tocsr()


def _cell_sizes(members: Places, weights: Ints, cells: int) -> Ints:
    """Count the records of each cell; what is not asked about is counted apart, before the first."""
    each = None if (weights == 1).all() else np.repeat(weights, members.shape[1])
    return np.bincount((members + np.int32(1)).ravel(), each, cells + 1)[1:].astype(np.int64)


def subsets_of(columns: int, width: int) -> list[tuple[int, ...]]:
    """List all sets of `width` columns."""
    return list(combinations(range(columns), width))


def cells_of(columns: Sequence[Codes], radices: Sequence[int], subsets: Iterable[tuple[int, ...]]) -> Cells:
    """Find the cells of the known records for each set of columns; `columns` are their codes, each below its radix."""
    _, first, row_of, weights = np.unique(combine(columns), return_index=True, return_inverse=True, return_counts=True)
    rows = [column[first] for column in columns]
    found: list[Subset] = []
    members: list[Places] = []
    start = 0
    for wanted in subsets:
        subset, places = _subset(wanted, rows, radices, start)
        members.append((start + places).astype(np.int32))
        found.append(subset)
        start += len(subset.codes)
    table = np.ascontiguousarray(np.stack(members).T)
    return Cells(tuple(found), tuple(radices), table, weights, row_of, _cell_sizes(table, weights, start), tuple(rows))


def sample_cells(cells: Cells, count: int, rng: np.random.Generator) -> Cells:
    """Ask about `count` cells only, drawn at random without replacement; sets of columns without any are left out."""
    if count >= len(cells):
        return cells
    asked = np.zeros(len(cells), np.bool_)
    asked[rng.choice(len(cells), count, replace=False)] = True
    return keep_cells(cells, asked)


def keep_cells(cells: Cells, asked: Bools) -> Cells:
    """Ask about these cells only; sets of columns without any are left out."""
    number = np.append(np.where(asked, np.cumsum(asked) - 1, -1), -1).astype(np.int32)
    before = np.concatenate([[0], np.cumsum(asked)])
    kept: list[Subset] = []
    places: list[int] = []
    for place, subset in enumerate(cells.subsets):
        mine = asked[subset.first : subset.first + len(subset.codes)]
        if mine.any():
            kept.append(replace(subset, codes=subset.codes[mine], first=int(before[subset.first])))
            places.append(place)
    return replace(cells, subsets=tuple(kept), members=number[cells.members[:, places]], sizes=cells.sizes[asked])


def joint_size(radices: Sequence[int], columns: Iterable[int]) -> int:
    """Count the codes that several columns have together."""
    return prod(radices[column] for column in columns)
