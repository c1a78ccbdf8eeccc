"""Columns that were left out, compared all the same: an identifier that a release carries over names people."""

from collections.abc import Sequence
from dataclasses import dataclass

import polars as pl

from seethrough.data.canonical import canonical, missing_texts, present, text
from seethrough.data.files.sources import Source
from seethrough.data.schema import Column

UNIQUE = 0.9
"""A column left out is compared if so many of its real values are different."""


@dataclass(frozen=True)
class SharedIdentifiers:
    """How many rows of a table hold an identifier of the real table.

    `chance` is the share expected of whole numbers drawn from the real range; a plain counter of rows has chance 1.
    """

    column: str
    matched: int
    rows: int
    chance: float


def identifiers(real: Source, columns: Sequence[Column]) -> dict[str, pl.DataFrame]:
    """Collect the different values of the left-out columns that are nearly unique in the real table."""
    found = {}
    for column in columns:
        if column.is_used or column.name not in real.dtypes:
            continue
        values = _texts(real, column)
        different = values.unique()
        if len(values) and len(different) >= UNIQUE * len(values):
            found[column.name] = different
    return found


def find_shared_identifiers(
    source: Source, columns: Sequence[Column], known: dict[str, pl.DataFrame]
) -> tuple[SharedIdentifiers, ...]:
    """Count the rows of another table that hold an identifier of the real one."""
    told = []
    for column in columns:
        if column.name in known and column.name in source.dtypes:
            values, real = _texts(source, column), known[column.name]
            matched = len(values.join(real, on="text", how="semi"))
            told.append(SharedIdentifiers(column.name, matched, len(values), _chance(real)))
    return tuple(told)


def _texts(source: Source, column: Column) -> pl.DataFrame:
    missing = missing_texts(column)
    query = source.frame.select(canonical(present(text(source, column.name), missing)).alias("text"))
    return source.collect(query.drop_nulls())


def _chance(real: pl.DataFrame) -> float:
    whole = real.select(pl.col("text").cast(pl.Int64, strict=False)).to_series()
    if whole.null_count():
        return 0.0
    low, high = whole.min(), whole.max()
    assert isinstance(low, int)
    assert isinstance(high, int)
    return len(real) / (high - low + 1)
