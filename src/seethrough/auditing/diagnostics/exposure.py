"""Who and what is exposed most: single rows, and columns.

Rows on the list of exposed people are shown with the surest first. Of equals, the most isolated come first: that
somebody was recognised whom many resemble says less about a person.

A column is exposed if its value in a real row is that of the released rows most similar to it in all other columns
(equal values counted, numbers by twentieths of their range), more often than for people outside. That is one cheap
guess, the same for all columns, on up to 500 rows of each kind and 10,000 released rows; it ranks columns and
does not replace an attack on a secret.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from seethrough.auditing.diagnostics.binning import bin_numbers
from seethrough.data.schema import Column
from seethrough.data.table import MISSING, Table
from seethrough.kernels.arrays import Floats
from seethrough.kernels.neighbours.most_similar import guessed_right
from seethrough.kernels.statistics.intervals import wilson
from seethrough.results.diagnostics import ColumnExposure, ExposedRow, Rate
from seethrough.results.evidence import ExposedPerson

MOST_EXPOSED = 20
TARGETS, RELEASED, STEPS = 500, 10_000, 20
CONFIDENCE = 0.95


def level_name(column: Column, code: int) -> str:
    """Name a level by its code."""
    if code == MISSING:
        return "(missing)"
    return column.levels[code - 1] if code <= len(column.levels) else "(not in the real table)"


def mean_rate(risks: Floats) -> Rate:
    """Give the mean of risks from 0 to 1 with its interval."""
    # The score interval has the largest variance that values between 0 and 1 can have: it errs on the wide side.
    total = float(np.clip(risks, 0.0, 1.0).sum())
    value = total / len(risks)
    low, high = wilson(total, len(risks), CONFIDENCE)
    return Rate(value, min(low, value), max(high, value), len(risks))


def exposed_rows(
    people: Sequence[ExposedPerson], real: Table, released: Table, *, show_values: bool
) -> tuple[ExposedRow, ...]:
    """Show those on the list of exposed people whom an attack is surest about; it is in their order."""
    surest: dict[int, list[ExposedPerson]] = {}
    for person in people:
        surest.setdefault(person.row, []).append(person)
    found = [_exposed(each) for each in list(surest.values())[:MOST_EXPOSED]]
    rows = [row.released_row - 1 for row in found if row.released_row is not None]
    if not rows:
        return tuple(_with_nearest(row, real, None, show_values=show_values) for row in found)
    near = iter(_each_row(released.take(np.array(rows))))
    return tuple(
        _with_nearest(row, real, None if row.released_row is None else next(near), show_values=show_values)
        for row in found
    )


def _each_row(table: Table) -> Iterator[tuple[str, ...]]:
    return (row_values(table, row) for row in range(len(table)))


def _exposed(listed: Sequence[ExposedPerson]) -> ExposedRow:
    first = listed[0]
    families = tuple(person.family.value for person in listed)
    return ExposedRow(first.row, families, first.attack, first.p, first.released_row)


def _with_nearest(row: ExposedRow, real: Table, given_away: tuple[str, ...] | None, *, show_values: bool) -> ExposedRow:
    """Say in which columns the released row differs from the person; the values themselves only if asked for."""
    mine = row_values(real, row.row - 1)
    if given_away is None:
        return replace(row, shown=mine) if show_values else row
    names = [column.name for column in real.schema.used]
    differing = tuple(name for name, a, b in zip(names, mine, given_away, strict=True) if a != b)
    row = replace(row, differing=differing)
    return replace(row, shown=mine, released_shown=given_away) if show_values else row


def row_values(table: Table, row: int) -> tuple[str, ...]:
    """Write the values of a row, a date as its day."""
    shown = []
    for column, values in zip(table.schema.used, table.columns, strict=True):
        value = values[row]
        if column.kind.has_levels:
            shown.append(level_name(column, int(value)))
        elif np.isnan(value):
            shown.append("(missing)")
        elif column.kind.value == "date":
            shown.append(str(np.datetime64("1970-01-01") + np.timedelta64(int(value), "D")))
        else:
            shown.append(f"{float(value):.10g}")
    return tuple(shown)


def column_exposure(
    real: Table, released: Table, outside: Table | None, rng: np.random.Generator
) -> tuple[ColumnExposure, ...]:
    """Guess every column of some rows from the released rows most similar in the others."""
    if len(real.columns) < 2:
        return ()
    targets = real.take(_some(len(real), TARGETS, rng))
    pool = bin_numbers(released.take(_some(len(released), RELEASED, rng)), STEPS)
    right = guessed_right(bin_numbers(targets, STEPS), pool)
    kept_out = outside.take(_some(len(outside), TARGETS, rng)) if outside is not None else None
    other = guessed_right(bin_numbers(kept_out, STEPS), pool) if kept_out is not None else None
    return tuple(
        ColumnExposure(
            column.name,
            mean_rate(right[place]),
            None if other is None else mean_rate(other[place]),
            float(np.unique(codes, return_counts=True)[1].max() / len(real)),
        )
        for place, (column, codes) in enumerate(zip(real.schema.used, bin_numbers(real, STEPS), strict=True))
    )


def _some(size: int, most: int, rng: np.random.Generator) -> npt.NDArray[np.int64]:
    return np.arange(size) if size <= most else np.sort(rng.choice(size, most, replace=False))
