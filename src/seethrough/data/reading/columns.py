"""Columns as read: canonical levels or numbers, before tables are fitted to each other."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import isinf, nan

import numpy as np
import numpy.typing as npt
import polars as pl

from seethrough.data.canonical import canonical, canonical_texts, missing_texts, number, present, text
from seethrough.data.dates import days_of_any, days_of_typed
from seethrough.data.files.sources import Source
from seethrough.data.reading.folding import visible_text
from seethrough.data.schema import Column, Kind
from seethrough.errors import DataError, SchemaMismatch
from seethrough.kernels.arrays import Floats

LevelCodes = npt.NDArray[np.uint32]
_SHOWN = 40
LARGEST_NUMBER = 1e100
"""Numbers beyond it are refused: their squares, summed over rows, have to be numbers."""
_WHOLE = (pl.Int8, pl.Int16, pl.Int32, pl.Int64, pl.UInt8, pl.UInt16, pl.UInt32)
_NARROW = 1 << 20
"""Range of whole numbers that are looked up in a table."""


@dataclass(frozen=True, eq=False)
class ColumnLevels:
    """A column of categories: for each row where to look in `levels`, whose first entry is missing."""

    codes: LevelCodes
    levels: tuple[str | None, ...]

    @property
    def present(self) -> tuple[str, ...]:
        """The levels that occur, each once."""
        return tuple(dict.fromkeys(level for level in self.levels if level is not None))

    @property
    def has_missing(self) -> bool:
        """Tell whether a value is missing."""
        gaps = np.array([level is None for level in self.levels])
        return bool(gaps[self.codes].any())


def read_columns(source: Source, columns: Sequence[Column], authority: str) -> dict[str, ColumnLevels | Floats]:
    """Read columns in one pass; `authority` is what a value of another type is held against."""
    query = source.frame.select(_expression(source, column).alias(column.name) for column in columns)
    frame = source.collect(query)
    found: dict[str, ColumnLevels | Floats] = {}
    for column in columns:
        # Taking each column out of the frame frees its memory before the next one is copied.
        # Polars reads names such as ^a$ as patterns, in methods of a series too.
        series = frame.drop_in_place(column.name).alias("values")
        if column.kind.has_levels:
            found[column.name] = _levels(column, *_codes_and_texts(series))
            continue
        is_text = isinstance(series.dtype, pl.Categorical)
        values = _days(column, *_codes_and_texts(series)) if is_text else series.fill_null(float("nan")).to_numpy()
        if np.isinf(values).any() and isinstance(source.dtypes[column.name], pl.String):
            values = _visible_numbers(source, column, values)
        found[column.name] = _finite(source, column, values, authority)
    return found


def _visible_numbers(source: Source, column: Column, values: Floats) -> Floats:
    """Read once more what is no number, without characters that nobody sees."""
    if column.kind is not Kind.NUMERIC:
        return values
    shown = replace(source, frame=source.frame.select(visible_text(source.column(column.name)).alias(column.name)))
    shown = replace(shown, dtypes={column.name: pl.String()})
    again = shown.collect(shown.frame.select(number(shown, column))).to_series().fill_null(float("nan")).to_numpy()
    return np.asarray(again, dtype=np.float64)


def read_piece(source: Source, columns: Sequence[Column], authority: str) -> dict[str, ColumnLevels | Floats]:
    """Read columns of rows that are in memory; whole numbers that are categories need not be written out for that."""
    frame = source.collect(source.frame)
    quick = [column for column in columns if column.kind.has_levels and source.dtypes[column.name] in _WHOLE]
    others = [column for column in columns if column not in quick]
    found = read_columns(source, others, authority) if others else {}
    for column in quick:
        found[column.name] = _levels(column, *_codes_of_whole(frame[column.name].alias("values")))
    return found


def _codes_of_whole(series: pl.Series) -> tuple[LevelCodes, pl.DataFrame]:
    """Split a series of whole numbers as if it were text: each different one is written once."""
    different = series.drop_nulls().unique().sort()
    values = series.fill_null(different[0] if len(different) else 0).to_numpy().astype(np.int64)
    numbers = different.to_numpy().astype(np.int64)
    texts = pl.concat([pl.Series([None], dtype=pl.String), different.cast(pl.String)]).to_frame("text")
    if len(numbers) and numbers[-1] - numbers[0] < _NARROW:
        place = np.zeros(numbers[-1] - numbers[0] + 1, np.uint32)
        place[numbers - numbers[0]] = np.arange(len(numbers))
        codes = place[values - numbers[0]] + np.uint32(1)
    else:
        codes = (np.searchsorted(numbers, values) + 1).astype(np.uint32)
    if series.null_count():
        codes[series.is_null().to_numpy()] = 0
    return codes, texts


def _expression(source: Source, column: Column) -> pl.Expr:
    dtype = source.dtypes[column.name]
    if column.kind is Kind.NUMERIC:
        return number(source, column)
    if column.kind is Kind.DATE and isinstance(dtype, pl.Date | pl.Datetime):
        return days_of_typed(source.column(column.name), dtype)
    # Distinct texts are few beside rows: each is made canonical, or parsed as a date, once.
    return text(source, column.name).cast(pl.Categorical(pl.Categories.random()))


def _codes_and_texts(series: pl.Series) -> tuple[LevelCodes, pl.DataFrame]:
    """Split a categorical series into codes from 1 on, 0 where null, and the texts that they stand for."""
    dtype = series.dtype
    assert isinstance(dtype, pl.Categorical)
    texts = dtype.categories.to_series().to_frame("text")
    nothing = pl.DataFrame({"text": [None]}, schema={"text": pl.String})
    return (series.to_physical() + 1).fill_null(0).to_numpy(), pl.concat([nothing, texts])


def _levels(column: Column, codes: LevelCodes, texts: pl.DataFrame) -> ColumnLevels:
    own = canonical_texts(column.missing)
    found = texts.select(canonical(present(pl.col("text"), missing_texts(column))).alias("text"))
    return ColumnLevels(codes, tuple(found.select(present(pl.col("text"), own)).to_series().to_list()))


def _days(column: Column, codes: LevelCodes, texts: pl.DataFrame) -> Floats:
    written = present(pl.col("text"), missing_texts(column))
    days = texts.with_columns(days=days_of_any(written, column.format), is_there=written.is_not_null())
    bad = pl.col("is_there") & pl.col("days").is_null()
    values = days.select(pl.when(bad).then(float("inf")).otherwise(pl.col("days").fill_null(float("nan"))))
    return values.to_series().to_numpy()[codes]


def _finite(source: Source, column: Column, values: Floats, authority: str) -> Floats:
    """Refuse what is not a number; adding zero turns negative zero into zero."""
    bad = np.isinf(values) | (np.abs(values) > LARGEST_NUMBER)
    if bad.any():
        raise _bad_value(source, column, int(bad.argmax()), authority)
    return np.asarray(values + 0.0, dtype=np.float64)


def _bad_value(source: Source, column: Column, row: int, authority: str) -> DataError:
    value = source.collect(source.frame.select(source.column(column.name)).slice(row, 1)).item()
    where, place = f"{source.name}: column {column.name!r}", source.before + row + 1
    if _is_infinite(value):
        return DataError(f"{where} holds an infinite number in row {place}; finite numbers are expected")
    if _is_too_large(value):
        return DataError(
            f"{where} holds a number beyond {LARGEST_NUMBER:g} in row {place}; smaller numbers are expected"
        )
    shown = repr(value if isinstance(value, str) else str(value))
    shown = shown if len(shown) <= _SHOWN else shown[: _SHOWN - 1] + "…"
    wanted = "numbers" if column.kind is Kind.NUMERIC else _dates_as(column)
    said = f"{where} should hold {wanted} as {authority} has it, but row {place} holds another value"
    return SchemaMismatch(said, cell=shown)


def _dates_as(column: Column) -> str:
    return f"dates written {column.format}" if column.format else "dates"


def _is_infinite(value: object) -> bool:
    return isinf(_as_float(value))


def _is_too_large(value: object) -> bool:
    return abs(_as_float(value)) > LARGEST_NUMBER


def _as_float(value: object) -> float:
    try:
        return float(str(value))
    except ValueError:
        return nan
