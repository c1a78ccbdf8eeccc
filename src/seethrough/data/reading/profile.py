"""Survey: what a column holds, as counts and extremes; one streaming query for all columns.

Everything is asked of the column's text, so that a table is judged the same whether it comes as
CSV or typed. Distinct values are counted roughly in bounded memory; the exact count follows in a
second query only where a rule depends on it.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from math import isfinite

import polars as pl

from seethrough.data.canonical import present, text
from seethrough.data.dates import days_of_text, fitting_formats
from seethrough.data.files.sources import Source

FEW = 20
"""Up to so many distinct whole numbers may be categories."""

_ROUGHLY_FEW = 2 * FEW
_ROUGHLY_ALL = 0.9
"""The rough count of distinct values errs by a few per cent."""


@dataclass(frozen=True)
class ColumnProfile:
    """What one column holds; `formats` are those in which all its values are dates."""

    name: str
    rows: int
    present: int
    distinct: int
    is_exact: bool
    is_date_typed: bool
    numbers: int
    low: float | None
    high: float | None
    has_fractions: bool
    has_leading_zeros: bool
    first: str | None
    last: str | None
    first_other: str | None
    last_other: str | None
    formats: tuple[str, ...] = ()

    @property
    def is_numeric(self) -> bool:
        """Every value is a number."""
        return 0 < self.present == self.numbers

    @property
    def is_whole(self) -> bool:
        """Every value is a finite whole number."""
        ends = (self.low, self.high)
        return self.is_numeric and not self.has_fractions and all(end is not None and isfinite(end) for end in ends)

    @property
    def is_all_distinct(self) -> bool:
        """No value comes twice."""
        return self.is_exact and 0 < self.present == self.distinct

    @property
    def is_nearly_distinct(self) -> bool:
        """More than nine in ten values are distinct."""
        return self.distinct > _ROUGHLY_ALL * self.present > 0

    @property
    def only_other(self) -> str | None:
        """The single text that stands among numbers, if there is exactly one."""
        return self.first_other if 0 < self.numbers < self.present and self.first_other == self.last_other else None


def profile_column(source: Source, missing: Mapping[str, list[str]]) -> tuple[ColumnProfile, ...]:
    """Survey every column named in `missing`, which gives its texts for "missing"."""
    names = list(missing)
    texts = source.frame.select(
        present(text(source, name), missing[name]).alias(f"text {at}") for at, name in enumerate(names)
    )
    numbers = texts.with_columns(
        pl.col(f"text {at}").cast(pl.Float64, strict=False).alias(f"number {at}") for at in range(len(names))
    )
    found = source.collect(
        numbers.select(pl.len().alias("rows"), *(stat for at in range(len(names)) for stat in _stats(at)))
    ).row(0, named=True)
    columns = [_survey(name, source.dtypes[name], _of(found, at)) for at, name in enumerate(names)]
    return _refined(source, texts, columns)


def _stats(at: int) -> Iterable[pl.Expr]:
    texts, number = pl.col(f"text {at}"), pl.col(f"number {at}")
    others = pl.when(number.is_null()).then(texts)
    stats = {
        "present": texts.count(),
        "distinct": texts.approx_n_unique(),
        "numbers": number.count(),
        "low": number.min(),
        "high": number.max(),
        "has_fractions": (number != number.floor()).any(),
        "has_leading_zeros": texts.str.contains("^[+-]?0[0-9]").any(),
        "first": texts.min(),
        "last": texts.max(),
        "first_other": others.min(),
        "last_other": others.max(),
    }
    return [stat.alias(f"{key} {at}") for key, stat in stats.items()]


def _of(found: Mapping[str, object], at: int) -> dict[str, object]:
    mine = {key.removesuffix(f" {at}"): value for key, value in found.items() if key.endswith(f" {at}")}
    return {"rows": found["rows"], **mine}


def _survey(name: str, dtype: pl.DataType, found: dict[str, object]) -> ColumnProfile:
    return ColumnProfile(name=name, is_exact=False, is_date_typed=isinstance(dtype, pl.Date | pl.Datetime), **found)  # type: ignore[arg-type]


def _refined(source: Source, texts: pl.LazyFrame, columns: list[ColumnProfile]) -> tuple[ColumnProfile, ...]:
    """Add exact counts of distinct values and formats of dates where they matter."""
    few = {at for at, column in enumerate(columns) if column.distinct <= _ROUGHLY_FEW}
    many = {at for at, column in enumerate(columns) if column.is_whole and column.is_nearly_distinct} - few
    formats = {at: _possible_formats(column) for at, column in enumerate(columns)}
    counts = _exact_counts(source, texts, few, many)
    dates = _parsed_counts(source, texts, formats)
    return tuple(
        replace(
            column,
            distinct=counts.get(at, column.distinct),
            is_exact=at in counts,
            formats=tuple(form for form in formats[at] if dates[at, form] == column.present),
        )
        for at, column in enumerate(columns)
    )


def _possible_formats(column: ColumnProfile) -> tuple[str, ...]:
    """List the formats in which the first and the last text are dates; only those are tried on all."""
    if column.numbers or column.first is None or column.last is None:
        return ()
    return fitting_formats((column.first, column.last))


def _exact_counts(source: Source, texts: pl.LazyFrame, few: set[int], many: set[int]) -> dict[int, int]:
    """Count distinct values by codes or hashes, since Polars holds whole columns in memory to count them."""
    codes = [pl.col(f"text {at}").cast(pl.Categorical(pl.Categories.random(physical=pl.UInt16))) for at in sorted(few)]
    found = source.collect(texts.select(codes)).get_columns() if codes else []
    counts = {at: column.drop_nulls().n_unique() for at, column in zip(sorted(few), found, strict=True)}
    for at in many:
        hashes = pl.col(f"text {at}").drop_nulls().hash()
        counts[at] = source.collect(texts.select(hashes.n_unique())).item()
    return counts


def _parsed_counts(
    source: Source, texts: pl.LazyFrame, formats: Mapping[int, tuple[str, ...]]
) -> dict[tuple[int, str], int]:
    asked = [(at, form) for at, forms in formats.items() for form in forms]
    if not asked:
        return {}
    counts = [
        days_of_text(pl.col(f"text {at}"), form).count().alias(str(position))
        for position, (at, form) in enumerate(asked)
    ]
    return dict(zip(asked, source.collect(texts.select(counts)).row(0), strict=True))
