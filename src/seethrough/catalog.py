"""What exists: the checks of this package and those that installed packages offer."""

import importlib
import pkgutil
from collections.abc import Iterator, Mapping
from importlib.metadata import entry_points
from types import MappingProxyType, ModuleType

from seethrough import metrics
from seethrough.contracts.check import Check
from seethrough.errors import ConfigError
from seethrough.results import Evidence

GROUP = "seethrough.checks"
"""Entry points under this name are classes that meet `Check`."""
PRESETS = ("fast", "full", "attacks")


def load() -> Mapping[str, Check]:
    """Build every check with its default parameters, in the order of their names."""
    found: dict[str, Check] = {}
    for check in [*_own(), *_offered()]:
        if found.setdefault(check.card.name, check) is not check:
            raise ConfigError(f"two checks are named {check.card.name!r}")
    return MappingProxyType(dict(sorted(found.items())))


def choose(names: tuple[str, ...] = (), preset: str = "full") -> tuple[Check, ...]:
    """Pick checks by name, or those of a preset."""
    known = load()
    if names:
        for name in names:
            if name not in known:
                raise ConfigError(f"there is no check {name!r}; there are {', '.join(known)}")
        return tuple(known[name] for name in dict.fromkeys(names))
    if preset not in PRESETS:
        raise ConfigError(f"there is no preset {preset!r}; there are {', '.join(PRESETS)}")
    return tuple(check for check in known.values() if preset != "attacks" or check.card.evidence is Evidence.ATTACK)


def _own() -> Iterator[Check]:
    for kind in _classes_in(metrics):
        yield kind()


def _offered() -> Iterator[Check]:
    for point in entry_points(group=GROUP):
        try:
            check: Check = point.load()()
        except Exception as error:
            raise ConfigError(f"the check {point.name!r} of {point.value} cannot be loaded: {error}") from error
        yield check


def _classes_in(package: ModuleType) -> Iterator[type[Check]]:
    """Find the classes with a card that the modules of `package` define."""
    for info in pkgutil.iter_modules(package.__path__, f"{package.__name__}."):
        for value in vars(importlib.import_module(info.name)).values():
            if isinstance(value, type) and value.__module__ == info.name and hasattr(value, "card"):
                yield value
