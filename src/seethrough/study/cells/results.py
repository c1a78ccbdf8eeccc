"""Results of a study, as figures and comparisons see them: a frame with one row for each cell."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import polars as pl

FULL, SMALL = "full", "small"
"""The forms that a plan has: the experiment itself, and one of about a minute."""


@dataclass(frozen=True, eq=False)
class Results:
    """The cells of one study that a store has, and what the study says about itself."""

    name: str
    form: str
    title: str
    source: str
    seed: int
    figures: tuple[str, ...]
    cells: pl.DataFrame
    parts: Mapping[str, tuple[Mapping[str, Any], ...]] = field(default_factory=dict)
    """The parts of its plan in this form, by kind, as they stand in the file."""

    def done(self, kind: str) -> pl.DataFrame:
        """Give the cells of one kind that have a result."""
        return self.cells.filter(pl.col("kind") == kind, pl.col("status") == "done")
