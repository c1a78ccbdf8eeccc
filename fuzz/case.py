"""A case: what decides it, where it may write, and how it ends."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from random import Random
from typing import Protocol, TypeVar

import numpy as np

T = TypeVar("T")


class Broken(Exception):
    """A promise that a case found broken; the message says which."""


@dataclass(frozen=True)
class Ending:
    """How a case ended that broke no promise: in a word, what it did, and how many tables it took."""

    how: str
    did: str
    tables: int = 0


@dataclass(frozen=True)
class Case:
    """One case of a target; `folder` is its own, `session` is shared by the cases of a worker and read only.

    `rows` cuts every table of the case to so many, which makes a failure smaller without changing the draws.
    """

    target: str
    seed: int
    number: int
    folder: Path
    session: Path
    rows: int | None = None

    @cached_property
    def random(self) -> Random:
        """Draws everything that the case consists of."""
        return Random(f"{self.target}/{self.seed}/{self.number}")

    @cached_property
    def numbers(self) -> np.random.Generator:
        """Draws arrays."""
        return np.random.default_rng(self.random.getrandbits(64))

    def chance(self, share: float) -> bool:
        """Be true in a share of cases."""
        return self.random.random() < share

    def pick(self, things: Sequence[T]) -> T:
        """Choose one."""
        return self.random.choice(things)

    def some(self, things: Sequence[T], least: int = 0, most: int | None = None) -> list[T]:
        """Choose several, in any order."""
        most = len(things) if most is None else min(most, len(things))
        return self.random.sample(list(things), self.random.randint(min(least, most), most))


class Target(Protocol):
    """A module of `fuzz.targets`."""

    def prepare(self, session: Path) -> None:
        """Write once what all cases of a worker share."""
        ...

    def play(self, case: Case) -> Ending:
        """Run a case; raises `Broken`, or anything else that nobody should meet."""
        ...


@dataclass
class Played:
    """What a worker says about a case."""

    number: int
    how: str = ""
    did: str = ""
    tables: int = 0
    seconds: float = 0.0
    broken: str = ""
    trace: str = ""
    rows: int | None = None
    extra: dict[str, str] = field(default_factory=dict)
