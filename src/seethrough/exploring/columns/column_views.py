"""One column: how it is distributed in all tables, how often it is guessed, with which others it goes together."""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from seethrough.data.schema import Column
from seethrough.data.table import MISSING, Array, Table
from seethrough.exploring.answers.persons import Person
from seethrough.exploring.answers.tables import ColumnAssociation, ColumnCell, ColumnView
from seethrough.exploring.values import MISSING_TEXT, ValueTexts
from seethrough.kernels.arrays import Floats, Ints
from seethrough.kernels.counting.bins import BINS, bin_numbers
from seethrough.kernels.statistics.total_variation import total_variation
from seethrough.results.diagnostics import ColumnExposure, Rate

MOST_CELLS = 12
"""Levels that are drawn; the last cell holds the rest where there are more."""


@dataclass(frozen=True, eq=False)
class ColumnCells:
    """Cells of a column that the real table sets: which cell each code or bin falls into, and their texts."""

    column: Column
    real: Array
    places: Ints
    labels: tuple[str, ...]

    def places_of(self, values: Array) -> Ints:
        """Give the cell of each value."""
        if self.column.kind.has_levels:
            return self.places[np.minimum(values.astype(np.int64), len(self.places) - 1)]
        return self.places[bin_numbers("equal width", self.real, values)[1].astype(np.int64)]

    def shares_in(self, values: Array) -> Floats:
        """Give the share of each cell."""
        found: Floats = np.bincount(self.places_of(values), minlength=len(self.labels)) / max(len(values), 1)
        return found


def cells_of_column(texts: ValueTexts, name: str, released: Table) -> ColumnCells:
    """Cut a column into cells: levels, the most frequent real ones first, or ten ranges; and missing."""
    release = texts.release
    column, real = release.train.table.schema[name], release.train.table.column(name)
    outside = release.holdout.table.column(name) if release.holdout else real[:0]
    everything = [real, released.column(name), outside]
    if column.kind.has_levels:
        return _level_cells(texts, column, everything)
    return _range_cells(texts, column, everything)


def _level_cells(texts: ValueTexts, column: Column, tables: list[Array]) -> ColumnCells:
    size = len(texts.levels(column)) + 1
    size = max(size, *(int(each.max(initial=0)) + 1 for each in tables))
    counts = [np.bincount(each, minlength=size) for each in tables]
    order = np.argsort(-counts[0], kind="stable")
    order = order[np.sum(counts, axis=0)[order] > 0]
    alone = order if len(order) <= MOST_CELLS else order[: MOST_CELLS - 1]
    labels = [texts.write(column, code) for code in alone]
    places = np.full(size, len(alone), np.int64)
    places[alone] = np.arange(len(alone))
    if len(alone) < len(order):
        labels.append(f"{len(order) - len(alone):,} others")
    return ColumnCells(column, tables[0], np.minimum(places, len(labels) - 1), tuple(labels))


def _range_cells(texts: ValueTexts, column: Column, tables: list[Array]) -> ColumnCells:
    real = tables[0]
    known = real.astype(np.float64)[~np.isnan(real.astype(np.float64))]
    missing = [bool(np.isnan(each.astype(np.float64)).any()) for each in tables]
    labels = _ranges(texts, column, known)
    bins = len(labels)
    shown = (*labels, MISSING_TEXT) if any(missing) else labels
    return ColumnCells(column, real, np.minimum(np.arange(bins + 1), len(shown) - 1), tuple(shown))


def _ranges(texts: ValueTexts, column: Column, known: Floats) -> tuple[str, ...]:
    """Name the bins of equal width over the range of real numbers; those outside are in the outermost ones."""
    if not len(known):
        return ("any number",)
    low, high = float(known.min()), float(known.max())
    if low == high:
        only = texts.write(column, low)
        return f"below {only}", only, f"above {only}"
    edges = [texts.write(column, _rounded(column, low + (high - low) * step / BINS, high - low)) for step in range(11)]
    return tuple(f"{first} to {second}" for first, second in pairwise(edges))


def _rounded(column: Column, edge: float, span: float) -> float:
    """Write edges with as many digits as a hundredth of the range has."""
    if column.kind.value == "date":
        return float(round(edge)) if span > BINS else edge
    return round(edge, max(0, 2 - int(np.floor(np.log10(span)))))


def column_view(
    texts: ValueTexts, name: str, released: Table, exposure: ColumnExposure | None, pairs: tuple[ColumnAssociation, ...]
) -> ColumnView:
    """Look at one column."""
    release = texts.release
    cells = cells_of_column(texts, name, released)
    column, values = cells.column, release.train.table.column(name)
    shares = [cells.shares_in(table.column(name)) for table in (release.train.table, released)]
    outside = cells.shares_in(release.holdout.table.column(name)) if release.holdout else None
    gaps = values == MISSING if column.kind.has_levels else np.isnan(values.astype(np.float64))
    field = texts.typed_field(column)
    return ColumnView(
        name=name,
        number=[each.name for each in release.train.table.schema.used].index(name),
        kind=column.kind.value,
        role=column.role.value,
        levels=field.levels,
        low=field.low,
        high=field.high,
        missing=int(gaps.sum()),
        cells=_shown(cells, shares, outside),
        distance=float(total_variation(shares[0], shares[1])),
        outside_distance=None if outside is None else float(total_variation(shares[0], outside)),
        guessed=_rate(exposure, "real"),
        guessed_outside=_rate(exposure, "outside"),
        most_frequent=None if exposure is None else exposure.base_rate,
        pairs=pairs,
    )


def _shown(cells: ColumnCells, shares: list[Floats], outside: Floats | None) -> tuple[ColumnCell, ...]:
    return tuple(
        ColumnCell(
            label,
            float(shares[0][place]),
            float(shares[1][place]),
            None if outside is None else float(outside[place]),
        )
        for place, label in enumerate(cells.labels)
    )


def _rate(exposure: ColumnExposure | None, kind: str) -> Rate | None:
    found: Rate | None = None if exposure is None else getattr(exposure, kind)
    return found


def cell_of_person(texts: ValueTexts, name: str, released: Table, person: Person) -> int | None:
    """Find the cell of a column that a person is in; None where the value is not known."""
    if name not in person.known:
        return None
    return int(cells_of_column(texts, name, released).places_of(person.values.column(name))[0])
