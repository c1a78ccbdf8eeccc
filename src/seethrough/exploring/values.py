"""Values as people read and type them: texts of levels, numbers and dates, both ways."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import isfinite, nan

import numpy as np
import polars as pl

from seethrough.data.canonical import canonical_texts
from seethrough.data.dates import days_of_any
from seethrough.data.release import Release
from seethrough.data.schema import Column, Kind
from seethrough.data.table import MISSING, Array, Table
from seethrough.exploring.answers.persons import ShownCell, ValueField

MISSING_TEXT = "(missing)"
"""How a value that a row does not have is shown, and typed."""
_MOST = 1e100
"""Numbers beyond it are refused, as in files."""


@dataclass(frozen=True, eq=False)
class ValueTexts:
    """Writes and reads the values of the tables of one release; levels that only some table has are known by name."""

    release: Release

    def levels(self, column: Column) -> tuple[str, ...]:
        """List the texts of the codes from 1 on: levels of the real table, then those of other tables."""
        return (*column.levels, *self.release.unseen.get(column.name, ()))

    def write(self, column: Column, value: float) -> str:
        """Write one value; a date as its day, with the time where it has one."""
        if column.kind.has_levels:
            levels, code = self.levels(column), int(value)
            return MISSING_TEXT if code == MISSING else levels[code - 1] if code <= len(levels) else f"new {code}"
        if np.isnan(value):
            return MISSING_TEXT
        return write_day(value) if column.kind is Kind.DATE else f"{value:.10g}"

    def cells(self, table: Table, row: int, known: tuple[str, ...] | None = None) -> tuple[ShownCell, ...]:
        """Show a row; "" in columns that are not known."""
        return tuple(
            ShownCell(column.name, self.write(column, values[row]) if known is None or column.name in known else "")
            for column, values in zip(table.schema.used, table.columns, strict=True)
        )

    def read(self, column: Column, text: str) -> tuple[float, str]:
        """Read what was typed: its code or number, and "" or one sentence where there is no such value."""
        if text == MISSING_TEXT:
            return (MISSING if column.kind.has_levels else nan), ""
        if column.kind.has_levels:
            return self._read_level(column, text)
        number = _days(column, text) if column.kind is Kind.DATE else _number(text)
        if number is None or not isfinite(number) or abs(number) > _MOST:
            wanted = "a date, as 2024-05-31" if column.kind is Kind.DATE else "a number"
            return nan, f"{column.name} is {wanted}, and {text!r} is none"
        return number + 0.0, ""

    def _read_level(self, column: Column, text: str) -> tuple[float, str]:
        levels = self.levels(column)
        [canonical] = canonical_texts([text])
        if canonical in levels:
            return levels.index(canonical) + 1, ""
        alike = [place for place, level in enumerate(levels, 1) if level.casefold() == canonical.casefold()]
        if len(alike) == 1:
            return alike[0], ""
        return MISSING, f"no table has the value {text!r} of {column.name}"

    def typed_field(self, column: Column) -> ValueField:
        """Describe the field in which a value of a column is typed."""
        low, high = (
            "" if column.kind.has_levels or end is None else self.write(column, end)
            for end in (column.low, column.high)
        )
        levels = self.levels(column) if column.kind.has_levels else ()
        return ValueField(column.name, column.kind.value, levels, low, high)


def write_day(days: float) -> str:
    """Write days since 1970 as a date, with the time of day where there is one."""
    moment = np.datetime64("1970-01-01T00:00:00") + np.timedelta64(round(days * 86_400), "s")
    day, _, time = str(moment).partition("T")
    return day if time == "00:00:00" else f"{day} {time}"


def one_row(columns: tuple[Column, ...], values: Mapping[str, float]) -> tuple[Array, ...]:
    """Give the arrays of a table of one row; what is not among the values is missing."""
    found: list[Array] = []
    for column in columns:
        if column.kind.has_levels:
            found.append(np.array([int(values.get(column.name, MISSING))], np.uint32))
        else:
            found.append(np.array([values.get(column.name, nan)], np.float64))
    return tuple(found)


def _number(text: str) -> float | None:
    try:
        return float(text.strip()) if "_" not in text else None
    except ValueError:
        return None


def _days(column: Column, text: str) -> float | None:
    frame = pl.DataFrame({"text": [text.strip()]}).select(days_of_any(pl.col("text"), column.format))
    found: float | None = frame.to_series()[0]
    return found
