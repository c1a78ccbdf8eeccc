"""Write frames to a folder: complete or not at all."""

import os
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Literal

import polars as pl

from seethrough.errors import ConfigError
from seethrough.report.machine.spreadsheet import csv_text


def write(named: Mapping[str, pl.DataFrame], folder: Path, form: Literal["parquet", "csv"]) -> tuple[Path, ...]:
    """Write every frame beside its place, then move all in; only their owner may read them."""
    if form not in {"parquet", "csv"}:
        raise ConfigError(f"tables are written as parquet or csv, not as {form!r}")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        private = Path(tempfile.mkdtemp(prefix=".seethrough-", dir=folder))
    except OSError as error:
        raise ConfigError(f"cannot write to {folder}: {error.strerror}") from error
    try:
        names = [f"{name}.{form}" for name in named]
        for name, frame in zip(names, named.values(), strict=True):
            _write(frame, private / name, form)
            os.chmod(private / name, 0o600)
        return tuple((private / name).replace(folder / name) for name in names)
    except OSError as error:
        raise ConfigError(f"cannot write to {folder}: {error.strerror}") from error
    finally:
        shutil.rmtree(private, ignore_errors=True)


def _write(frame: pl.DataFrame, path: Path, form: str) -> None:
    if form == "parquet":
        frame.write_parquet(path)
        return
    # What is neither a number nor a text is written as Polars writes it.
    plain = frame.with_columns(pl.col(pl.Date, pl.Datetime, pl.Time, pl.Duration, pl.Categorical).cast(pl.String))
    path.write_text(csv_text(plain.columns, plain.iter_rows()), encoding="utf-8")
