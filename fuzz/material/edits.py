"""Edits of plain values: one place changed, removed, added to, put in another type, emptied or repeated."""

import copy
from collections.abc import Collection, Iterator
from typing import Any

from fuzz.case import Case
from seethrough.data.toml_text import toml_value

Place = tuple[Any, Any, tuple[str, ...]]
"""What holds a value, its key there, and the keys that lead to it."""


def places(value: Any, left_out: Collection[str] = (), path: tuple[str, ...] = ()) -> Iterator[Place]:
    """Walk over all places but those below the keys left out."""
    keys = list(value) if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    for key in keys:
        if key not in left_out:
            yield value, key, (*path, str(key))
            yield from places(value[key], left_out, (*path, str(key)))


def edit(case: Case, holder: Any, key: Any) -> str:
    """Edit what stands in one place, and say how."""
    value = holder[key]
    match case.pick(("value", "value", "value", "removed", "added", "type", "emptied", "twice")):
        case "removed":
            del holder[key]
            return "removed"
        case "added" if isinstance(value, dict):
            value["more"] = case.pick((0, None, "x", []))
            return "added to"
        case "type":
            holder[key] = case.pick((None, "x", [], {}, 0, True, -1.5, [[]], "1"))
            return "another type of"
        case "emptied" if isinstance(value, list | dict | str):
            holder[key] = type(value)()
            return "emptied"
        case "twice" if isinstance(value, list) and value:
            value.append(copy.deepcopy(value[0]))
            return "one more of"
    holder[key] = _other(case, value)
    return "changed"


def _other(case: Case, value: Any) -> Any:
    if isinstance(value, bool) or value is None:
        return not value
    if isinstance(value, int | float):
        return case.pick((value + 1, value * 1.001 + 1e-6, -value, 0, value / 2, round(value, 3), 10**6))
    if isinstance(value, str):
        return case.pick((value + " ", value[:-1], value.upper(), "no leak found", "x"))
    return case.pick(([], {}, None))


def as_toml(value: Any) -> str:
    """Write a plain value as TOML; what has no form there becomes an empty text."""
    if isinstance(value, list):
        return "[" + ", ".join(map(as_toml, value)) + "]"
    return '""' if value is None or isinstance(value, dict) else toml_value(value)
