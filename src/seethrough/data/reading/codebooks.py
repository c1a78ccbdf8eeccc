"""Fitting tables to each other: one schema completed from the real table, one codebook per column."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from seethrough.data.canonical import by_meaning, canonical_texts, is_number
from seethrough.data.reading.columns import ColumnLevels
from seethrough.data.reading.level_matching import match_levels
from seethrough.data.schema import BINARY_LEVELS, Column, Kind
from seethrough.data.table import MISSING, Array
from seethrough.errors import SchemaMismatch
from seethrough.kernels.arrays import Floats

_RENAMINGS = (
    ({"1": "true", "0": "false"}, "0 and 1 are read as false and true"),
    ({"true": "1", "false": "0"}, "false and true are read as 0 and 1"),
)


WRITTEN_OTHERWISE = (
    "written otherwise than in {real} (case, invisible or look-alike characters, padding, a prefix) and read as there"
)


def complete_column(column: Column, values: ColumnLevels | Floats, table: str) -> Column:
    """Fill in from the real table what a column leaves open."""
    if isinstance(values, ColumnLevels):
        return _with_levels(column, values, table)
    known = values[~np.isnan(values)]
    low, middle, high = (known.min(), np.median(known), known.max()) if len(known) else (0.0, 0.0, 0.0)
    return replace(
        column,
        low=float(low) if column.low is None else column.low,
        high=float(high) if column.high is None else column.high,
        fill=float(middle) if column.fill is None else column.fill,
    )


def _with_levels(column: Column, values: ColumnLevels, table: str) -> Column:
    levels = tuple(dict.fromkeys(canonical_texts(column.levels))) or tuple(by_meaning(values.present))
    if len(levels) > BINARY_LEVELS and column.kind is Kind.BINARY:
        raise SchemaMismatch(
            f"{table}: column {column.name!r} has {len(levels)} levels where the schema says binary, which has two"
        )
    return replace(column, levels=levels)


def renaming(column: Column, values: ColumnLevels, table: str, real: str) -> tuple[Mapping[str, str], tuple[str, ...]]:
    """Find how levels of another table are called in the real one, with a remark where they are strange."""
    ours, theirs = set(column.levels), set(values.present)
    if not ours or not theirs or theirs <= ours:
        return {}, ()
    where = f"{table}: column {column.name!r}"
    if not ours & theirs:
        for mapping, words in _RENAMINGS:
            if theirs <= mapping.keys() and ours <= set(mapping.values()):
                return mapping, (f"{where}: {words}, as {real} has them",)
    if met := match_levels(ours, theirs):
        values_are = "value is" if len(met) == 1 else "values are"
        return met, (f"{where}: {len(met)} {values_are} {WRITTEN_OTHERWISE.format(real=real)}",)
    if ours & theirs:
        return {}, ()
    _refuse_another_type(ours, theirs, where, real)
    return {}, (f"{where} has no value in common with {real}",)


def rename_levels(values: ColumnLevels, names: Mapping[str, str]) -> ColumnLevels:
    """Call levels what the real table calls them."""
    if not names:
        return values
    return ColumnLevels(
        values.codes, tuple(None if level is None else names.get(level, level) for level in values.levels)
    )


def _refuse_another_type(ours: set[str], theirs: set[str], where: str, real: str) -> None:
    for numeric, texts, found, expected in ((theirs, ours, "numbers", "text"), (ours, theirs, "text", "numbers")):
        if all(map(is_number, numeric)) and not any(map(is_number, texts)):
            raise SchemaMismatch(f"{where} is of another type: it holds {found} where {real} has {expected}")


def codebook(column: Column, tables: Iterable[ColumnLevels]) -> Mapping[str, int]:
    """Give codes to the schema's levels from 1 on, then to those that only a table has, table by table."""
    book = {level: code for code, level in enumerate(column.levels, MISSING + 1)}
    for table in tables:
        for level in by_meaning(set(table.present) - book.keys()):
            book[level] = len(book) + 1
    return book


def codebooks(
    columns: Sequence[Column], tables: Sequence[Mapping[str, ColumnLevels | Floats]]
) -> dict[str, Mapping[str, int]]:
    """Make the codebooks of all columns; that of a column of numbers is empty."""
    return {
        column.name: codebook(
            column, [values for each in tables if isinstance(values := each[column.name], ColumnLevels)]
        )
        for column in columns
    }


def encode_levels(values: ColumnLevels, book: Mapping[str, int]) -> Array:
    """Give the codes of a column under a codebook, in the smallest type that holds all codes of the book."""
    codes = [MISSING if level is None else book[level] for level in values.levels]
    return np.array(codes, dtype=np.min_scalar_type(len(book)))[values.codes]


def is_constant(values: ColumnLevels | Floats) -> bool:
    """Tell whether all rows hold the same; missing counts as a value."""
    if isinstance(values, ColumnLevels):
        return len(values.present) + values.has_missing <= 1
    gaps = np.isnan(values)
    return bool(gaps.all() or (not gaps.any() and values.min() == values.max()))


def as_arrays(
    columns: Sequence[Column],
    tables: Sequence[Mapping[str, ColumnLevels | Floats]],
    books: Mapping[str, Mapping[str, int]] | None = None,
) -> list[tuple[Array, ...]]:
    """Encode all tables, column by column, under codebooks that may be there already."""
    arrays: list[list[Array]] = [[] for _ in tables]
    books = codebooks(columns, tables) if books is None else books
    for column in columns:
        values, book = [table[column.name] for table in tables], books[column.name]
        for array, each in zip(arrays, values, strict=True):
            array.append(encode_levels(each, book) if isinstance(each, ColumnLevels) else each)
    return [tuple(array) for array in arrays]
