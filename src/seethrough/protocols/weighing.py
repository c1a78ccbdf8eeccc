"""Attacks that can say which released counts weighed most in what they tell of one person."""

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from seethrough.protocols.attack import AttributeView


@dataclass(frozen=True)
class WeighedCount:
    """A released count: of `released` rows that are like a person in some columns, `right` show the class asked about.

    `people` of the table are like the person there. `adds` is what the count adds to the score of the class. `rows` are
    some of the released rows, by place in the view.
    """

    columns: tuple[str, ...]
    released: int
    right: int
    people: int
    adds: float
    rows: tuple[int, ...] = ()


@dataclass(frozen=True)
class WeighedCounts:
    """How the score of a class came about: where it began, and what each count about the person adds.

    `counts` come by the size of what they add; `asked` is how many counts there are about all people.
    """

    begins: float
    counts: tuple[WeighedCount, ...]
    asked: int

    @property
    def total(self) -> float:
        """Add everything up: the score before it is brought to [0, 1]."""
        return self.begins + sum(count.adds for count in self.counts)


class Weighing(Protocol):
    """An attack on one view, solved and ready to be asked about single people."""

    def weigh(self, target: int, label: int) -> WeighedCounts:
        """Say what the counts add to the score of a class, by place, for a person of `view.known`."""
        ...


@runtime_checkable
class WeighingAttack(Protocol):
    """Optional: an attack whose answers are sums of what single counts add."""

    def prepare_weighing(
        self, view: AttributeView, inside: npt.NDArray[np.bool_], rng: np.random.Generator
    ) -> Weighing | None:
        """Count again; `inside` are the people of the table. None where the answer, as set, is no such sum."""
        ...
