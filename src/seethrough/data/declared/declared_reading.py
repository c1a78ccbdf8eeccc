"""Reading a table under a declared schema: no column is inferred, completed or compared with others.

What becomes of a value depends on the schema and on the value alone. A number beyond the declared range is moved to its
end; what has no place in the domain, as a level that is not declared, is refused.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace

import numpy as np

from seethrough.data.canonical import canonical_texts
from seethrough.data.files.sources import Source
from seethrough.data.reading.codebooks import as_arrays
from seethrough.data.reading.columns import ColumnLevels, read_columns
from seethrough.data.release import NamedTable
from seethrough.data.schema import Column, Schema, list_names
from seethrough.data.table import Table
from seethrough.errors import DataError, SchemaMismatch
from seethrough.kernels.arrays import Floats

_LEAST_ROWS = 2


def read_declared(source: Source, schema: Schema) -> NamedTable:
    """Read a table whose columns are all declared; its notes are about records, so they are for its owner alone."""
    there = tuple(column for column in schema.columns if column.is_used or column.name in source.dtypes)
    complete = Schema(tuple(_complete(column) for column in there))
    values = read_columns(source, complete.used, "the schema")
    _refuse_outside(source, complete, values)
    moved = {name: _within(complete[name], each) for name, each in values.items()}
    (columns,) = as_arrays(complete.used, [moved])
    table = Table(complete, columns)
    if len(table) < _LEAST_ROWS:
        raise DataError(f"{source.name} has {'one row' if len(table) else 'no rows'}; at least two are needed")
    return NamedTable(source.name, table, (*source.notes, *_moved_notes(source, complete, values)))


def declared_ends(column: Column) -> tuple[float, float]:
    """Give the least and the largest value that a declared number may have."""
    if column.edges:
        return column.edges[0], column.edges[-1]
    assert column.low is not None
    assert column.high is not None
    return column.low, column.high


def _complete(column: Column) -> Column:
    """Fill in what tables need, from the column itself."""
    if not column.is_used:
        return column
    if column.kind.has_levels:
        return replace(column, levels=tuple(dict.fromkeys(canonical_texts(column.levels))), reason="declared")
    low, high = declared_ends(column)
    return replace(column, low=low, high=high, fill=low + (high - low) / 2, reason="declared")


def _refuse_outside(source: Source, schema: Schema, values: Mapping[str, ColumnLevels | Floats]) -> None:
    gaps = [column.name for column in schema.used if not column.optional and _has_gaps(values[column.name])]
    if gaps:
        raise SchemaMismatch(
            f"{source.name} has missing values where the schema allows none, in {list_names(gaps)}; "
            "say optional = true there"
        )
    unknown = [column.name for column in schema.used if _has_unknown(column, values[column.name])]
    if unknown:
        raise SchemaMismatch(
            f"{source.name} has levels that are not among the declared ones, in {list_names(unknown)}; "
            "declare them, or take these records out"
        )


def _has_gaps(values: ColumnLevels | Floats) -> bool:
    return values.has_missing if isinstance(values, ColumnLevels) else bool(np.isnan(values).any())


def _has_unknown(column: Column, values: ColumnLevels | Floats) -> bool:
    return isinstance(values, ColumnLevels) and not set(values.present) <= set(column.levels)


def _within(column: Column, values: ColumnLevels | Floats) -> ColumnLevels | Floats:
    return values if isinstance(values, ColumnLevels) else np.clip(values, *declared_ends(column))


def _moved_notes(source: Source, schema: Schema, values: Mapping[str, ColumnLevels | Floats]) -> Iterator[str]:
    """Say how many numbers were moved; exact counts, so for the owner of the table alone."""
    for column in schema.used:
        numbers = values[column.name]
        if isinstance(numbers, ColumnLevels):
            continue
        low, high = declared_ends(column)
        if beyond := int(np.count_nonzero((numbers < low) | (numbers > high))):
            were = (
                "value lies beyond the declared range and was"
                if beyond == 1
                else ("values lie beyond the declared range and were")
            )
            yield f"{source.name}: column {column.name!r}: {beyond} {were} moved to its nearer end"
