"""Parameters of a check or an attack: its dataclass fields, described, validated, and set from text.

A parameter is a bool, a whole number, a number, a text, a tuple of texts or whole numbers (a user joins them with "+"),
or one of the texts of a `Literal`; it may also be None where its type says so. What a type cannot say, a check says in
`__post_init__`, with a `ConfigError`. A field that is a dataclass itself, as the attack that a check runs, is not a
parameter; its fields are.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields, is_dataclass, replace
from sys import float_info
from types import NoneType, UnionType
from typing import Any, Literal, TypeVar, get_args, get_origin, get_type_hints

from seethrough.errors import ConfigError, suggest_names
from seethrough.results.outcome import Value

C = TypeVar("C")


@dataclass(frozen=True)
class Parameter:
    """One parameter: what it may be and what it is."""

    name: str
    kind: str
    choices: tuple[str, ...]
    optional: bool
    value: Value


def parameters(check: object) -> tuple[Parameter, ...]:
    """Describe the parameters of a check."""
    if not is_dataclass(check):
        return ()
    hints = get_type_hints(type(check))
    found: list[Parameter] = []
    for field in fields(check):
        value = getattr(check, field.name)
        found += parameters(value) if is_dataclass(value) else [_described(field.name, hints[field.name], value)]
    return tuple(found)


def plain(check: object) -> dict[str, Value]:
    """Give the parameters of a check as plain values."""
    return {parameter.name: parameter.value for parameter in parameters(check)}


def stream_name(thing: object) -> str:
    """Name the random stream of a check or an attack: by what users call it and by its parameters.

    Never by its class, so that the program may be rearranged without a number moving.
    """
    name = getattr(getattr(thing, "card", thing), "name", type(thing).__name__)
    return f"{name} {sorted(plain(thing).items())}"


def validate(check: C, name: str) -> C:
    """Refuse a check, called `name`, with a parameter that is not of its type."""
    hints = get_type_hints(type(check)) if is_dataclass(check) else {}
    for field in fields(check) if is_dataclass(check) else ():
        value, hint = getattr(check, field.name), hints[field.name]
        if is_dataclass(value):
            validate(value, name)
            continue
        if not any(_fits(value, option) for option in _options(hint)):
            raise ConfigError(f"parameter {name}.{field.name} is {value!r}; {_expected(hint)} is expected")
        # The one parameter that all checks have, so its range is not left to each of them.
        if field.name == "confidence" and not 0 < value < 1:
            raise ConfigError(f"parameter {name}.confidence is {value!r}; a number between 0 and 1 is expected")
    return check


def with_values(check: C, name: str, values: Mapping[str, Any]) -> C:
    """Set parameters of a check, called `name`, from values of their type or from texts."""
    known = [parameter.name for parameter in parameters(check)]
    for key in values:
        if key not in known:
            hint = suggest_names(key, known, f"it has {', '.join(known) or 'none'}")
            raise ConfigError(f"{name} has no parameter {key!r}; {hint}")
    return validate(_replaced(check, name, values), name) if values else check


def _replaced(check: C, name: str, values: Mapping[str, Any]) -> C:
    """Set those values that are fields of the check or of a dataclass inside it."""
    hints = get_type_hints(type(check))
    found: dict[str, Any] = {}
    for field in fields(check):  # type: ignore[arg-type]
        inside = getattr(check, field.name)
        if is_dataclass(inside):
            found[field.name] = _replaced(inside, name, values)
        elif field.name in values:
            found[field.name] = _understood(values[field.name], hints[field.name], f"{name}.{field.name}")
    return replace(check, **found)  # type: ignore[type-var]


def _described(name: str, hint: Any, value: Any) -> Parameter:
    options = _options(hint)
    choices = tuple(choice for option in options if get_origin(option) is Literal for choice in get_args(option))
    kind = "choice" if choices else next(_name(option) for option in options if option is not NoneType)
    shown = ", ".join(map(str, value)) if isinstance(value, tuple) else value
    return Parameter(name, kind, choices, NoneType in options, shown)


def _options(hint: Any) -> tuple[Any, ...]:
    return get_args(hint) if get_origin(hint) is UnionType or isinstance(hint, UnionType) else (hint,)


def _name(option: Any) -> str:
    return {bool: "true or false", int: "whole number", float: "number", str: "text"}.get(option, "list")


def _fits(value: Any, option: Any) -> bool:
    if option is NoneType:
        return value is None
    if get_origin(option) is Literal:
        return value in get_args(option)
    if get_origin(option) is tuple:
        return isinstance(value, tuple) and all(type(item) is get_args(option)[0] for item in value)
    if option is float:
        return isinstance(value, float | int) and not isinstance(value, bool) and abs(value) <= float_info.max
    return type(value) is option if option in {bool, int, str} else True


def _expected(hint: Any) -> str:
    words = []
    for option in _options(hint):
        words += list(get_args(option)) if get_origin(option) is Literal else []
        words += ["none"] if option is NoneType else []
        words += [_name(option)] if get_origin(option) is not Literal and option is not NoneType else []
    return " or ".join(words)


def _understood(given: Any, hint: Any, where: str) -> Any:
    given = tuple(given) if isinstance(given, list) else given
    for option in _options(hint):
        if isinstance(given, str) and (value := _parsed_as(given, option)) is not ...:
            return value
        # Checked before the check is made, because its own `__post_init__` relies on the types.
        if not isinstance(given, str) and _fits(given, option):
            return given
    raise ConfigError(f"parameter {where} is {given!r}; {_expected(hint)} is expected")


def _parsed_as(text: str, option: Any) -> Any:
    if option is NoneType:
        return None if text.lower() == "none" else ...
    if get_origin(option) is Literal:
        return text if text in get_args(option) else ...
    if get_origin(option) is tuple:
        return _parsed_items([item.strip() for item in text.split("+") if item.strip()], get_args(option)[0])
    if option is bool:
        return {"true": True, "false": False}.get(text.lower(), ...)
    try:
        return option(text)
    except ValueError:
        return ...


def _parsed_items(texts: list[str], option: Any) -> Any:
    items = tuple(_parsed_as(text, option) for text in texts)
    return ... if ... in items else items
