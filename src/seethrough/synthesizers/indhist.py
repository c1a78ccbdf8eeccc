"""IndHist: every column drawn by itself from its histogram. Keeps no relation between columns, so nothing can leak.

The values of a number are a histogram with one bar each: numbers are drawn from those that occur.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from seethrough.data.table import Table
from seethrough.protocols.synthesizer import SamplerCard, SynthesizerCard


@dataclass(frozen=True)
class IndependentHistograms:
    """Draws every column by itself."""

    name: ClassVar[str] = "indhist"
    card: ClassVar[SynthesizerCard] = SynthesizerCard(
        name,
        "Independent histograms",
        "Every column drawn by itself from its histogram: keeps no relation between columns.",
    )

    def fit(self, table: Table, rng: np.random.Generator) -> "HistogramSampler":
        """Keep the table, whose columns are the histograms."""
        return HistogramSampler(table)


@dataclass(frozen=True, eq=False)
class HistogramSampler:
    """The columns to draw from."""

    table: Table

    @property
    def card(self) -> SamplerCard:
        """Say what it was fitted to."""
        return SamplerCard(IndependentHistograms.name, len(self.table))

    def sample(self, rows: int, rng: np.random.Generator) -> Table:
        """Draw every value from a record of its own, which is drawing from the histogram of its column."""
        columns = (values[rng.integers(0, len(values), rows)] for values in self.table.columns)
        return Table(self.table.schema, tuple(columns))
