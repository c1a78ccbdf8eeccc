"""How a value of the report goes out: as it is, coarser by a named rule, or not at all."""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from seethrough.results.diagnostics import Artefact
from seethrough.results.estimate import Estimate

LAST_DIGIT = 0.01
_NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?")
_FEW = 10


@dataclass(frozen=True)
class Rule:
    """A rule by its name: it gets the object that holds the value, and the value, and gives what goes out."""

    name: str
    apply: Callable[[Any, Any], Any]


def coarse_count(number: int) -> int:
    """Round a count to two significant digits; a small one to tens."""
    if number < 100:
        return round(number / 10) * 10
    return int(float(f"{number:.1e}"))


def coarse_text(text: str) -> str:
    """Round the numbers in a sentence."""
    return _NUMBER.sub(lambda match: _coarse_number(match[0]), text)


def _coarse_number(text: str) -> str:
    number = float(text.replace(",", ""))
    if number < _FEW:
        return "few"
    return f"about {coarse_count(int(number)):,}"


def keep_inside(empty: object) -> Rule:
    """Keep a value inside; `empty` stands in its place."""
    return Rule("refused", lambda _, __: empty)


def always(value: object) -> Rule:
    """Say the same in every report for others."""
    return Rule("always the same", lambda _, __: value)


def _round(_: object, number: float | None) -> float | None:
    return None if number is None else round(number, 2)


def _significant(_: object, number: float | None) -> float | None:
    return None if number is None else float(f"{number:.2g}")


def _keep_sign(_: object, difference: Estimate | None) -> Estimate | None:
    """Round a difference so that an interval that left out 0 still does."""
    if difference is None:
        return None
    value, low, high = (round(number, 2) for number in (difference.value, difference.low, difference.high))
    if difference.low > 0:
        low = max(low, LAST_DIGIT)
        value, high = max(value, low), max(high, low)
    elif difference.high < 0:
        high = min(high, -LAST_DIGIT)
        value, low = min(value, high), min(low, high)
    return replace(difference, value=value, low=low, high=high)


def _in_hundredths(artefact: Artefact, found: int) -> int:
    share = 0 if artefact.share is None else round(100 * artefact.share)
    return max(share, 1) if found else share


AS_IS = Rule("as it is", lambda _, value: value)
COARSE_COUNT = Rule("a count with two significant digits", lambda _, number: coarse_count(number))
TWO_DIGITS = Rule("two digits after the point", _round)
TWO_SIGNIFICANT = Rule("two significant digits", _significant)
COARSE_TEXT = Rule("a sentence with rounded numbers", lambda _, text: coarse_text(text))
SIGN_KEPT = Rule("two digits, with the sign of the interval kept", _keep_sign)
IN_HUNDREDTHS = Rule("a count in hundredths of the whole", _in_hundredths)
HUNDRED = Rule("a hundred in place of the whole", lambda _, whole: 100 if whole else 0)
