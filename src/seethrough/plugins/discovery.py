"""Finds what folders of this package define, and what installed packages offer under entry points."""

import importlib
import pkgutil
import sys
from collections.abc import Callable, Iterator
from dataclasses import MISSING, fields, is_dataclass
from functools import cache, lru_cache
from importlib.metadata import EntryPoint, EntryPoints, entry_points
from types import ModuleType
from typing import Any

from seethrough.errors import ConfigError


def offers(group: str, what: str) -> Iterator[Any]:
    """Build what installed packages offer under a group."""
    return (made for _, made in offers_by_point(group, what))


def offers_by_point(group: str, what: str) -> Iterator[tuple[EntryPoint, Any]]:
    """Build what installed packages offer under a group, each with its entry point."""
    for point in _points(entry_points, group, tuple(sys.path)):
        try:
            made = point.load()()
        except Exception as error:
            raise ConfigError(f"the {what} {point.name!r} of {point.value} cannot be loaded: {error}") from error
        yield point, made


@lru_cache(maxsize=32)
def _points(ask: Callable[..., EntryPoints], group: str, _path: tuple[str, ...]) -> tuple[EntryPoint, ...]:
    """Read the metadata of all installed packages once: a plan of a study asks hundreds of times."""
    return tuple(ask(group=group))


def built_in(package: ModuleType, mark: str) -> Iterator[Any]:
    """Build the classes of a package that need nothing to be built."""
    for kind in classes_in(package, mark):
        if all(field.default is not MISSING or field.default_factory is not MISSING for field in fields(kind)):
            yield kind()


def classes_in(package: ModuleType, mark: str) -> Iterator[Any]:
    """Find the dataclasses that the modules of `package` define and that have the attribute `mark`."""
    for module in _modules_in(package):
        for value in vars(module).values():
            if is_dataclass(value) and value.__module__ == module.__name__ and hasattr(value, mark):
                yield value


@cache
def _modules_in(package: ModuleType) -> tuple[ModuleType, ...]:
    """Import the modules of a package and of its folders; what begins with an underscore is nobody's business."""
    found = list[ModuleType]()
    for info in pkgutil.iter_modules(package.__path__):
        if not info.name.startswith("_"):
            module = importlib.import_module(f"{package.__name__}.{info.name}")
            found += _modules_in(module) if info.ispkg else [module]
    return tuple(found)
