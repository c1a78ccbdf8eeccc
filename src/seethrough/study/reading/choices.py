"""Choices of a plan: synthesizers, attacks and checks by name, with their parameters.

A choice is a label, as "privbayes:epsilon=1", "mine=privbayes:epsilon=1" or "recon:robust" (a variant), or a table, as
{ name = "command", label = "mine", ... }.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from seethrough.errors import ConfigError
from seethrough.plugins import labels
from seethrough.protocols.parameters import parameters, plain
from seethrough.study.reading.fields import Fields, at

Build = Callable[[str, Mapping[str, Any]], Any]
"""Makes what a name and parameters stand for; one of the catalog's."""


@dataclass(frozen=True)
class Choice:
    """Something by name: `given` are the parameters that were set, `identity` all that decides what it does."""

    label: str
    name: str
    given: Mapping[str, Any] = field(hash=False)
    identity: Mapping[str, Any] = field(hash=False, compare=False)
    extra: str = ""

    def message(self) -> dict[str, Any]:
        """Give what a worker needs to make it again."""
        return {"label": self.label, "name": self.name, "params": dict(self.given)}


def choices(fields: Fields, key: str, build: Build, default: tuple[str, ...] | None = None) -> tuple[Choice, ...]:
    """Read a list of choices and make each once, to see that it can be made."""
    given = fields.values.get(key, list(default) if default is not None else None)
    given = [given] if isinstance(given, str | Mapping) else given
    if not isinstance(given, list) or not given:
        raise ConfigError(f"{fields.where} lacks {key}; a list of names is expected")
    return tuple(_choice(each, f"{fields.place(key)}[{number}]", build) for number, each in enumerate(given, 1))


def _choice(given: object, where: str, build: Build) -> Choice:
    params: dict[str, Any]
    match given:
        case str():
            with at(where):
                label, name, params = _parsed(given, build)
        case {"name": str(name), **rest}:
            params = {str(key): value for key, value in rest.items()}
            label = params.pop("label", None)
        case _:
            raise ConfigError(f"{where} is {given!r}; a name, or a table with a name, is expected")
    if not (label is None or isinstance(label, str)):
        raise ConfigError(f"{where}.label is {label!r}; a text is expected")
    with at(where):
        made = build(name, params)
    told = plain(made)
    return Choice(
        label or _written(name, {key: told[key] for key in params}),
        name,
        params,
        {"name": name, "params": told, "version": version_of(made)},
        extra=getattr(getattr(made, "card", None), "extra", ""),
    )


def _parsed(text: str, build: Build) -> tuple[str | None, str, dict[str, Any]]:
    """Take a label apart: the user's own name if there is one, the name, the parameters."""
    label = labels.parse_label(text)
    own = label.shown if label.shown != text.strip() else None
    if label.text.strip() and "=" not in label.text:
        return own, label.name, {"variant": label.text.strip()}
    known = [parameter.name for parameter in parameters(build(label.name, {}))]
    return own, label.name, dict(labels.values(label, known))


def _written(name: str, params: Mapping[str, Any]) -> str:
    """Write a label the one way that equal parameters are written in."""
    parts = [str(params["variant"])] if "variant" in params else []
    parts += [f"{key}={_shown(value)}" for key, value in sorted(params.items()) if key != "variant"]
    return f"{name}:{','.join(parts)}" if parts else name


def _shown(value: Any) -> str:
    if isinstance(value, bool) or value is None:
        return str(value).lower()
    return f"{value:g}" if isinstance(value, float) else str(value).replace(", ", "+")


def version_of(made: object) -> int:
    """Give the version of what was made: the same input gives the same number as long as it stays."""
    return int(getattr(getattr(made, "card", made), "version", 1))
