"""What a report says about the tables and columns that took part."""

import numpy as np

from seethrough.data.release import NamedTable, Release
from seethrough.data.schema import Column
from seethrough.data.table import MISSING, Table
from seethrough.results.report import ColumnNote, TableSummary


def summarise_table(named: NamedTable) -> TableSummary:
    """Give name, size and digest of a table."""
    return TableSummary(named.name, len(named.table), named.table.digest)


def collect_remarks(release: Release, outside: tuple[str, ...]) -> tuple[str, ...]:
    """Remark on the tables; `outside` is what has to be said of the holdout."""
    told = [named.remarks(*(outside if named is release.holdout else ())) for named in release.all]
    return tuple(note for notes in told for note in notes)


def note_columns(table: Table, *, show_values: bool) -> tuple[ColumnNote, ...]:
    """Say of every column how it was read."""
    return tuple(_note(column, table, show_values=show_values) for column in table.schema.columns)


def _note(column: Column, table: Table, *, show_values: bool) -> ColumnNote:
    levels = len(column.levels) if column.kind.has_levels else None
    missing = 0
    if column.is_used:
        values = table.column(column.name)
        missing = int(np.count_nonzero(values == MISSING if column.kind.has_levels else np.isnan(values.astype(float))))
    shown = f": {', '.join(map(repr, column.missing))}" if show_values and column.missing else ""
    return ColumnNote(column.name, column.kind.value, column.role.value, levels, missing, f"{column.reason}{shown}")
