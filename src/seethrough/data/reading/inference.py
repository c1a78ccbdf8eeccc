"""Inference: what each column is, with a reason that a person can check.

Rules read a `ColumnProfile` in this order: nothing there, date, identifier, number, category. What the
caller has declared wins over every rule.
"""

import re
from collections.abc import Iterable
from dataclasses import replace

from seethrough.data.canonical import BOOLEAN_TEXTS
from seethrough.data.reading.profile import FEW, ColumnProfile
from seethrough.data.schema import BINARY_LEVELS, Column, Kind, Role

_ROWS_PER_CATEGORY = 10
_ENOUGH_TEXTS = 20
_ENOUGH_NUMBERS = 50
_ENOUGH_DIGITS = 6
_MAY_SKIP = 2
"""Numbers that count rows may leave out every second one."""
READ_AS_MISSING = "read as missing"
"""Ends the reason of a column that has one text among its numbers; which text it is is a value, and not said here."""

_ID_NAME = re.compile(r"(?i:(?:^|[\s_.:-])(?:id|uuid|guid|index|idx|row)$|^unnamed: 0$)|[a-z]I[Dd]$")


def infer_column(found: ColumnProfile, declared: Column | None, named: Iterable[str]) -> Column:
    """Decide what a column is; `named` are the columns that the caller uses as secret or key."""
    if declared is not None and declared.kind is Kind.INFERRED:
        inferred = infer_column(found, None, {*named, found.name})
        return replace(inferred, role=declared.role, missing=declared.missing or inferred.missing)
    if declared is not None:
        return _declared(found, declared)
    if found.present == 0:
        return Column(found.name, Kind.CATEGORICAL, reason="no value at all, constant")
    column = _date(found) or _identifier(found, set(named)) or _number(found) or _category(found)
    if found.distinct == 1 and found.is_exact and found.present == found.rows:
        return replace(column, reason=f"{column.reason}, constant")
    return column


def _declared(found: ColumnProfile, declared: Column) -> Column:
    column = replace(declared, reason=declared.reason or "declared")
    if declared.kind is Kind.NUMERIC and not declared.missing and found.only_other is not None:
        reason = f"{column.reason}; one text {READ_AS_MISSING}"
        return replace(column, missing=(found.only_other,), reason=reason)
    if declared.kind is Kind.DATE and declared.format is None and found.formats:
        return replace(column, format=found.formats[0])
    return column


def _date(found: ColumnProfile) -> Column | None:
    if found.is_date_typed:
        return Column(found.name, Kind.DATE, reason="dates")
    if not found.formats:
        return None
    form, *others = found.formats
    reason = f"text in which every value is a date as {form}"
    if others:
        reason += f"; also readable as {others[0]}: set format if that is meant"
    return Column(found.name, Kind.DATE, format=form, reason=reason, whole="%H" not in form)


def _identifier(found: ColumnProfile, named: set[str]) -> Column | None:
    """Recognise a column that tells rows apart rather than describing them."""
    is_numeric = found.is_numeric and not found.has_leading_zeros
    why = _number_that_identifies(found) if is_numeric else _text_that_identifies(found)
    if why is None:
        return None
    kind = Kind.NUMERIC if is_numeric else Kind.CATEGORICAL
    if found.name in named:
        return Column(found.name, kind, reason=f"{why}, looks like an identifier, used because it was named")
    return Column(found.name, kind, Role.ID, reason=f"{why}, looks like an identifier, left out")


def _text_that_identifies(found: ColumnProfile) -> str | None:
    if found.is_nearly_distinct and found.present >= _ENOUGH_TEXTS and found.only_other is None:
        return f"text with {_count(found)} distinct values in {found.rows} rows"
    return "text, all distinct" if found.is_all_distinct and _ID_NAME.search(found.name) else None


def _number_that_identifies(found: ColumnProfile) -> str | None:
    if not (found.is_whole and found.is_all_distinct) or found.low is None or found.high is None:
        return None
    if _ID_NAME.search(found.name):
        return "whole numbers, all distinct"
    if found.present < _ENOUGH_NUMBERS:
        return None
    if found.high - found.low < _MAY_SKIP * found.present:
        return "whole numbers, all distinct and nearly consecutive"
    digits = {len(str(int(abs(end)))) for end in (found.low, found.high)}
    if len(digits) == 1 and min(digits) >= _ENOUGH_DIGITS and found.low > 0:
        return f"whole numbers of {min(digits)} digits, all distinct"
    return None


def _number(found: ColumnProfile) -> Column | None:
    if found.has_leading_zeros:
        return None
    if found.is_numeric:
        return _quantity(found)
    if found.only_other is not None and found.distinct - 1 > FEW:
        reason = f"numbers apart from one text, which is {READ_AS_MISSING}"
        return Column(found.name, Kind.NUMERIC, missing=(found.only_other,), reason=reason)
    return None


def _quantity(found: ColumnProfile) -> Column | None:
    if not found.is_whole:
        return Column(found.name, Kind.NUMERIC, reason="numbers with fractions")
    if found.distinct <= FEW and found.rows >= _ROWS_PER_CATEGORY * found.distinct:
        return None
    return Column(found.name, Kind.NUMERIC, reason=f"whole numbers with {_count(found)} distinct values", whole=True)


def _category(found: ColumnProfile) -> Column:
    kind = Kind.BINARY if found.distinct <= BINARY_LEVELS else Kind.CATEGORICAL
    return Column(found.name, kind, reason=_category_reason(found))


def _category_reason(found: ColumnProfile) -> str:
    count = found.distinct if found.is_exact else "many"
    values = f"{count} distinct {'value' if count == 1 else 'values'}"
    if found.is_whole and not found.has_leading_zeros:
        return f'integer with {values}, read as categories; set kind = "numeric" if they are quantities'
    if found.has_leading_zeros and found.is_numeric:
        return f"digits with leading zeros, {values}, read as categories"
    if found.only_other is not None:
        return f"numbers and one text, {values}, read as categories"
    if {str(found.first).lower(), str(found.last).lower()} <= BOOLEAN_TEXTS:
        return "true or false"
    return f"text with {values}"


def _count(found: ColumnProfile) -> str:
    return str(found.distinct) if found.is_exact else f"about {found.distinct}"
