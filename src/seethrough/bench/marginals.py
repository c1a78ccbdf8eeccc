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

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Generic

import numpy as np

from seethrough.bench.bench import Bench, P
from seethrough.data.schema import Column
from seethrough.data.table import Array, Table
from seethrough.errors import ConfigError
from seethrough.kernels.arrays import Codes, Floats
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
    """One column: the cell of every row of both tables, and how many rows each cell has; no cell is empty in both."""

    name: str
    cells: tuple[Codes, Codes]
    counts: tuple[Floats, Floats]


@dataclass(frozen=True)
class Marginals(Generic[P]):
    """Request: every used column of two tables, counted over shared cells; `first` is the table that sets the bins."""

    first: P
    second: P
    bins: int = BINS

    def compute(self, bench: Bench[P]) -> tuple[Marginal, ...]:
        """Count each column once."""
        first, second = bench.whole(self.first), bench.table(self.second)
        columns = zip(first.schema.used, first.columns, second.columns, strict=True)
        return tuple(self._counted(column, mine, others) for column, mine, others in columns)

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
    """How often each block of rows comes in each resample: the block of every row, and weights, for both tables."""

    blocks: tuple[Codes, Codes]
    weights: tuple[Floats, Floats]

    def apply(self, column: Marginal, compare: Compared) -> Floats:
        """Compare the two tables in one column, in every resample."""
        cells = len(column.counts[0])
        mine, others = (
            np.bincount(block.astype(np.int64) * cells + cell, minlength=weights.shape[1] * cells)
            .reshape(-1, cells)
            .astype(np.float64)
            for block, cell, weights in zip(self.blocks, column.cells, self.weights, strict=True)
        )
        step = max(1, AT_ONCE // cells)
        parts = (slice(start, start + step) for start in range(0, len(self.weights[0]), step))
        return np.concatenate([compare(self.weights[0][part] @ mine, self.weights[1][part] @ others) for part in parts])


def redraws(columns: Sequence[Marginal], rng: np.random.Generator, resamples: int = RESAMPLES) -> Redraws:
    """Put the rows of either table into blocks, and draw as many blocks as there are, over and over."""
    sizes = [len(cells) for cells in columns[0].cells]
    blocks = [(rng.permutation(size) % BLOCKS).astype(np.uint8) for size in sizes]
    numbers = [min(size, BLOCKS) for size in sizes]
    weights = [rng.multinomial(number, np.full(number, 1 / number), resamples).astype(np.float64) for number in numbers]
    return Redraws((blocks[0], blocks[1]), (weights[0], weights[1]))


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
