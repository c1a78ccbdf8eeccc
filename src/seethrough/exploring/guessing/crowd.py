"""Whom an exploration asks about: people drawn from the real table and from those outside, the same every time."""

from dataclasses import dataclass, field

import numpy as np

from seethrough.data.release import Release
from seethrough.data.rows import by_content
from seethrough.data.table import Table
from seethrough.exploring.guessing.secret_values import SecretValues
from seethrough.exploring.guessing.strategies import GuessRows
from seethrough.kernels.arrays import Floats, Ints
from seethrough.kernels.budget import Budget
from seethrough.seeds import stream

MOST_DRAWN = 1_000
"""People of each kind who are asked about for the line about 100 people."""


@dataclass(frozen=True, eq=False)
class SecretAsked:
    """A secret, its classes, the columns known, by which attack; and the tables that it is asked on.

    `kept` holds solutions for a whole table between questions.
    """

    secret: SecretValues
    known: tuple[str, ...]
    attack: str
    release: Release
    released: Table
    seed: int
    budget: Budget
    kept: dict[object, Floats] = field(default_factory=dict)

    def rows_of(self, table: Table) -> GuessRows:
        """Let guesses be made from the rows of a table."""
        return GuessRows(table, self.known, self.classes_in(table), len(self.secret))

    def classes_in(self, table: Table) -> Ints:
        """Give the class of the secret of each row."""
        return self.secret.classes_of(table.column(self.secret.column.name))

    def drawn_from(self, table: Table, kind: str) -> Ints:
        """Draw people who show the secret, by content and seed, so that it is always the same ones."""
        order = by_content(table)[stream(self.seed, f"{kind} of an exploration").permutation(len(table))]
        return np.sort(order[self.classes_in(table)[order] > 0][:MOST_DRAWN])
