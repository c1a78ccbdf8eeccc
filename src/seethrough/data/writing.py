"""Writing a table: level texts, numbers and dates as the table has them that it was made from."""

import gzip
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from seethrough.data.canonical import canonical_texts, text
from seethrough.data.files.sources import Source
from seethrough.data.schema import Column, Kind
from seethrough.data.table import Table
from seethrough.errors import ConfigError
from seethrough.kernels.arrays import Floats
from seethrough.results.whole_files import whole_files
from seethrough.text import formulas

SUFFIXES = (".csv", ".csv.gz", ".parquet", ".pq", ".arrow", ".feather", ".ipc")
_EXACT = float(2**53)
_DAY = 86_400_000_000
_ZONE = "%#z"
"""Reads a time zone; all moments are UTC here, and it cannot be written."""


def as_frame(table: Table, like: Source | None = None, *, texts: bool = True) -> pl.DataFrame:
    """Give the values of a table, in the types of the table `like`, whose schema it has, where there is one.

    `texts` writes dates in the format of their column. A code beyond the levels is a category that nobody has: it is
    called "new" with a number.
    """
    written = _written(table.schema.used, like) if like else {}
    found = []
    for column, values in zip(table.schema.used, table.columns, strict=True):
        dtype = like.dtypes[column.name] if like else pl.String()
        if column.kind.has_levels:
            levels = _levels(level_texts(column, int(values.max(initial=0))), written.get(column.name, {}), dtype)
            series = levels.gather(values.astype(np.int64))
        else:
            series = _numbers(column, values.astype(np.float64), dtype, texts)
        found.append(series.alias(column.name))
    return pl.DataFrame(found)


def as_pandas(frame: pl.DataFrame) -> Any:
    """Give a frame as one of pandas, without pyarrow."""
    try:
        import pandas as pd
    except ImportError as error:
        raise ConfigError("a pandas data frame is needed here, and pandas is not installed") from error
    return pd.DataFrame({series.name: _pandas_values(series) for series in frame.get_columns()})


def _as_arrow(frame: pl.DataFrame) -> Any:
    """Give a frame as an Arrow table; names travel apart, since Polars panics at one with a zero character in it."""
    numbered = frame.clone()
    numbered.columns = [str(at) for at in range(frame.width)]
    return numbered.to_arrow().rename_columns(frame.columns)


@dataclass(frozen=True, eq=False)
class FrameKind:
    """The kind of frame that a user works with; for pandas also the labels of the rows of the table given."""

    library: str
    labels: Any = None

    def frame(self, frame: pl.DataFrame) -> Any:
        """Give a frame of this kind; Polars for a path and for all that is neither of pandas nor Arrow."""
        if self.library == "pandas":
            return as_pandas(frame)
        return _as_arrow(frame) if self.library == "pyarrow" else frame

    def by_row(self, frame: pl.DataFrame) -> Any:
        """Give a frame of this kind, for pandas under the labels of the rows that its column `row` numbers from 1."""
        found = self.frame(frame)
        return found.set_axis(self.labels.take(frame["row"].to_numpy() - 1)) if self.library == "pandas" else found


def kind_of(given: object) -> FrameKind:
    """Tell the kind of a table as it was given."""
    library = type(given).__module__.partition(".")[0]
    return FrameKind(library, getattr(given, "index", None) if library == "pandas" else None)


def as_given(frame: pl.DataFrame, given: object) -> Any:
    """Give a frame of the kind that was given."""
    return kind_of(given).frame(frame)


def check_suffix(path: Path) -> None:
    """Refuse a file whose name does not say what to write."""
    if not path.name.lower().endswith(SUFFIXES):
        raise ConfigError(f"{path} does not say what to write; its name should end with one of {', '.join(SUFFIXES)}")


def write_files(frame: pl.DataFrame, path: Path, beside: Mapping[str, str], *, is_raw: bool = False) -> None:
    """Write a frame, and beside it texts by their file names; all or none, for their owner alone.

    In CSV, texts that a spreadsheet would run get an apostrophe, which is not read; `is_raw` leaves them as they are.
    """
    check_suffix(path)
    is_text = path.name.lower().endswith((".csv", ".csv.gz"))
    with whole_files(path.parent) as hidden:
        _write(without_formulas(frame) if is_text and not is_raw else frame, hidden / path.name)
        for name, text in beside.items():
            (hidden / name).write_text(text, encoding="utf-8", newline="")


def without_formulas(frame: pl.DataFrame) -> pl.DataFrame:
    """Defuse names and texts."""
    return pl.DataFrame([_defused(series).alias(formulas.defuse(series.name)) for series in frame.get_columns()])


