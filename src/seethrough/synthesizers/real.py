"""Real: the records themselves, in random order. What an attack can do at most."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from seethrough.data.table import Table
from seethrough.errors import ConfigError
from seethrough.protocols.synthesizer import SamplerCard, SynthesizerCard


@dataclass(frozen=True)
class Real:
    """Hands out real records, each at most once."""

    name: ClassVar[str] = "real"
    card: ClassVar[SynthesizerCard] = SynthesizerCard(
        name, "Real", "The real records themselves, in random order, each at most once: what an attack can do at most."
    )

    def fit(self, table: Table, rng: np.random.Generator) -> "RealSampler":
        """Keep the table."""
        return RealSampler(table)


@dataclass(frozen=True, eq=False)
class RealSampler:
    """The records to hand out."""

    table: Table

    @property
    def card(self) -> SamplerCard:
        """Say what it was fitted to."""
        return SamplerCard(Real.name, len(self.table))

    def sample(self, rows: int, rng: np.random.Generator) -> Table:
        """Draw without replacement; more rows than there are cannot be had."""
        if rows > len(self.table):
            there = len(self.table)
            raise ConfigError(
                f"the synthesizer real gives each record once: {rows} rows are more than its {there} records"
            )
        return self.table.take(rng.permutation(len(self.table))[:rows])
