"""Values by meaning: `1`, `1.0`, `"1"` and `" 1 "` are one level, whatever type they are stored in.

The canonical text of a number is its shortest decimal form; whole numbers keep all their digits.
Digits with a leading zero are text ("007" is not 7), since such zeros carry meaning in codes. An
exponent counts only with a point or a sign (1e+20, 1.5e3), as programs write floats: "1E5" is
more often a code. True and False in any case are `true` and `false`, and neither is 1 or 0.
"""

import re
from collections.abc import Iterable

import polars as pl

from seethrough.data.files.sources import Source
from seethrough.data.schema import Column
from seethrough.errors import DataError

MISSING_TEXTS = frozenset({"", "NA", "N/A", "NaN", "nan", "null", "NULL", "<NA>"})
BOOLEAN_TEXTS = frozenset({"true", "false"})
NOT_A_NUMBER_HERE = float("inf")
"""What `number` gives for a value that is present and no finite number."""

_WHOLE = r"^[+-]?(?:0|[1-9][0-9]*)(?:\.0*)?$"
_FRACTION = r"^[+-]?(?:0|[1-9][0-9]*)?\.[0-9]+$"
_EXPONENT = r"^[+-]?(?:0|[1-9][0-9]*)(?:\.[0-9]*[eE][+-]?[0-9]+|[eE][+-][0-9]+)$"
_LEADING_ZERO = re.compile(r"[+-]?0[0-9]")
_EXACT_WHOLE = 1e38
"""Below the largest Int128."""


def text(source: Source, name: str) -> pl.Expr:
    """Give any column as text without outer blanks; missing values may be null or one of the missing texts."""
    column, dtype = source.column(name), source.dtypes[name]
    match dtype:
        case pl.String() | pl.Categorical() | pl.Enum():
            return column.cast(pl.String).str.strip_chars()
        case pl.Datetime():
            utc = column.dt.convert_time_zone("UTC").dt.replace_time_zone(None) if dtype.time_zone else column
            return utc.dt.strftime("%Y-%m-%d %H:%M:%S%.f")
        case pl.Boolean() | pl.Date() | pl.Time() | pl.Null():
            return column.cast(pl.String)
        case _ if dtype.is_numeric():
            return column.cast(pl.String)
    raise DataError(f"{source.name}: column {name!r} is of type {dtype}; numbers, text, booleans or dates are expected")


def canonical(texts: pl.Expr) -> pl.Expr:
    """Give texts their canonical form."""
    whole = texts.str.strip_prefix("+").str.replace(r"\.0*$", "").str.replace("^-0$", "0")
    number = texts.cast(pl.Float64, strict=False)
    is_number = (texts.str.contains(_FRACTION) | texts.str.contains(_EXPONENT)) & number.is_finite()
    is_whole = (number == number.floor()) & (number.abs() < _EXACT_WHOLE)
    lowered = texts.str.to_lowercase()
    return (
        pl.when(texts.str.contains(_WHOLE))
        .then(whole)
        .when(is_number & is_whole)
        .then(number.cast(pl.Int128, strict=False).cast(pl.String))
        .when(is_number)
        .then(number.cast(pl.String))
        .when(lowered.is_in(sorted(BOOLEAN_TEXTS)))
        .then(lowered)
        .otherwise(texts)
    )


def canonical_texts(texts: Iterable[str]) -> list[str]:
    """Give the canonical form of texts that are at hand."""
    found = pl.Series(list(texts), dtype=pl.String).to_frame("text").select(canonical(pl.col("text").str.strip_chars()))
    return found.to_series().to_list()


def missing_texts(column: Column) -> list[str]:
    """List the texts that mean "missing" in a column: the usual ones unless declared as a level, and its own."""
    return sorted((MISSING_TEXTS - set(column.levels)) | set(column.missing))


def present(texts: pl.Expr, missing: Iterable[str]) -> pl.Expr:
    """Turn the missing texts into nulls."""
    return pl.when(texts.is_in(list(missing)).not_()).then(texts)


def number(source: Source, column: Column) -> pl.Expr:
    """Read a column as numbers: null where missing, infinite where there is something else than a finite number."""
    dtype = source.dtypes[column.name]
    exact = dtype.is_numeric() and not isinstance(dtype, pl.Float32 | pl.Decimal)
    # The shortest text of a Float32 is the number meant; its bits continued to Float64 are another one.
    texts = text(source, column.name)
    values = source.column(column.name).cast(pl.Float64) if exact else texts.cast(pl.Float64, strict=False)
    codes = [code for code in map(_float, column.missing) if code is not None]
    known = pl.when(values.is_in(codes).not_()).then(values) if codes else values
    if exact:
        return known.fill_nan(None)
    is_bad = values.is_null() & present(texts, missing_texts(column)).is_not_null()
    return pl.when(is_bad).then(NOT_A_NUMBER_HERE).otherwise(known.fill_nan(None))


def is_number(level: str) -> bool:
    """Tell whether a canonical text is a number."""
    return not _LEADING_ZERO.match(level) and _float(level) is not None


def by_meaning(levels: Iterable[str]) -> list[str]:
    """Sort canonical texts: by number where all are numbers, else as text."""
    listed = sorted(levels)
    return sorted(listed, key=float) if all(map(is_number, listed)) else listed


def _float(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if abs(value) < float("inf") and "_" not in text else None
