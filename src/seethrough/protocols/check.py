"""Check: anything an audit can run."""

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

import numpy as np

from seethrough.bench.bench import Bench
from seethrough.bench.person.example import Example
from seethrough.data.release import Part
from seethrough.data.table import Table
from seethrough.results.card import Card
from seethrough.results.estimate import Growth
from seethrough.results.explained.worked import Lacking, Worked
from seethrough.results.outcome import Measurement


class Check(Protocol):
    """A question about one release: a frozen dataclass whose fields are its parameters.

    Optional: `grow` (`Growing`) says what several synthetic tables show together, `compares_outside` (`Comparing`) that
    people outside are looked at where there are any. `work_through` (`Explaining`) is optional for an audit to run, and
    promised by the contract of checks.
    """

    @property
    def card(self) -> Card:
        """Say what the check is."""
        ...

    def measure(self, bench: Bench[Part], rng: np.random.Generator) -> Measurement:
        """Answer the card's question, or raise `NotApplicable`."""
        ...


@runtime_checkable
class Growing(Protocol):
    """A check that also tells how its finding grows with the number of synthetic tables."""

    def grow(self, bench: Bench[Part], tables: Sequence[Table], rng: np.random.Generator) -> Growth:
        """Measure the first table, the first two, and so on, or raise `NotApplicable`."""
        ...


@runtime_checkable
class Comparing(Protocol):
    """A check that compares with people outside where there is a holdout, and does without where there is none."""

    @property
    def compares_outside(self) -> bool:
        """Say that it does."""
        ...


@runtime_checkable
class Explaining(Protocol):
    """A check that can be worked through on one person."""

    def work_through(self, bench: Bench[Part], example: Example) -> Worked | Lacking:
        """Show the rows looked at, the formula with this person's numbers, and how the table's score follows.

        The result is the person's risk of the run, to the last bit, where the check has risks for each.
        """
        ...
