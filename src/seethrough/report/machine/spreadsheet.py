"""CSV that a spreadsheet can open without running anything."""

import csv
import io
import re
from collections.abc import Iterable, Sequence

from seethrough.results.outcome import Value

_RUNS = ("=", "+", "-", "@", "\t", "\r", "\n")
"""A cell that begins with one of these may be run as a formula."""
_NUMBER = re.compile(r"[+-]?\d+(\.\d+)?([eE][+-]?\d+)?")


def defuse(value: Value) -> Value:
    """Put an apostrophe before a text that a spreadsheet would run; it then shows the text."""
    is_formula = isinstance(value, str) and value.startswith(_RUNS) and not _NUMBER.fullmatch(value)
    return f"'{value}" if is_formula else value


def csv_text(columns: Sequence[str], rows: Iterable[Sequence[Value]]) -> str:
    """Write rows under a head."""
    page = io.StringIO()
    writer = csv.writer(page, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows([defuse(value) for value in row] for row in rows)
    return page.getvalue()
