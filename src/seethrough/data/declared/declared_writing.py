"""Writing a table by its declared schema: names, order, types and texts are the same whatever the records are.

A category is text as the schema spells it; whole numbers, numbers and true or false have their own types where every
level is spelt as one. A number declared as whole is a whole number, any other a float, rounded where decimals are
declared. A date is text where a format is declared, else a day where it is declared as whole, else a moment.
"""

import re

import numpy as np
import polars as pl

from seethrough.data.canonical import canonical_texts
from seethrough.data.declared.declared_reading import declared_ends
from seethrough.data.schema import Column, Kind, Schema
from seethrough.data.table import Array, Table
from seethrough.errors import SchemaMismatch
from seethrough.kernels.arrays import Floats

_PLAIN_WHOLE = re.compile(r"0|-?[1-9][0-9]{0,17}")
_EXACT = float(2**53)
_DAY = 86_400_000_000
_ZONE = "%#z"


def declared_frame(table: Table, declared: Schema) -> pl.DataFrame:
    """Give the values of a table that was made under a schema, with the types and texts that the schema declares."""
    found = []
    for name, values in zip([column.name for column in table.schema.used], table.columns, strict=True):
        column = declared[name]
        if column.kind.has_levels:
            series = _categories(column, values)
        elif column.kind is Kind.DATE:
            series = _dates(column, np.clip(values.astype(np.float64), *declared_ends(column)))
        else:
            series = _numbers(column, values.astype(np.float64))
        found.append(series.alias(name))
    return pl.DataFrame(found)


def _categories(column: Column, codes: Array) -> pl.Series:
    spelt: dict[str, str] = {}
    for level, text in zip(canonical_texts(column.levels), column.levels, strict=True):
        spelt.setdefault(level, text)
    texts = list(spelt.values())
    if int(codes.max(initial=0)) > len(texts):
        raise SchemaMismatch(f"column {column.name!r} was drawn with a level that the schema does not declare")
    values = pl.Series([None, *texts], dtype=pl.String)
    if dtype := _level_type(texts):
        values = values == "true" if dtype == pl.Boolean else values.cast(dtype)
    return values.gather(codes.astype(np.int64))


def _level_type(texts: list[str]) -> type[pl.DataType] | None:
    """Find the type in which every level is written as it is spelt; none where that is text."""
    if set(texts) <= {"true", "false"}:
        return pl.Boolean
    if all(map(_PLAIN_WHOLE.fullmatch, texts)):
        return pl.Int64
    return pl.Float64 if all(map(_is_plain_float, texts)) else None


def _is_plain_float(text: str) -> bool:
    try:
        return repr(float(text)) == text and np.isfinite(float(text))
    except ValueError:
        return False


def _numbers(column: Column, numbers: Floats) -> pl.Series:
    low, high = declared_ends(column)
    if not column.whole or max(abs(low), abs(high)) >= _EXACT or np.ceil(low) > np.floor(high):
        rounded = numbers if column.decimals is None else np.round(numbers, column.decimals)
        return pl.Series(np.clip(rounded, low, high) + 0.0).fill_nan(None)
    whole = np.clip(np.round(numbers), np.ceil(low), np.floor(high))
    return pl.Series(whole).fill_nan(None).cast(pl.Int64)


def _dates(column: Column, days: Floats) -> pl.Series:
    gaps = np.isnan(days)
    unit = _DAY if column.whole else 1
    ticks = np.round(np.where(gaps, 0.0, days) * (_DAY / unit)).astype(np.int64) * unit
    moments = pl.Series(ticks).cast(pl.Datetime("us")).set(pl.Series(gaps), None)
    if column.format:
        return moments.dt.strftime(column.format.replace(_ZONE, "+00:00"))
    return moments.cast(pl.Date) if column.whole else moments
