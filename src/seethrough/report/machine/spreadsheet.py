"""CSV that a spreadsheet can open without running anything, written complete or not at all."""

import csv
import io
import os
import re
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path

from seethrough.errors import ConfigError
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


def write_text(path: Path, text: str) -> Path:
    """Write a file beside its place, then rename it; only the user may read it, for it speaks of people."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, private = tempfile.mkstemp(prefix=".seethrough-", dir=path.parent)
    except OSError as error:
        raise ConfigError(f"cannot write {path}: {error.strerror}") from error
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="") as file:
            file.write(text)
        return Path(private).replace(path)
    except OSError as error:
        raise ConfigError(f"cannot write {path}: {error.strerror}") from error
    finally:
        Path(private).unlink(missing_ok=True)
