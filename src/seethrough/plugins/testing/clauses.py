"""Clauses of a contract: functions that raise AssertionError with a sentence where a promise is not kept."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Protocol, TypeVar

import numpy as np

from seethrough.errors import ConfigError

T = TypeVar("T", contravariant=True)
Exempt = Mapping[str, str]
"""Names of clauses that cannot hold by definition, and why."""
NOTHING: Exempt = MappingProxyType({})


class Clause(Protocol[T]):
    """One promise, named as a sentence."""

    __name__: str

    def __call__(self, thing: T, /) -> None:
        """Raise AssertionError if the promise is not kept."""
        ...


def expect(holds: object, who: str, sentence: str) -> None:
    """Raise with a sentence about `who` unless something holds."""
    if not holds:
        raise AssertionError(f"{who}: {sentence}")


def keep(thing: T, clauses: Sequence[Clause[T]], exempt: Exempt) -> None:
    """Hold a thing to all clauses but those it is exempt from."""
    names = [clause.__name__ for clause in clauses]
    for name in exempt:
        if name not in names:
            raise ConfigError(f"there is no clause {name!r}; there are {', '.join(names)}")
    for clause in clauses:
        if clause.__name__ not in exempt:
            clause(thing)


def generator(seed: int) -> np.random.Generator:
    """Make the random numbers of a test."""
    return np.random.default_rng(seed)  # noqa: TID251  tests say their seeds


def is_plain(value: object) -> bool:
    """Tell whether a parameter can be written down."""
    return value is None or isinstance(value, str | int | float | bool)
