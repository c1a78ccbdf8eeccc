"""How many rows of a release fall into each cell of each column, also by block of rows, by one pass in any chunks."""

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from seethrough.data.table import Array, Table
from seethrough.kernels.arrays import Codes, Floats, Ints
from seethrough.kernels.counting.bins import bin_numbers


class CellCoding(Protocol):
    """Which cell a value of a column falls into; a value that can be sent elsewhere."""

    def codes(self, values: Array) -> Codes:
        """Tell the cells of values by number."""
        ...


@dataclass(frozen=True)
class LevelCells:
    """CellCoding: a level is a cell."""

    def codes(self, values: Array) -> Codes:
        """Give the codes of levels."""
        return values  # type: ignore[return-value]


@dataclass(frozen=True, eq=False)
class EqualWidthCells:
    """CellCoding: bins of equal width between two ends; `ends` is empty where no number is known."""

    ends: Floats
    bins: int

    def codes(self, values: Array) -> Codes:
        """Bin numbers."""
        return bin_numbers("equal width", self.ends, values, self.bins)[1]


@dataclass(frozen=True, eq=False)
class RankCells:
    """CellCoding: all values that occur, ascending, missing last, and the cell of each."""

    values: Floats
    cells: Ints

    def codes(self, values: Array) -> Codes:
        """Look numbers up."""
        return self.cells[np.searchsorted(self.values, values.astype(np.float64))]


@dataclass(frozen=True, eq=False)
class CellsInChunks:
    """The cells of one column of a table that is read in chunks: numbered by a coding, then anew by `numbers`."""

    table: Table
    place: int
    coding: CellCoding
    numbers: Codes


@dataclass(frozen=True, eq=False)
class CellCountsPass:
    """Pass: how many rows have which code, column by column."""

    codings: tuple[CellCoding, ...]

    def partial(self, rows: Table, before: int, hint: Floats | None) -> tuple[Ints, ...]:
        """Count a chunk."""
        pairs = zip(self.codings, rows.columns, strict=True)
        return tuple(np.bincount(coding.codes(values)) for coding, values in pairs)

    def merge(self, first: tuple[Ints, ...], second: tuple[Ints, ...]) -> tuple[Ints, ...]:
        """Add up."""
        return tuple(map(_added, first, second))

    def hint(self, state: tuple[Ints, ...]) -> Floats | None:
        """Say nothing."""
        return None


def _added(first: Ints, second: Ints) -> Ints:
    found = np.zeros(max(len(first), len(second)), np.int64)
    found[: len(first)] += first
    found[: len(second)] += second
    return found


@dataclass(frozen=True, eq=False)
class BlockCountsPass:
    """Pass: how many rows of each block fall into which cell, column by column; `blocks` has the block of every row."""

    columns: tuple[tuple[int, CellCoding, Codes], ...]
    sizes: tuple[int, ...]
    blocks: Codes
    count: int

    def partial(self, rows: Table, before: int, hint: Floats | None) -> tuple[Ints, ...]:
        """Count a chunk."""
        block = self.blocks[before : before + len(rows)].astype(np.int64)
        found = []
        for (place, coding, numbers), size in zip(self.columns, self.sizes, strict=True):
            cells = block * size + numbers[coding.codes(rows.columns[place])]
            found.append(np.bincount(cells, minlength=self.count * size).reshape(self.count, size))
        return tuple(found)

    def merge(self, first: tuple[Ints, ...], second: tuple[Ints, ...]) -> tuple[Ints, ...]:
        """Add up."""
        return tuple(a + b for a, b in zip(first, second, strict=True))

    def hint(self, state: tuple[Ints, ...]) -> Floats | None:
        """Say nothing."""
        return None
