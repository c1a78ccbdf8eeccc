"""Nonprivate: real records drawn with replacement. The release that protects nobody, at any size."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from seethrough.data.table import Table
from seethrough.protocols.synthesizer import SamplerCard, SynthesizerCard


@dataclass(frozen=True)
class NonPrivate:
    """Draws real records with replacement."""

    name: ClassVar[str] = "nonprivate"
    card: ClassVar[SynthesizerCard] = SynthesizerCard(
        name,
        "Resampled records",
        "Real records drawn with replacement: the release that protects nobody, at any size.",
    )

    def fit(self, table: Table, rng: np.random.Generator) -> "SubsampleSampler":
        """Keep the table."""
        return SubsampleSampler(table)


@dataclass(frozen=True, eq=False)
class SubsampleSampler:
    """The records to draw from."""

    table: Table

    @property
    def card(self) -> SamplerCard:
        """Say what it was fitted to."""
        return SamplerCard(NonPrivate.name, len(self.table))

    def sample(self, rows: int, rng: np.random.Generator) -> Table:
        """Draw with replacement."""
        return self.table.take(rng.integers(0, len(self.table), rows))
