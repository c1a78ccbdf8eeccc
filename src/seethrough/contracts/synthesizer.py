"""Synthesizer: a way to make synthetic tables."""

from typing import Protocol

import numpy as np

from seethrough.data.table import Table


class Sampler(Protocol):
    """A fitted synthesizer."""

    def sample(self, rows: int, rng: np.random.Generator) -> Table:
        """Draw a synthetic table."""
        ...


class Synthesizer(Protocol):
    """An unfitted one: a frozen dataclass; `fit` returns a new object, so there is no half-fitted state."""

    @property
    def name(self) -> str:
        """Say what users call it."""
        ...

    def fit(self, table: Table, rng: np.random.Generator) -> Sampler:
        """Learn from `table`."""
        ...