def _defused(series: pl.Series) -> pl.Series:
    if isinstance(series.dtype, pl.Categorical | pl.Enum):
        series = series.cast(pl.String)
    if series.dtype != pl.String:
        return series
    is_run = series.str.contains(formulas.DANGEROUS) & ~series.str.contains(formulas.HARMLESS)
    return ("'" + series).zip_with(is_run.fill_null(False), series)


def _write(frame: pl.DataFrame, path: Path) -> None:
    name = path.name.lower()
    if name.endswith(".csv"):
        frame.write_csv(path)
    elif name.endswith(".csv.gz"):
        with path.open("wb") as file, gzip.GzipFile(filename="", mode="wb", fileobj=file, mtime=0) as packed:
            frame.write_csv(packed)  # type: ignore[call-overload]
    elif name.endswith((".parquet", ".pq")):
        frame.write_parquet(path)
    else:
        frame.write_ipc(path)


def _numbers(column: Column, numbers: Floats, dtype: pl.DataType, texts: bool) -> pl.Series:
    if column.kind is Kind.DATE:
        return _dates(column, numbers, dtype, texts)
    known = numbers[~np.isnan(numbers)]
    found = pl.Series(numbers).fill_nan(None)
    is_whole = bool((known == np.floor(known)).all() and (np.abs(known) < _EXACT).all())
    return found.cast(pl.Int64) if is_whole and not dtype.is_float() else found


def level_texts(column: Column, last: int) -> tuple[str, ...]:
    """Give the texts of the codes from 1 to `last`, at least of all levels; those beyond have names of their own."""
    taken, new, number = set(column.levels), list[str](), 0
    while len(column.levels) + len(new) < last:
        number += 1
        new += [f"new {number}"] if f"new {number}" not in taken else []
    return (*column.levels, *new)


def _levels(levels: Sequence[str], written: Mapping[str, str], dtype: pl.DataType) -> pl.Series:
    """Give the value of each code: nothing, then the levels as they are written, of a type that holds them all."""
    values = pl.Series([None, *(written.get(level, level) for level in levels)], dtype=pl.String)
    if dtype == pl.Boolean:
        typed = values.replace_strict({"true": True, "false": False}, return_dtype=dtype, default=None)
    elif dtype.is_numeric():
        typed = values.cast(dtype, strict=False)
    else:
        return values
    return typed if typed.null_count() == 1 else values


def _written(columns: Sequence[Column], like: Source) -> Mapping[str, Mapping[str, str]]:
    """Find in one pass how the levels of a table are written, the first way of each."""
    asked = [column.name for column in columns if column.kind.has_levels]
    distinct = (text(like, name).unique(maintain_order=True).implode().alias(str(at)) for at, name in enumerate(asked))
    frame = like.collect(like.frame.select(distinct))
    found: dict[str, Mapping[str, str]] = {}
    for at, name in enumerate(asked):
        texts = frame[str(at)].explode().drop_nulls().to_list()
        # The first way comes last into the mapping, and stays.
        found[name] = dict(reversed(list(zip(canonical_texts(texts), texts, strict=True))))
    return found


def _dates(column: Column, days: Floats, dtype: pl.DataType, texts: bool) -> pl.Series:
    gaps = np.isnan(days)
    ticks = np.round(np.where(gaps, 0.0, days) * _DAY).astype(np.int64)
    moments = pl.Series(ticks).cast(pl.Datetime("us")).set(pl.Series(gaps), None)
    is_whole = not (ticks % _DAY).any()
    if isinstance(dtype, pl.Datetime):
        zoned = (
            moments.dt.replace_time_zone("UTC").dt.convert_time_zone(dtype.time_zone) if dtype.time_zone else moments
        )
        return zoned.cast(dtype)
    if texts and column.format and dtype == pl.String:
        return moments.dt.strftime(column.format.replace(_ZONE, "+00:00"))
    return moments.cast(pl.Date) if is_whole and (texts or isinstance(dtype, pl.Date)) else moments


def _pandas_values(series: pl.Series) -> Any:
    """Give what a column of pandas can be made of: floats where whole numbers have gaps, None where texts have."""
    series = series.alias("values")  # since Polars reads names such as ^a$ as patterns
    if series.dtype.is_integer() and series.null_count():
        series = series.cast(pl.Float64)
    if series.dtype.is_numeric():
        return series.fill_null(float("nan")).to_numpy() if series.dtype.is_float() else series.to_numpy()
    return series.to_numpy() if isinstance(series.dtype, pl.Datetime) else series.to_list()
