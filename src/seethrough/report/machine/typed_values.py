"""Frozen values made from plain ones, as JSON has them, by the types that they declare.

What is not as declared becomes one sentence that names the place. A number stays as it was written, whole or not, so
that the JSON form of what is made here is the text that it was made from. Keys that nobody declares are left aside.
"""

from collections.abc import Mapping
from dataclasses import MISSING, Field, fields, is_dataclass
from enum import Enum
from functools import cache
from math import isfinite
from types import NoneType, UnionType
from typing import Any, TypeVar, Union, cast, get_args, get_origin, get_type_hints

from seethrough.errors import ConfigError
from seethrough.report import untrusted

Made = TypeVar("Made")


def make_value(kind: type[Made], plain: Any, where: str) -> Made:
    """Make a value of a kind from a plain one; `where` names its place in messages."""
    return cast("Made", _make(kind, plain, where))


def odd_value(where: str) -> ConfigError:
    """Say that something is not what an audit writes."""
    return ConfigError(f"{untrusted.visible(where, 80)} of the report is not what an audit writes there")


def _make(kind: Any, plain: Any, where: str) -> Any:
    origin = get_origin(kind)
    if origin in (Union, UnionType):
        return _one_of(get_args(kind), plain, where)
    if origin is tuple:
        return _tuple(get_args(kind)[0], plain, where)
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return _mapping(get_args(kind)[1], plain, where)
    if is_dataclass(kind):
        return _dataclass(kind, plain, where)
    if isinstance(kind, type) and issubclass(kind, Enum):
        return _enum(kind, plain, where)
    if not _is_a(kind, plain):
        raise odd_value(where)
    return plain


def _is_a(kind: Any, plain: Any) -> bool:
    """Tell whether a plain value is of a plain type; whole numbers are numbers, truth values are none."""
    if kind is float:
        return isinstance(plain, int | float) and not isinstance(plain, bool) and isfinite(plain)
    if kind is int:
        return isinstance(plain, int) and not isinstance(plain, bool)
    return isinstance(plain, kind)


def _one_of(kinds: tuple[Any, ...], plain: Any, where: str) -> Any:
    if plain is None:
        if NoneType in kinds:
            return None
        raise odd_value(where)
    left = [kind for kind in kinds if kind is not NoneType]
    for kind in left[:-1]:
        try:
            return _make(kind, plain, where)
        except ConfigError:
            continue
    return _make(left[-1], plain, where)


def _tuple(kind: Any, plain: Any, where: str) -> tuple[Any, ...]:
    if not isinstance(plain, list | tuple):
        raise odd_value(where)
    return tuple(_make(kind, each, f"{where}[{place}]") for place, each in enumerate(plain))


def _mapping(kind: Any, plain: Any, where: str) -> dict[str, Any]:
    if not isinstance(plain, Mapping):
        raise odd_value(where)
    return {str(name): _make(kind, each, f"{where}.{name}") for name, each in plain.items()}


def _enum(kind: type[Enum], plain: Any, where: str) -> Enum:
    for each in kind:
        if each.value == plain:
            return each
    raise odd_value(where)


def _dataclass(kind: Any, plain: Any, where: str) -> Any:
    if not isinstance(plain, Mapping):
        raise odd_value(where)
    types = _types(kind)
    given = {}
    for each in fields(kind):
        if each.name in plain:
            given[each.name] = _make(types[each.name], plain[each.name], f"{where}.{each.name}")
        elif not _has_default(each):
            raise ConfigError(f"{untrusted.visible(f'{where}.{each.name}', 80)} is missing in the report")
    return kind(**given)


def _has_default(each: Field[Any]) -> bool:
    return any(given is not MISSING for given in (each.default, each.default_factory))


@cache
def _types(kind: Any) -> dict[str, Any]:
    return get_type_hints(kind)
