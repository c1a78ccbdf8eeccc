"""Single columns of two tables: how many rows fall into each cell, and how far that is a matter of chance.

Cells are shared by both tables. A category has a cell for each level that either table holds, a number or a date one
for each bin of equal width over the range of the first table (`kernels/counting/bins.py`), and missing has one.

The interval of a mean over columns says how far redrawing the rows of both tables, at their sizes, moves the mean
about the value that redrawing gives on average. A bootstrap of a distance is biased: resampling adds its own noise to
that of the sample, so resampled tables lie further apart than the tables themselves. Hence only the spread of the
resampled means about their own mean is taken, the longer side of it, and laid to both sides of the value found. Whole
blocks of rows are resampled, up to a hundred drawn at random, so columns that go together stay together, and the cost
is that of the cells. The cells themselves are held fixed.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Generic

import numpy as np

from seethrough.bench.bench import Bench, P
from seethrough.bench.passes.column_cells import (
    BlockCountsPass,
    CellCoding,
    CellCountsPass,
    CellsInChunks,
    EqualWidthCells,
    LevelCells,
)
from seethrough.data.chunked.chunked_table import ChunkedTable
from seethrough.data.schema import Column
from seethrough.data.table import Array, Table
from seethrough.errors import ConfigError
from seethrough.kernels.arrays import Codes, Floats, Ints
from seethrough.kernels.counting.bins import BINS, bin_numbers, cut, decile_edges, known_numbers
from seethrough.kernels.statistics.intervals import wilson
from seethrough.results.estimate import Estimate
from seethrough.results.outcome import Value

RESAMPLES = 200
BLOCKS = 100
MOST_BINS = 1_000_000
AT_ONCE = 1 << 20
"""Cells times resamples that are held in memory together."""

Compared = Callable[[Floats, Floats], Floats]
"""From the counts of both tables, cells along the last axis, to one number for each pair of rows."""


@dataclass(frozen=True, eq=False)
class Marginal:
    """One column: the cell of every row of both tables, and how many rows each cell has; no cell is empty in both.

    Of a second table that is read in chunks no row is there; `there` says how its rows get their cells.
    """

    name: str
    cells: tuple[Codes, Codes]
    counts: tuple[Floats, Floats]
    there: CellsInChunks | None = None


@dataclass(frozen=True)
class Marginals(Generic[P]):
    """Request: every used column of two tables, counted over shared cells; `first` is the table that sets the bins."""

    first: P
    second: P
    bins: int = BINS

    def compute(self, bench: Bench[P]) -> tuple[Marginal, ...]:
        """Count each column once."""
        first, second = bench.whole(self.first), bench.table(self.second)
        if isinstance(second, ChunkedTable):
            codings = [self._coding(*pair) for pair in zip(first.schema.used, first.columns, strict=True)]
            return count_in_chunks(first, second, codings)
        columns = zip(first.schema.used, first.columns, second.columns, strict=True)
        return tuple(self._counted(column, mine, others) for column, mine, others in columns)

    def _coding(self, column: Column, mine: Array) -> CellCoding:
        if column.kind.has_levels:
            return LevelCells()
        known = known_numbers(mine)
        return EqualWidthCells(np.array([known.min(), known.max()]) if len(known) else known, self.bins)

    def _counted(self, column: Column, mine: Array, others: Array) -> Marginal:
        if not column.kind.has_levels:
            mine, others = bin_numbers("equal width", mine, others, self.bins)
        return count_values(column.name, mine, others)


@dataclass(frozen=True)
class ColumnEntropies(Generic[P]):
    """Request: the Shannon entropy of each used column of a table, in nats.

    A category counts by its levels, a number by its observed deciles with the largest value apart. Missing is a cell.
    """

    part: P

    def compute(self, bench: Bench[P]) -> Floats:
        """Count each column once."""
        table: Table = bench.whole(self.part)
        return np.array(
            [_entropy(column, values) for column, values in zip(table.schema.used, table.columns, strict=True)]
        )


def count_values(name: str, first: Array, second: Array) -> Marginal:
    """Count the codes of one column in two tables, and number anew those that occur."""
    size = int(max(first.max(initial=0), second.max(initial=0))) + 1
    counts = [np.bincount(codes, minlength=size) for codes in (first, second)]
    occurs = counts[0] + counts[1] > 0
    numbers = (np.cumsum(occurs) - 1).astype(np.min_scalar_type(size))
    mine, others = (count[occurs].astype(np.float64) for count in counts)
    return Marginal(name, (numbers[first], numbers[second]), (mine, others))


def count_in_chunks(first: Table, second: ChunkedTable, codings: Sequence[CellCoding]) -> tuple[Marginal, ...]:
    """Count all columns in one pass over the second table, and number anew the codes that occur."""
    found = second.fold(CellCountsPass(tuple(codings)))
    columns = zip(first.schema.used, codings, first.columns, found, strict=True)
    marginals = []
    for place, (column, coding, values, others) in enumerate(columns):
        codes = coding.codes(values)
        size = max(int(codes.max(initial=0)) + 1, len(others))
        counts = np.bincount(codes, minlength=size), np.append(others, np.zeros(size - len(others), np.int64))
        occurs = counts[0] + counts[1] > 0
        numbers = (np.cumsum(occurs) - 1).astype(np.min_scalar_type(size))
        mine, theirs = (count[occurs].astype(np.float64) for count in counts)
        there = CellsInChunks(second, place, coding, numbers)
        marginals.append(Marginal(column.name, (numbers[codes], numbers[:0]), (mine, theirs), there))
    return tuple(marginals)


def check_bins(bins: int, where: str) -> None:
    """Refuse a number of bins that is none, or of which the counts alone would fill the memory."""
    if not 1 <= bins <= MOST_BINS:
        raise ConfigError(f"parameter {where}.bins is {bins}; from 1 to {MOST_BINS:,} are expected")


def _entropy(column: Column, values: Array) -> float:
    codes = values
    if not column.kind.has_levels:
        edges = decile_edges("observed deciles, top apart", known_numbers(values))
        codes = cut(values.astype(np.float64, copy=False), edges)
    counts = np.bincount(codes)
    shares = counts[counts > 0] / len(codes)
    return max(0.0, -float(shares @ np.log(shares)))


@dataclass(frozen=True, eq=False)
class Redraws:
    """How often each block of rows comes in each resample: the block of every row, and weights, for both tables.

    Of a second table that is read in chunks `counted` has the rows by block and cell, for each column.
    """

    blocks: tuple[Codes, Codes]
    weights: tuple[Floats, Floats]
    counted: Mapping[str, Ints]

    def apply(self, column: Marginal, compare: Compared) -> Floats:
        """Compare the two tables in one column, in every resample."""
        cells = len(column.counts[0])
        mine, others = (self._by_block(column, side).astype(np.float64) for side in (0, 1))
        step = max(1, AT_ONCE // cells)
        parts = (slice(start, start + step) for start in range(0, len(self.weights[0]), step))
        return np.concatenate([compare(self.weights[0][part] @ mine, self.weights[1][part] @ others) for part in parts])

    def _by_block(self, column: Marginal, side: int) -> Ints:
        """Count the rows of a table by block and cell."""
        if side == 1 and column.there is not None:
            return self.counted[column.name]
        cells = len(column.counts[0])
        places = self.blocks[side].astype(np.int64) * cells + column.cells[side]
        return np.bincount(places, minlength=self.weights[side].shape[1] * cells).reshape(-1, cells)


def redraws(columns: Sequence[Marginal], rng: np.random.Generator, resamples: int = RESAMPLES) -> Redraws:
    """Put the rows of either table into blocks, and draw as many blocks as there are, over and over."""
    sizes = [int(counts.sum()) for counts in columns[0].counts]
    in_turn = np.arange(BLOCKS, dtype=np.uint8)
    blocks = [rng.permutation(np.tile(in_turn, -(-size // BLOCKS))[:size]) for size in sizes]
    numbers = [min(size, BLOCKS) for size in sizes]
    weights = [rng.multinomial(number, np.full(number, 1 / number), resamples).astype(np.float64) for number in numbers]
    return Redraws((blocks[0], blocks[1]), (weights[0], weights[1]), _counted(columns, blocks[1], numbers[1]))


def _counted(columns: Sequence[Marginal], blocks: Codes, count: int) -> Mapping[str, Ints]:
    """Count rows of a table that is read in chunks by block and cell, all columns in one pass."""
    there = [column.there for column in columns if column.there is not None]
    if not there:
        return {}
    asked = tuple((each.place, each.coding, each.numbers) for each in there)
    sizes = tuple(len(column.counts[0]) for column in columns)
    found = there[0].table.fold(BlockCountsPass(asked, sizes, blocks, count))
    return dict(zip((column.name for column in columns), found, strict=True))


def mean_estimate(scores: Floats, redrawn: Floats, rows: int, confidence: float) -> Estimate:
    """Average the scores of the columns; `redrawn` has a row of resampled scores for each column.

    Where no resample differs the bootstrap would claim certainty; the score interval of a proportion among `rows`,
    which has the largest variance that a value in [0, 1] can have, does not.
    """
    value = min(1.0, max(0.0, float(scores.mean())))
    means = redrawn.mean(axis=0)
    if np.ptp(means) == 0:
        low, high = wilson(value * rows, rows, confidence)
    else:
        tails = np.quantile(means, [0.5 - confidence / 2, 0.5 + confidence / 2])
        reach = float(np.abs(tails - means.mean()).max())
        low, high = value - reach, value + reach
    return Estimate(value, max(0.0, min(low, value)), min(1.0, max(high, value)), confidence)


def most_different(columns: Sequence[Marginal], scores: Floats, values: Floats, what: str) -> dict[str, Value]:
    """Name the column of the lowest score and its value, called `what`; nothing where no column differs."""
    lowest = int(scores.argmin())
    if scores[lowest] >= 1:
        return {}
    value = float(values[lowest])
    return {
        "column that differs most": columns[lowest].name,
        f"{what} of that column": float(f"{value:.4g}") if isfinite(value) else None,
    }
