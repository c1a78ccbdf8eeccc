"""The kinds of experiments there are: those of this package, and those that installed packages offer."""

import importlib
import pkgutil
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.metadata import entry_points
from types import MappingProxyType

from seethrough.errors import ConfigError
from seethrough.study import kinds
from seethrough.study.kinds.protocol import StudyKind

GROUP = "seethrough.study_kinds"
"""Entry points under this name are instances of `StudyKind`."""


@cache
def study_kinds() -> Mapping[str, StudyKind]:
    """Find all kinds, by the name that plans call them; ours come first, each in the order of their names."""
    found: dict[str, StudyKind] = {}
    for kind in [*_own(), *_offered()]:
        if found.setdefault(kind.name, kind) is not kind:
            raise ConfigError(f"two kinds of experiments are named {kind.name!r}")
    return MappingProxyType(found)


def _own() -> Iterator[StudyKind]:
    for info in pkgutil.iter_modules(kinds.__path__, f"{kinds.__name__}."):
        if info.ispkg:
            kind: StudyKind = importlib.import_module(f"{info.name}.kind").KIND
            yield kind


def _offered() -> Iterator[StudyKind]:
    for point in sorted(entry_points(group=GROUP), key=lambda point: point.name):
        try:
            kind = point.load()
        except Exception as error:
            raise ConfigError(f"the study kind {point.name!r} of {point.value} cannot be loaded: {error}") from error
        if not isinstance(kind, StudyKind):
            raise ConfigError(f"the study kind {point.name!r} of {point.value} is no StudyKind but {kind!r}")
        yield kind
