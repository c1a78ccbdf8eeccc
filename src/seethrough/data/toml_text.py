"""TOML as text: the few forms that a schema needs, with names and values as hostile text."""

import re
from datetime import date

from seethrough.text.printable import acts

_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
_EXACT = 2**53
_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}


def toml_key(name: str) -> str:
    """Write a key, in quotes unless it is plain."""
    return name if _BARE_KEY.fullmatch(name) else toml_value(name)


def toml_value(value: object) -> str:
    """Write a text, a truth value, a number, a date or a sequence of those."""
    match value:
        case str():
            return '"' + "".join(map(_escaped, value)) + '"'
        case bool():
            return "true" if value else "false"
        case float() if value.is_integer() and abs(value) < _EXACT:
            return str(int(value))
        case int() | float():
            return repr(value)
        case date():
            return value.isoformat()
        case tuple():
            return "[" + ", ".join(map(toml_value, value)) + "]"
    raise TypeError(type(value).__name__)


def _escaped(character: str) -> str:
    if character in _ESCAPES:
        return _ESCAPES[character]
    if not acts(character):
        return character
    return f"\\u{ord(character):04x}" if character <= "\uffff" else f"\\U{ord(character):08x}"
