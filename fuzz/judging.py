"""What every error and every number is held to."""

import json
import math
import re
from collections.abc import Iterator, Mapping
from typing import Any

from fuzz.case import Broken
from seethrough.errors import SeethroughError

CANARY = "Canary"
"""Begins cells of text that no message may repeat."""
LONGEST = 1500
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")
_SHARES = frozenset(
    {"p", "p_adjusted", "auc", "base_rate", "members", "outsiders", "membership_p", "majority", "share"}
)
_SHARES |= {"population_p", "smallest_rate", "false_discovery_rate", "certainty", "false_alarm_low", "tvd"}
"""Names under which a fraction is a share; a whole number may be a count."""
_SLACK = 1e-9


def expect_sentence(error: SeethroughError) -> None:
    """Expect one line of printable text that repeats no cell, but where values were asked for."""
    asked = error.__cause__
    said = str(asked if isinstance(asked, SeethroughError) and asked.cell is not None else error)
    kind = type(error).__name__
    if not said.strip():
        raise Broken(f"{kind} says nothing")
    if _CONTROL.search(said):
        raise Broken(f"{kind} has line breaks or control characters: {said[:300]!r}")
    if len(said) > LONGEST:
        raise Broken(f"{kind} is longer than {LONGEST} characters: {said[:300]!r}")
    if CANARY in said:
        raise Broken(f"{kind} repeats a cell: {said[:300]!r}")
    if "Traceback" in said or re.search(r"\b(0x[0-9a-f]{6,}|object at)\b", said):
        raise Broken(f"{kind} speaks of the inside of the program: {said[:300]!r}")


def expect_sound(found: Any, where: str) -> None:
    """Expect plain JSON in which every number is finite and every share is in [0, 1]."""
    try:
        json.dumps(found, allow_nan=False)
    except (TypeError, ValueError) as error:
        raise Broken(f"{where} cannot be written as JSON: {error}") from error
    for path, key, value in _walk(found, where, ""):
        if isinstance(value, Mapping):
            _expect_interval(path, value)
        elif key in _SHARES and isinstance(value, float) and not -_SLACK <= value <= 1 + _SLACK:
            raise Broken(f"{path} is {value!r}, which is no share")


def _expect_interval(path: str, value: Mapping[str, Any]) -> None:
    ends = [value.get(name) for name in ("low", "value", "high")]
    if all(isinstance(end, int | float) for end in ends):
        low, middle, high = ends
        if not low - _SLACK <= middle <= high + _SLACK:
            raise Broken(f"{path} is {middle!r}, outside its interval from {low!r} to {high!r}")


def _walk(value: Any, path: str, key: str) -> Iterator[tuple[str, str, Any]]:
    yield path, key, value
    if isinstance(value, Mapping):
        for name, each in value.items():
            yield from _walk(each, f"{path}.{name}", str(name))
    elif isinstance(value, list | tuple):
        for each in value:
            yield from _walk(each, f"{path}[]", key)


def expect_same(first: Any, second: Any, where: str) -> None:
    """Expect two plain values to be equal but for seconds."""
    ours, theirs = (json.dumps(_timeless(each), sort_keys=True, default=str) for each in (first, second))
    if ours != theirs:
        at = next((i for i, (a, b) in enumerate(zip(ours, theirs, strict=False)) if a != b), 0)
        shown = [each[max(0, at - 80) : at + 60] for each in (ours, theirs)]
        raise Broken(f"{where} differ: {shown[0]!r} and {shown[1]!r}")


def _timeless(value: Any) -> Any:
    if isinstance(value, Mapping):
        left_out = {"seconds", "timings", "digest", "made"}
        return {name: _timeless(each) for name, each in value.items() if name not in left_out}
    if isinstance(value, list | tuple):
        return [_timeless(each) for each in value]
    if isinstance(value, float) and math.isnan(value):
        return "NaN"
    return value
