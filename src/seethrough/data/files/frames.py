"""Data frames: whatever the user has, as a lazy Polars frame.

Polars frames are taken as they are, and what speaks the Arrow stream protocol (pyarrow tables,
DuckDB relations) needs no other package. Pandas frames are taken column by column, since Polars
reads them only where pyarrow is installed; one way for all also means one result for all.
"""

from collections.abc import Iterable
from typing import Any

import narwhals as nw
import polars as pl

from seethrough.data.files.csv_files import refuse_twins
from seethrough.errors import DataError

_NESTED = (bytes, bytearray, list, tuple, dict, set, frozenset)
_NOTHING = frozenset({"None", "nan", "NaN", "NaT", "<NA>"})
"""How Python, numpy and pandas write values that are not there."""


def frame_of(given: Any, name: str) -> pl.LazyFrame:
    """Take any data frame."""
    if isinstance(given, pl.LazyFrame):
        return given
    if isinstance(given, pl.DataFrame):
        return given.lazy()
    # The `columns` of an Arrow table are its values.
    names: Iterable[Any] = getattr(given, "column_names", getattr(given, "columns", ()))
    refuse_twins(name, [str(column) for column in names])
    try:
        frame = nw.from_native(given)
    except TypeError as error:
        if hasattr(given, "__arrow_c_stream__"):
            return pl.DataFrame(given).lazy()
        raise DataError(f"{name} is a {type(given).__name__}; a path or a data frame is expected") from error
    if isinstance(frame, nw.DataFrame) and frame.implementation.is_pandas_like():
        return _from_pandas(frame, name)
    return _through_arrow(given, frame)


def _through_arrow(given: Any, frame: nw.DataFrame[Any] | nw.LazyFrame[Any]) -> pl.LazyFrame:
    if hasattr(given, "__arrow_c_stream__"):
        return pl.DataFrame(given).lazy()
    eager = frame.collect("polars") if isinstance(frame, nw.LazyFrame) else frame
    return eager.to_polars().lazy()


def _from_pandas(frame: nw.DataFrame[Any], name: str) -> pl.LazyFrame:
    return pl.DataFrame(
        [_pandas_column(column, name).alias(str(column.name)) for column in frame.iter_columns()]
    ).lazy()


def _pandas_column(series: nw.Series[Any], table: str) -> pl.Series:
    dtype = series.dtype
    if isinstance(dtype, nw.Datetime):
        plain = series.dt.convert_time_zone("UTC").dt.replace_time_zone(None) if dtype.time_zone else series
        return pl.Series(plain.to_numpy())
    if dtype.is_numeric() or isinstance(dtype, nw.Boolean):
        return _with_nulls(series, False if isinstance(dtype, nw.Boolean) else 0)
    try:
        return pl.Series(_texts(series.to_list()), dtype=pl.String)
    except TypeError as error:
        raise DataError(f"{table}: column {series.name!r} holds {error} values; plain values are expected") from error


def _with_nulls(series: nw.Series[Any], stand_in: int) -> pl.Series:
    # pandas gives a column of objects for numbers with gaps unless the gaps are closed first.
    gaps = series.is_null().to_numpy()
    if not gaps.any():
        return pl.Series(series.to_numpy())
    values = pl.Series(series.fill_null(stand_in).to_numpy())
    return values.set(pl.Series(gaps), None)


def _texts(values: Iterable[object]) -> list[str | None]:
    return [value if isinstance(value, str) else _text(value) for value in values]


def _text(value: object) -> str | None:
    """Write a value that is not text; moments come out in an ISO form."""
    if isinstance(value, _NESTED):
        raise TypeError(type(value).__name__)
    text = str(value)
    if text in _NOTHING:
        return None
    return text.lower() if text in {"True", "False"} else text
