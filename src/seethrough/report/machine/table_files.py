"""Tables as files: complete or not at all; a cell that a spreadsheet would run as a formula is defused in CSV."""

import json
import os
import tempfile
from pathlib import Path

import polars as pl

from seethrough.errors import ConfigError
from seethrough.report.machine.spreadsheet import csv_text

KINDS = ("csv", "parquet")


def write(frame: pl.DataFrame, path: Path, kind: str) -> Path:
    """Write a frame beside its place, then rename it."""
    if kind not in KINDS:
        raise ConfigError(f"a table cannot be written as {kind!r}; {' or '.join(KINDS)} is expected")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, private = tempfile.mkstemp(prefix=".seethrough-", dir=path.parent)
        os.close(handle)
    except OSError as error:
        raise ConfigError(f"cannot write {path}: {error.strerror}") from error
    try:
        if kind == "parquet":
            frame.write_parquet(private)
        else:
            Path(private).write_text(as_csv(frame), encoding="utf-8", newline="")
        return Path(private).replace(path)
    except OSError as error:
        raise ConfigError(f"cannot write {path}: {error.strerror or error}") from error
    finally:
        Path(private).unlink(missing_ok=True)


def as_csv(frame: pl.DataFrame) -> str:
    """Write a frame as CSV, lists as JSON."""
    rows = ([json.dumps(value) if isinstance(value, list) else value for value in row] for row in frame.iter_rows())
    return csv_text(frame.columns, rows)
