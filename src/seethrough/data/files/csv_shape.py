"""The shape of a CSV file: rows that are too short or too long, blank lines, quotation marks left open.

Polars fills rows that are too short with nulls without a word, and reads a blank line as such a
row. Both leave a null in the last column, so only files that have one are looked at here, first
quickly line by line and then, where that does not decide, with the csv module.
"""

import csv
from collections.abc import Iterator
from dataclasses import dataclass

import polars as pl

from seethrough.data.files.text_files import TextFile
from seethrough.errors import DataError

_QUOTED = r'"[^"]*"'


@dataclass(frozen=True)
class CsvLayout:
    """How a text file is cut into rows and fields."""

    text: TextFile
    separator: str
    line_end: str
    names: tuple[str, ...]

    @property
    def file(self) -> str:
        """Name the file."""
        return self.text.path.name


@dataclass(frozen=True)
class _LineCounts:
    lines: int
    short: int
    blank: int


def without_blank_lines(layout: CsvLayout, frame: pl.LazyFrame, rows: int) -> tuple[pl.LazyFrame, int]:
    """Leave out blank lines, of which there are as many as said; refuse a row with too few fields."""
    found = _count_lines(layout)
    # A quoted field that spans lines looks short here; only the csv module can tell.
    if found.short and (bad := _bad_row(layout)):
        raise bad
    if not found.blank:
        return frame, 0
    is_empty = pl.all_horizontal(pl.all().is_null())
    empty = frame.select(is_empty.sum().alias("empty")).collect(engine="streaming").item()
    if found.lines == rows + 1 and found.blank == empty:
        return frame.filter(is_empty.not_()), empty
    blank = [at for at, row in enumerate(_rows(layout)) if not row]
    is_blank = pl.int_range(pl.len(), dtype=pl.UInt32).is_in(blank)
    return (frame.filter(is_blank.not_()) if blank else frame), len(blank)


def complaint(layout: CsvLayout) -> DataError:
    """Say what is wrong with a file that Polars refused."""
    quotes = "a quotation mark stands inside a field that is not in quotes"
    return _bad_row(layout) or DataError(f"{layout.file} is not sound CSV: {quotes}")


def _count_lines(layout: CsvLayout) -> _LineCounts:
    if layout.line_end == "\r":
        return _LineCounts(lines=0, short=1, blank=1)
    line = pl.col("line").str.strip_chars_end("\r\n")
    fields = line.str.replace_all(_QUOTED, "").str.count_matches(layout.separator, literal=True) + 1
    is_blank = line == ""
    is_short = fields.lt(len(layout.names)) & is_blank.not_()
    counts = pl.scan_lines(layout.text.utf8_source(), glob=False).select(
        pl.len().alias("lines"), is_short.sum().alias("short"), is_blank.sum().alias("blank")
    )
    return _LineCounts(*counts.collect(engine="streaming").row(0))


def _rows(layout: CsvLayout) -> Iterator[list[str]]:
    with layout.text.open() as lines:
        rows = csv.reader(lines, delimiter=layout.separator)
        next(rows)
        yield from rows


def _bad_row(layout: CsvLayout) -> DataError | None:
    """Find the first row with too many or too few fields, or a quotation mark that is never closed."""
    expected = len(layout.names)
    with layout.text.open() as lines:
        rows = csv.reader(lines, delimiter=layout.separator, strict=True)
        begins = 1
        try:
            for row in rows:
                if row and len(row) != expected:
                    return _wrong_count(layout, begins, len(row), is_last=next(rows, None) is None)
                begins = rows.line_num + 1
        except csv.Error:
            return DataError(f"{layout.file} ends in the middle: a quotation mark on line {begins} is never closed")
    return None


def _wrong_count(layout: CsvLayout, line: int, found: int, *, is_last: bool) -> DataError:
    what = f"line {line} has {found} {'field' if found == 1 else 'fields'} where the header has {len(layout.names)}"
    if is_last and found < len(layout.names):
        return DataError(f"{layout.file} ends in the middle: {what}")
    return DataError(f"{layout.file}: {what}")
