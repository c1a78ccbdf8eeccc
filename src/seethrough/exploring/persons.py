"""People of an exploration: rows of the real table, or values typed in."""

from collections.abc import Mapping, Sequence

import numpy as np

from seethrough.auditing.diagnostics.exposure import row_values
from seethrough.data.table import Table
from seethrough.errors import ConfigError
from seethrough.exploring.answers.persons import Person, ShownCell


def cells_of(table: Table, row: int) -> tuple[ShownCell, ...]:
    """Show the values of a row."""
    names = (column.name for column in table.schema.used)
    return tuple(ShownCell(name, text) for name, text in zip(names, row_values(table, row), strict=True))


def person_of_row(real: Table, row: int) -> Person:
    """Pick a real row."""
    if not 0 <= row < len(real):
        raise ConfigError(f"there is no row {row + 1:,}; the real table has {len(real):,} rows")
    known = tuple(column.name for column in real.schema.used)
    return Person(row, cells_of(real, row), known, real.take(np.array([row])))


def person_of_values(real: Table, values: Mapping[str, str]) -> Person:
    """Read a person from texts, one for each column that is known."""
    raise NotImplementedError


def cells_of_rows(table: Table, rows: Sequence[int]) -> tuple[tuple[ShownCell, ...], ...]:
    """Show the values of several rows."""
    return tuple(cells_of(table, row) for row in rows)
