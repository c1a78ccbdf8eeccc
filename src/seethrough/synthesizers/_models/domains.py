"""Domains: a finite number of cells for every column, for generators that model categories only.

A category has a cell for each level. A number or a date has bins: those of the schema's edges, or else of equal width
over its range; values beyond the range join the outermost bin. Whole numbers, and dates that are days, have whole
edges, and a bin each where there are few of them. Missing is a cell of its own where it may occur.

`observed_domain` takes a table as it is. `declared_domain` is for differential privacy: what the schema declares is
taken from there, a number beyond it joins the outermost bin, and a level or a missing value outside of it is refused;
only what the schema leaves open is read from the table, and named.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from seethrough.data.schema import Column, Schema, list_names
from seethrough.data.table import MISSING, Array, Table
from seethrough.errors import ConfigError, SchemaMismatch

Cells = npt.NDArray[np.int32]
BINS = 20
"""Bins of a number whose edges the schema does not declare."""


@dataclass(frozen=True, eq=False)
class DomainAxis:
    """One column: the codes of its categories, or the edges of its bins, and whether missing is its last cell.

    A bin has its lower edge and not its upper one, but the last has both. Where values are whole, so are the edges, and
    the last bin does not have its upper one either.
    """

    codes: npt.NDArray[np.int64]
    edges: npt.NDArray[np.float64]
    optional: bool
    dtype: np.dtype[np.generic]
    whole: bool = False

    @property
    def size(self) -> int:
        """How many cells there are."""
        return max(len(self.codes), len(self.edges) - 1) + self.optional

    @property
    def is_empty(self) -> bool:
        """Tell whether missing is the only cell, as in a column without any value."""
        return self.optional and self.size == 1

    def cells(self, values: Array) -> Cells:
        """Find the cell of each value."""
        if self.is_empty:
            return np.zeros(len(values), np.int32)
        if len(self.edges):
            bins = np.searchsorted(self.edges[1:-1], values, side="right")
            return np.where(np.isnan(values.astype(float)), self.size - 1, bins).astype(np.int32)
        lookup: Cells = np.full(int(self.codes.max(initial=0)) + 1, -1, dtype=np.int32)
        lookup[self.codes] = np.arange(len(self.codes))
        lookup[MISSING] = self.size - 1 if self.optional else -1
        return np.take(lookup, values.astype(np.int64))

    def values(self, cells: Cells, rng: np.random.Generator) -> Array:
        """Give a value for each cell; that of a bin is drawn uniformly."""
        if self.is_empty:
            return np.full(len(cells), np.nan if self.dtype.kind == "f" else MISSING, self.dtype)
        if not len(self.edges):
            last = [MISSING] if self.optional else []
            return np.take(np.concatenate([self.codes, last]).astype(self.dtype), cells)
        gaps = cells >= self.size - self.optional
        inside = np.where(gaps, 0, cells)
        low, high = self.edges[inside], self.edges[inside + 1]
        drawn = low + (high - low) * rng.random(len(cells))
        return np.where(gaps, np.nan, np.floor(drawn) if self.whole else drawn) + 0.0


@dataclass(frozen=True, eq=False)
class Domain:
    """The cells of all used columns; `read_columns` names those whose cells were read from the table."""

    schema: Schema
    axes: tuple[DomainAxis, ...]
    read_columns: tuple[str, ...]

    @property
    def sizes(self) -> tuple[int, ...]:
        """How many cells each column has."""
        return tuple(axis.size for axis in self.axes)

    def cells(self, table: Table) -> Cells:
        """Give the cells of a table, a row for each record."""
        columns = [axis.cells(values) for axis, values in zip(self.axes, table.columns, strict=True)]
        return np.column_stack(columns)

    def table(self, cells: Cells, rng: np.random.Generator) -> Table:
        """Make a table of cells."""
        columns = (axis.values(cells[:, position], rng) for position, axis in enumerate(self.axes))
        return Table(self.schema, tuple(columns))


def observed_domain(table: Table, bins: int = BINS) -> Domain:
    """Take the cells that the schema and the table have together."""
    axes = tuple(_seen(*pair, bins) for pair in zip(table.schema.used, table.columns, strict=True))
    return Domain(table.schema, axes, tuple(column.name for column in table.schema.used))


def declared_domain(table: Table, bins: int = BINS) -> Domain:
    """Take the cells that the schema declares, those of the table where it declares none."""
    pairs = list(zip(table.schema.used, table.columns, strict=True))
    axes = tuple(_stated(*pair, bins) if pair[0].declared else _seen(*pair, bins) for pair in pairs)
    return Domain(table.schema, axes, tuple(column.name for column, _ in pairs if not column.declared))


def domain_warnings(domain: Domain) -> tuple[str, ...]:
    """Say for which columns a promise of privacy does not hold, where there are some."""
    if not domain.read_columns:
        return ()
    return (
        f"the domain of {list_names(domain.read_columns)} was read from the data, which the guarantee does not cover; "
        "declare levels or range in a schema",
    )


def _seen(column: Column, values: Array, bins: int) -> DomainAxis:
    if not column.kind.has_levels:
        numbers = values.astype(np.float64)
        known = numbers[~np.isnan(numbers)]
        if not len(known) and not (column.declared or column.edges):
            return DomainAxis(np.empty(0, np.int64), np.empty(0), optional=True, dtype=np.dtype(np.float64))
        return _binned(column, bins, len(known) < len(numbers), whole=bool((known == np.floor(known)).all()))
    last = max(len(column.levels), int(values.max(initial=0)))
    return DomainAxis(np.arange(1, last + 1), np.empty(0), bool((values == MISSING).any()), values.dtype)


def _stated(column: Column, values: Array, bins: int) -> DomainAxis:
    gaps = np.isnan(values.astype(float)) if not column.kind.has_levels else values == MISSING
    if gaps.any() and not column.optional:
        raise SchemaMismatch(
            f"column {column.name!r} has missing values, which its declared domain does not have; "
            "say optional = true in the schema"
        )
    if not column.kind.has_levels:
        return _binned(column, bins, column.optional, column.whole)
    if int(values.max(initial=0)) > len(column.levels):
        raise SchemaMismatch(f"column {column.name!r} has a level that is not among its {len(column.levels)} declared")
    return DomainAxis(np.arange(1, len(column.levels) + 1), np.empty(0), column.optional, values.dtype)


def _binned(column: Column, bins: int, optional: bool, whole: bool) -> DomainAxis:
    """Make bins of a number; whole ones only where each bin has a whole number in it."""
    edges = _edges(column, bins, whole)
    inside = np.append(np.ceil(edges[:-1]), np.floor(edges[-1]) + 1)
    whole = whole and bool((np.diff(inside) >= 1).all())
    return DomainAxis(np.empty(0, np.int64), inside if whole else edges, optional, np.dtype(np.float64), whole)


def _edges(column: Column, bins: int, whole: bool) -> npt.NDArray[np.float64]:
    if column.edges:
        return np.array(column.edges)
    if bins < 1:
        raise ConfigError(f"{bins} bins cannot hold a number; at least one is needed")
    if column.low is None or column.high is None:
        raise SchemaMismatch(f"column {column.name!r} has no range to make bins of; declare low and high, or edges")
    low, high = column.low, column.high
    if whole and low == np.floor(low) and high == np.floor(high):
        # The upper end stands for itself: low to high are high - low + 1 numbers.
        return np.append(np.linspace(low, high + 1, int(min(bins, high - low + 1)) + 1)[:-1], high)
    return np.linspace(low, high, bins + 1 if high > low else 2)
