"""Labels: how a person names something together with its parameters, as `privbayes:epsilon=1,degree=3`.

A part without "=" is a variant: `recon:robust` is `recon:variant=robust`.
"""

from collections.abc import Mapping
from typing import Any

from seethrough.errors import ConfigError


def parse_label(text: str) -> tuple[str, dict[str, str]]:
    """Split a label into a name and its parameters, as texts."""
    name, _, rest = text.strip().partition(":")
    found: dict[str, str] = {}
    for part in filter(None, (part.strip() for part in rest.split(","))):
        key, equals, value = (piece.strip() for piece in part.partition("="))
        key, value = (key, value) if equals else ("variant", key)
        if not key or key in found:
            raise ConfigError(f"{text!r} is no label such as NAME:PARAMETER=VALUE,PARAMETER=VALUE")
        found[key] = value
    return name, found


def label_of(name: str, params: Mapping[str, Any]) -> str:
    """Write a label the one way that equal parameters are written in."""
    parts = (_written(key, params[key]) for key in sorted(params, key=lambda key: (key != "variant", key)))
    return f"{name}:{','.join(parts)}" if params else name


def _written(key: str, value: Any) -> str:
    if key == "variant":
        return str(value)
    if isinstance(value, bool) or value is None:
        return f"{key}={str(value).lower()}"
    if isinstance(value, float):
        return f"{key}={value:g}"
    return f"{key}={'+'.join(map(str, value)) if isinstance(value, tuple | list) else value}"
