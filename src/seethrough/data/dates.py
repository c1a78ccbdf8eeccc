"""Dates as numbers: days since 1970-01-01 in UTC, the time of day as a fraction."""

from collections.abc import Iterable, Sequence

import polars as pl

FORMATS: Sequence[str] = (
    "%Y-%m-%d",
    "%Y-%m-%d %H:%M:%S%.f",
    "%Y-%m-%dT%H:%M:%S%.f",
    "%Y-%m-%d %H:%M",
    "%Y-%m-%dT%H:%M",
    "%Y-%m-%d %H:%M:%S%.f%#z",
    "%Y-%m-%dT%H:%M:%S%.f%#z",
    "%d/%m/%Y",
    "%m/%d/%Y",
    "%d.%m.%Y",
    "%Y/%m/%d",
    "%d/%m/%Y %H:%M:%S",
    "%m/%d/%Y %H:%M:%S",
    "%d.%m.%Y %H:%M:%S",
    "%Y/%m/%d %H:%M:%S",
    "%d/%m/%Y %H:%M",
    "%m/%d/%Y %H:%M",
    "%d.%m.%Y %H:%M",
    "%Y/%m/%d %H:%M",
)
"""Tried in this order; the ISO forms, which have one meaning only, come first."""

ISO_FORMATS = tuple(form for form in FORMATS if form.startswith("%Y-"))
_DAY = 86_400_000_000
_FIRST_YEAR = 1000
"""An earlier year is a year of two digits read as one of four."""


def days_of_text(texts: pl.Expr, form: str) -> pl.Expr:
    """Read dates written in one format; null where the text is not such a date."""
    moment = texts.str.to_datetime(form, time_unit="us", strict=False, exact=True)
    if form.endswith(("z", "%+")):
        moment = moment.dt.replace_time_zone(None)
    return pl.when(moment.dt.year() >= _FIRST_YEAR).then(moment.dt.timestamp("us") / _DAY)


def days_of_typed(column: pl.Expr, dtype: pl.Date | pl.Datetime) -> pl.Expr:
    """Read a column of dates or of moments, those with a time zone as UTC."""
    if isinstance(dtype, pl.Datetime) and dtype.time_zone:
        column = column.dt.convert_time_zone("UTC").dt.replace_time_zone(None)
    return column.cast(pl.Datetime("us")).dt.timestamp("us") / _DAY


def days_of_any(texts: pl.Expr, form: str | None) -> pl.Expr:
    """Read dates in the column's own format or in an ISO form, which other programs may have written instead."""
    forms = ISO_FORMATS if form is None else (form, *ISO_FORMATS)
    return pl.coalesce([days_of_text(texts, each) for each in forms])


def fitting_formats(texts: Iterable[str]) -> tuple[str, ...]:
    """List the formats in which all these texts are dates."""
    column = pl.Series("text", list(texts), dtype=pl.String).to_frame()
    parsed = column.select(days_of_text(pl.col("text"), form).is_not_null().all().alias(form) for form in FORMATS)
    return tuple(form for form in FORMATS if parsed[form].item())
