"""Identifiers of people, left out because they are nearly unique, looked for in every column of a release.

An identifier is reduced to its letters and digits, folded. It is found if a released value is the same so reduced, or,
from five characters on, if it stands inside a longer one. Identifiers of people outside are looked for in the same way:
those that are met as often are met by chance. Where people outside have none, the real ones written backwards serve.

Whole numbers may be met without being carried over: a counter of rows meets every counter. A column that counts its
rows in order is no sign, and `chance` is the share of identifiers that numbers drawn from their range would hit.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from seethrough.data.canonical import canonical, missing_texts, present, text
from seethrough.data.files.sources import Source
from seethrough.data.reading.folding import skeleton
from seethrough.data.schema import Column
from seethrough.data.shared_identifiers import SharedIdentifiers

UNIQUE = 0.9
"""A column left out is looked for if so many of its real values are different."""
LONG = 5
"""Characters from which on an identifier is looked for inside longer values."""
MOST = 100_000
"""Identifiers that are looked for; of more, so many are taken in the order of their text."""
IN_ORDER = 0.9
"""Share of rows that are one more than the row before, from which on a column counts rows."""
_OUTSIDERS, _BACKWARDS = "people outside", "the same identifiers written backwards"


@dataclass(frozen=True, eq=False)
class IdentifierColumn:
    """The different identifiers of real people and of others; `span` is the range of whole numbers, else None."""

    name: str
    real: pl.Series
    others: pl.Series
    against: str
    span: int | None


def collect_identifiers(
    real: Source, holdout: Source | None, columns: Sequence[Column], entity: str | None = None
) -> tuple[IdentifierColumn, ...]:
    """Collect the left-out columns that are nearly unique in the real table, and the one that names people."""
    found = []
    for column in columns:
        if column.is_used or column.name not in real.dtypes:
            continue
        values = _skeletons(real, column.name, missing_texts(column))
        different = values.unique().sort()
        if len(values) and (column.name == entity or len(different) >= UNIQUE * len(values)):
            found.append(_with_others(column, different, holdout))
    return tuple(found)


def _with_others(column: Column, real: pl.Series, holdout: Source | None) -> IdentifierColumn:
    against, others = _BACKWARDS, real.str.reverse()
    if holdout is not None and column.name in holdout.dtypes:
        theirs = _skeletons(holdout, column.name, missing_texts(column))
        against, others = (_OUTSIDERS, theirs) if len(theirs) else (against, others)
    others = others.filter(~others.is_in(real.implode())).unique().sort()
    return IdentifierColumn(column.name, _some(real), _some(others), against, _span(real))


def _some(values: pl.Series) -> pl.Series:
    return values if len(values) <= MOST else values.gather(np.linspace(0, len(values) - 1, MOST).astype(np.int64))


def _span(real: pl.Series) -> int | None:
    whole = real.cast(pl.Int64, strict=False)
    low, high = whole.min(), whole.max()
    if whole.null_count() or not isinstance(low, int) or not isinstance(high, int):
        return None
    return high - low + 1


def find_identifiers(source: Source, known: Sequence[IdentifierColumn]) -> tuple[SharedIdentifiers, ...]:
    """Look for identifiers in every column of a release."""
    if not known:
        return ()
    columns = [_released(source, name) for name in source.dtypes]
    return tuple(_shared(each, columns) for each in known)


@dataclass(frozen=True, eq=False)
class _Released:
    """The different values of a released column, reduced; whether it counts rows in order; characters of all values."""

    name: str
    values: pl.Series
    is_counter: bool
    size: int


def _released(source: Source, name: str) -> _Released:
    values = _skeletons(source, name, ())
    step = values.cast(pl.Int64, strict=False).diff().drop_nulls()
    is_counter = len(values) > 2 and bool((step.abs() == 1).sum() >= IN_ORDER * (len(values) - 1))
    different = values.unique()
    return _Released(name, different, is_counter, int(different.str.len_chars().sum()))


def _shared(known: IdentifierColumn, columns: Iterable[_Released]) -> SharedIdentifiers:
    found: set[str] = set()
    counted: set[str] = set()
    others: set[str] = set()
    places, trials = [], 0
    for column in columns:
        mine = _met(known.real, column.values)
        if known.span is not None and column.is_counter:
            counted |= mine
            continue
        found |= mine
        others |= _met(known.others, column.values)
        places += [column.name] if mine else []
        trials += column.size
    chance = 0.0 if known.span is None else -np.expm1(trials * np.log1p(-1 / max(known.span, 2)))
    return SharedIdentifiers(
        known.name,
        len(known.real),
        len(found),
        len(known.others),
        len(others),
        tuple(places),
        float(chance),
        known.against,
        len(found | counted) if counted else 0,
    )


def _met(identifiers: pl.Series, values: pl.Series) -> set[str]:
    """Give the identifiers that are values, or stand inside longer ones."""
    met = set(identifiers.filter(identifiers.is_in(values.implode())))
    long = identifiers.filter(identifiers.str.len_chars() >= LONG)
    if not len(long):
        return met
    wide = values.filter(values.str.len_chars() > long.str.len_chars().min())
    if len(wide):
        inside = wide.to_frame("text").select(pl.col("text").str.extract_many(long.to_list(), overlapping=True))
        met.update(inside.to_series().explode().drop_nulls())
    return met


def _skeletons(source: Source, name: str, missing: Iterable[str]) -> pl.Series:
    query = source.frame.select(skeleton(canonical(present(text(source, name), missing))).alias("text"))
    found = source.collect(query.drop_nulls()).to_series()
    return found.filter(found != "")


def unexplained_columns(source: Source, columns: Sequence[Column]) -> tuple[str, ...]:
    """Name the columns of a release that the real table lacks and that have a different value in nearly every row."""
    known = {column.name for column in columns}
    found = []
    for name in source.dtypes:
        if name not in known:
            values = _skeletons(source, name, ())
            if len(values) > 2 and values.n_unique() > UNIQUE * len(values):
                found.append(name)
    return tuple(found)
