"""Nonprivate: real records drawn with replacement. The release that protects nobody, at any size."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from seethrough.data.table import Table


@dataclass(frozen=True)
class NonPrivate:
    """Draws real records with replacement."""

    name: ClassVar[str] = "nonprivate"

    def fit(self, table: Table, rng: np.random.Generator) -> "DrawnRows":
        """Keep the table."""
        return DrawnRows(table)


@dataclass(frozen=True, eq=False)
class DrawnRows:
    """The records to draw from."""

    table: Table

    def sample(self, rows: int, rng: np.random.Generator) -> Table:
        """Draw with replacement."""
        return self.table.take(rng.integers(0, len(self.table), rows))
