"""Check: anything an audit can run."""

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

import numpy as np

from seethrough.bench.bench import Bench
from seethrough.data.release import Part
from seethrough.data.table import Table
from seethrough.results.card import Card
from seethrough.results.estimate import Growth
from seethrough.results.outcome import Measurement


class Check(Protocol):
    """A question about one release: a frozen dataclass whose fields are its parameters.

    Optional: `grow` (`Growing`) says what several synthetic tables show together, `compares_outside` (`Comparing`) that
    people outside are looked at where there are any.
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
