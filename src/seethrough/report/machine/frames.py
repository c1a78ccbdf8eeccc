"""Write frames to a folder: complete or not at all."""

from collections.abc import Mapping
from pathlib import Path
from typing import Literal

import polars as pl

from seethrough.errors import ConfigError
from seethrough.report.machine.spreadsheet import csv_text
from seethrough.results.whole_files import whole_files


def write(
    named: Mapping[str, pl.DataFrame], folder: Path, form: Literal["parquet", "csv"], *, is_raw: bool = False
) -> tuple[Path, ...]:
    """Write every frame to a file of its name, only for their owner; `is_raw` leaves CSV as programs want it."""
    if form not in {"parquet", "csv"}:
        raise ConfigError(f"tables are written as parquet or csv, not as {form!r}")
    with whole_files(folder) as hidden:
        for name, frame in named.items():
            _write(frame, hidden / f"{name}.{form}", form, is_raw)
    return tuple(folder / f"{name}.{form}" for name in named)


def _write(frame: pl.DataFrame, path: Path, form: str, is_raw: bool) -> None:
    if form == "parquet":
        frame.write_parquet(path)
        return
    # What is neither a number nor a text is written as Polars writes it.
    plain = frame.with_columns(pl.col(pl.Date, pl.Datetime, pl.Time, pl.Duration, pl.Categorical).cast(pl.String))
    path.write_text(csv_text(plain.columns, plain.iter_rows(), is_raw=is_raw), encoding="utf-8", newline="")
