"""Check: anything an audit can run."""

from typing import Protocol

import numpy as np

from seethrough.data.release import Part
from seethrough.results import Card, Measurement
from seethrough.shared.bench import Bench


class Check(Protocol):
    """A question about one release: a frozen dataclass whose fields are its parameters."""

    @property
    def card(self) -> Card:
        """Say what the check is."""
        ...

    def measure(self, bench: Bench[Part], rng: np.random.Generator) -> Measurement:
        """Answer the card's question, or raise `NotApplicable`."""
        ...
