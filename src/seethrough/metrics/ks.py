"""Kolmogorov-Smirnov distance: the largest gap between the distributions of each column.

For a number, D = sup over x of |F_Y(x) - F_Z(x)|, F(x) being the share of all rows whose value is at most x. A missing
number is a point of its own beyond all numbers: it counts among the rows and is at most no x. For a category, which has
no order, D is the total variation, half the sum of |P - Q| over the levels, missing being one. The risk is the mean of
1 - D over the columns: 1 for a copy, 0 when no column shares a value and all of one table lies to one side of the
other; any faithful release is near 1.

The interval: what redrawing both tables at their sizes gives; see `bench/marginals.py`. In the resamples the gap of
numbers is looked for at about a hundred values, the one where it was found among them.

References
----------
Smirnov 1948, doi:10.1214/aoms/1177730256; Qian, Cebere, van der Schaar 2023, arXiv:2301.07573 (synthcity);
Hansen and Staer 2025 (review), Algorithm 11.

Deviations
----------
The review's pseudocode pairs the elements of unsorted lists and takes no absolute value, so that it can exceed 1.
synthcity compares the codes of categories as if they were numbers, so that their order matters.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from seethrough.bench.bench import Bench
from seethrough.bench.equality import WholeCodes
from seethrough.bench.marginals import (
    Compared,
    Marginal,
    count_in_chunks,
    count_values,
    mean_estimate,
    most_different,
    redraws,
)
from seethrough.bench.passes.column_cells import CellCoding, LevelCells, RankCells
from seethrough.bench.passes.shown_secrets import ShownByAllPass, TooManyValues
from seethrough.bench.person.example import Example, say_number, whole_table
from seethrough.bench.person.in_column import chosen_column, column_step, columns_step, place_in_column
from seethrough.data.chunked.chunked_table import ChunkedTable
from seethrough.data.release import Part
from seethrough.data.schema import Column
from seethrough.data.table import Array
from seethrough.kernels.arrays import Codes, Floats
from seethrough.kernels.counting.bins import BINS
from seethrough.kernels.counting.value_counts import ValueCounts
from seethrough.kernels.statistics.total_variation import total_variation
from seethrough.results.card import Card, Category, Evidence, Verdict
from seethrough.results.explained.worked import Step, Worked
from seethrough.results.outcome import Measurement

PLACES = 100
"""Values at which the gap is looked for in resamples."""


@dataclass(frozen=True)
class KolmogorovSmirnov:
    """One minus the mean largest gap of the columns."""

    card: ClassVar[Card] = Card(
        name="ks",
        title="Kolmogorov-Smirnov distance",
        question="How small is the largest gap between the distributions of each column in the two tables?",
        cannot_tell="Anything about a record: a table with every column shuffled by itself scores as high as a copy.",
        category=Category.REIDENTIFICATION,
        evidence=Evidence.FIDELITY,
        raw_unit="mean gap of the columns",
        formula="1 - mean over columns of sup over x of |F_Y(x) - F_Z(x)|; sum of |P - Q| / 2 for categories",
        cites=("doi:10.1214/aoms/1177730256", "arXiv:2301.07573"),
        ordering=Verdict.SOMETIMES,
        monotone=Verdict.SOMETIMES,
        looks_at="A column of both tables: where a person's value stands in it, and how far the tables are apart.",
    )
    confidence: float = 0.95

    def measure(self, bench: Bench[Part], rng: np.random.Generator) -> Measurement:
        """Find the gap of every column; of a release in chunks with very many different numbers, in its drawn rows."""
        used, released = bench.table(Part.TRAIN).schema.used, bench.table(Part.SYNTHETIC)
        try:
            columns = _columns(bench)
        except TooManyValues as reason:
            found = self.measure(bench.with_table(Part.SYNTHETIC, released.drawn), rng)
            return replace(found, warnings=(f"computed on {len(released.drawn):,} drawn rows: {reason}",))
        compares = [_compare(column) for column in used]
        draws = redraws(columns, rng)
        both = list(zip(columns, compares, strict=True))
        gaps = np.array([compare(*column.counts) for column, compare in both])
        redrawn = 1 - np.array([draws.apply(column, compare) for column, compare in both])
        rows, others = len(bench.whole(Part.TRAIN)), len(bench.table(Part.SYNTHETIC))
        return Measurement(
            risk=mean_estimate(1 - gaps, redrawn, min(rows, others), self.confidence),
            raw=float(gaps.mean()),
            n=rows,
            details=most_different(columns, 1 - gaps, gaps, "gap"),
        )

    def work_through(self, bench: Bench[Part], example: Example) -> Worked:
        """Show one column, where this person stands in it, and its gap."""
        used = bench.table(Part.TRAIN).schema.used
        names = [column.name for column in used]
        gaps = self._gaps(bench)
        which = chosen_column(example, names, 1 - gaps)
        place = place_in_column(bench, example, names[which], BINS)
        gap = float(gaps[which])
        if used[which].kind.has_levels:
            here = abs(place.shares[0] - place.shares[1])
            said = "For a category the gap is half the sum of |P - Q| over its values; this person's value adds"
            written = f"|P - Q| / 2 = {say_number(here / 2)}, of D = {say_number(gap)}"
        else:
            (before, after), here = place.up_to, abs(place.up_to[0] - place.up_to[1])
            said = "For a number the gap is the largest difference of shares of rows up to a value; at this one it is"
            written = f"|{say_number(before)} - {say_number(after)}| = {say_number(here)}, of D = {say_number(gap)}"
        formula = Step(said, written, {"here": here, "D": gap})
        last = columns_step(names, 1 - gaps, "1 - D")
        return whole_table(self.card.name, example, column_step(example, place), formula, last)

    def _gaps(self, bench: Bench[Part]) -> Floats:
        used = bench.table(Part.TRAIN).schema.used
        pairs = zip(used, *bench.get(WholeCodes(Part.TRAIN, Part.SYNTHETIC)), strict=True)
        return np.array([_compare(column)(*_marginal(column, *pair).counts) for column, *pair in pairs])


def largest_gap(first: Floats, second: Floats) -> Floats:
    """Largest difference of cumulated shares, cells in their order along the last axis."""
    n, m = first.sum(axis=-1, keepdims=True), second.sum(axis=-1, keepdims=True)
    return np.asarray(np.abs(np.cumsum(first * m - second * n, axis=-1)).max(axis=-1) / (n * m)[..., 0])


def _columns(bench: Bench[Part]) -> Sequence[Marginal]:
    """Count all columns of both tables."""
    first, second = bench.whole(Part.TRAIN), bench.table(Part.SYNTHETIC)
    if isinstance(second, ChunkedTable):
        names = tuple(column.name for column in first.schema.used if not column.kind.has_levels)
        counts = second.fold(ShownByAllPass(names))
        shown = dict(zip(names, counts, strict=True))
        pairs = zip(first.schema.used, first.columns, strict=True)
        return count_in_chunks(first, second, [_coding(values, shown.get(column.name)) for column, values in pairs])
    codes = zip(first.schema.used, *bench.get(WholeCodes(Part.TRAIN, Part.SYNTHETIC)), strict=True)
    return [_marginal(column, mine, others) for column, mine, others in codes]


def _coding(values: Array, shown: ValueCounts | None) -> CellCoding:
    """Join the ranks of numbers of both tables to cells."""
    if shown is None:
        return LevelCells()
    numbers, mine = shown.keys.view(np.float64), values.astype(np.float64)
    distinct = np.unique(np.concatenate([mine, numbers]), equal_nan=True)
    often = np.zeros(len(distinct), np.int64)
    often[np.searchsorted(distinct, numbers)] = shown.counts
    ranks = np.bincount(np.searchsorted(distinct, mine), minlength=len(distinct))
    return RankCells(distinct, _cells_of_ranks(ranks, often).astype(np.int64))


def _compare(column: Column) -> Compared:
    return total_variation if column.kind.has_levels else largest_gap


def _marginal(column: Column, first: Codes, second: Codes) -> Marginal:
    """Count one column; shared codes of numbers are ranks, that of a missing one the last."""
    if not column.kind.has_levels:
        cell = _cells_of_ranks(*(np.bincount(ranks, minlength=_ranks(first, second)) for ranks in (first, second)))
        first, second = cell[first], cell[second]
    return count_values(column.name, first, second)


def _ranks(first: Codes, second: Codes) -> int:
    return int(max(first.max(), second.max())) + 1


def _cells_of_ranks(first: Codes, second: Codes) -> Codes:
    """Join neighbouring ranks to at most about a hundred cells, so that the largest gap stays at the end of a cell."""
    ranks = len(first)
    if ranks <= PLACES:
        return np.arange(ranks)
    widest = int(np.abs(np.cumsum(first * second.sum() - second * first.sum())).argmax())
    total = np.cumsum(first + second)
    spread = np.searchsorted(total, np.linspace(0, total[-1], PLACES))
    # The last rank may be the missing values, and the one before it the largest number: both end a cell.
    ends = np.unique([*spread, widest, ranks - 2, ranks - 1])
    return np.searchsorted(ends, np.arange(ranks))
