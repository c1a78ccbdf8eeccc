"""CSV files: every column as text, scanned lazily, its shape checked first.

Polars renames the second of two columns of one name without a word, so the header is read here.
"""

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Final

import polars as pl

from seethrough.data.files.csv_shape import CsvLayout, complaint, without_blank_lines
from seethrough.data.files.text_files import HEAD, TextFile, cells_of_any_length, recognise
from seethrough.errors import ConfigError, DataError
from seethrough.text.formulas import DEFUSED, restore

_SEPARATORS: Final = (",", ";", "\t", "|")
_SAMPLED_ROWS = 100
_DECIMAL_COMMA = r"^[+-]?[0-9]+,[0-9]+$"


@dataclass(frozen=True, eq=False)
class CsvTable:
    """A scanned CSV file and what was remarked about it."""

    frame: pl.LazyFrame
    notes: tuple[str, ...]


@cells_of_any_length()
def scan_csv(path: Path, separator: str | None, encoding: str | None) -> CsvTable:
    """Scan a CSV file after its encoding, separator, header and shape have been found sound."""
    text = recognise(path, encoding)
    head = text.head()
    try:
        layout = _layout(text, head, _checked_separator(separator) or sniff_separator(head))
    except csv.Error as error:
        raise DataError(f"{path.name}: its header cannot be read as CSV: {error}") from error
    frame = pl.scan_csv(
        text.utf8_source(),
        schema=dict.fromkeys(layout.names, pl.String),
        has_header=False,
        skip_rows=1,
        separator=layout.separator,
        eol_char=layout.line_end,
        glob=False,
    )
    try:
        return _examined(layout, frame)
    except (pl.exceptions.PolarsError, csv.Error) as error:
        raise complaint(layout) from error
    except OSError as error:
        raise DataError(f"{path.name} cannot be read: {error}") from error


def sniff_separator(head: str) -> str:
    """Guess the separator: the one that cuts most lines into as many fields as the header, and into most."""
    lines = list(islice(io.StringIO(head, newline=""), _SAMPLED_ROWS))
    best, best_score = ",", (0.0, 1)
    for candidate in _SEPARATORS:
        header, *rows = [len(fields) for fields in csv.reader(lines, delimiter=candidate)] or [0]
        alike = sum(count == header for count in rows) / len(rows) if rows else 1.0
        if header > 1 and (alike, header) > best_score:
            best, best_score = candidate, (alike, header)
    return best


def _checked_separator(separator: str | None) -> str | None:
    if separator is not None and (len(separator) != 1 or not separator.isascii() or separator in '"\r\n'):
        raise ConfigError(f"separator {separator!r} is not usable; one character such as , ; | or a tab is expected")
    return separator


def _layout(text: TextFile, head: str, separator: str) -> CsvLayout:
    line_end = "\r" if "\r" in head and "\n" not in head else "\n"
    rows = csv.reader(io.StringIO(head, newline=""), delimiter=separator)
    header = next(rows, [])
    if len(head) >= HEAD and rows.line_num >= len(head.splitlines()):
        raise DataError(f"{text.path.name}: its header does not end within {HEAD:,} characters")
    if head.count('"') % 2 and next(rows, None) is None:
        raise DataError(f"{text.path.name}: its header cannot be read as CSV: a quotation mark is never closed")
    if not any(field.strip() for field in header):
        raise DataError(f"{text.path.name} begins with an empty line; a header with names is expected")
    names = tuple(restore(name.strip()) or _nameless(position) for position, name in enumerate(header, 1))
    refuse_twins(text.path.name, names)
    return CsvLayout(text, separator, line_end, names)


def refuse_twins(file: str, names: Sequence[str]) -> None:
    """Refuse a table in which two columns have one name."""
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise DataError(f"{file} has two columns named {name!r}; each needs a name of its own")
        seen.add(name)


def _examined(layout: CsvLayout, frame: pl.LazyFrame) -> CsvTable:
    """Check the shape; leave out blank lines and read decimal commas."""
    last = layout.names[-1]
    # All columns are asked for: Polars does not see surplus fields beyond those that it needs.
    quoted = pl.all().str.starts_with("'").any().name.prefix("quoted in ")
    counted = frame.select(quoted, pl.all().null_count().name.prefix("gaps in "), pl.len()).collect(engine="streaming")
    *counts, gaps, rows = counted.row(0)
    notes = layout.text.notes
    if gaps and len(layout.names) > 1:
        frame, blank = without_blank_lines(layout, frame, rows)
        notes += (f"{layout.file}: {blank} blank {'line' if blank == 1 else 'lines'} left out",) if blank else ()
    frame = _restored(frame, [at for at in range(len(layout.names)) if counts[at]])
    if layout.separator != ",":
        frame = _with_decimal_points(frame, len(layout.names))
    if rows == gaps and last == _nameless(len(layout.names)):
        # Some programs end every line, the header too, with a separator.
        frame = frame.drop(last)
    return CsvTable(frame, notes)


def _restored(frame: pl.LazyFrame, places: Sequence[int]) -> pl.LazyFrame:
    """Take away the apostrophes that keep spreadsheets from running a text; ours and those of other programs."""
    return frame.with_columns(pl.nth(at).str.replace(DEFUSED, "${1}") for at in places) if places else frame


def _nameless(position: int) -> str:
    return f"column {position}"


def _with_decimal_points(frame: pl.LazyFrame, width: int) -> pl.LazyFrame:
    """Read `1,5` as 1.5 in each column where every comma stands between digits."""
    places = range(width)
    counts = (
        frame.select(
            *(pl.nth(at).str.contains(",", literal=True).sum().alias(f"comma {at}") for at in places),
            *(pl.nth(at).str.strip_chars().str.contains(_DECIMAL_COMMA).sum().alias(f"decimal {at}") for at in places),
        )
        .collect(engine="streaming")
        .row(0, named=True)
    )
    decimal = [at for at in places if 0 < counts[f"comma {at}"] == counts[f"decimal {at}"]]
    return frame.with_columns(pl.nth(at).str.replace(",", ".", literal=True) for at in decimal)
