"""Tables as files: complete or not at all; a cell that a spreadsheet would run as a formula is defused in CSV."""

import json
from pathlib import Path

import polars as pl

from seethrough.errors import ConfigError
from seethrough.report.machine.spreadsheet import csv_text
from seethrough.results.whole_files import whole_file

KINDS = ("csv", "parquet")


def write(frame: pl.DataFrame, path: Path, kind: str, *, is_raw: bool = False) -> Path:
    """Write a frame to a file; `is_raw` leaves CSV as programs want it."""
    if kind not in KINDS:
        raise ConfigError(f"a table cannot be written as {kind!r}; {' or '.join(KINDS)} is expected")
    with whole_file(path) as place:
        if kind == "parquet":
            frame.write_parquet(place)
        else:
            place.write_text(as_csv(frame, is_raw=is_raw), encoding="utf-8", newline="")
    return path


def as_csv(frame: pl.DataFrame, *, is_raw: bool = False) -> str:
    """Write a frame as CSV, lists as JSON."""
    rows = ([json.dumps(value) if isinstance(value, list) else value for value in row] for row in frame.iter_rows())
    return csv_text(frame.columns, rows, is_raw=is_raw)
