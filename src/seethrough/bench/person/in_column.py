"""One person's place in a column of the real and of the released table."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from seethrough.bench.bench import Bench
from seethrough.bench.person.example import Example, say_number
from seethrough.data.release import Part
from seethrough.data.table import Array
from seethrough.kernels.arrays import Floats
from seethrough.kernels.counting.bins import bin_numbers
from seethrough.results.explained.worked import Step


@dataclass(frozen=True)
class PlaceInColumn:
    """How many rows of either table share the person's cell, and how many come before it or in it."""

    column: str
    real: int
    released: int
    rows: tuple[int, int]
    real_up_to: int
    released_up_to: int

    @property
    def shares(self) -> tuple[float, float]:
        """Give the share P of the real and Q of the released rows that are in the person's cell."""
        return self.real / self.rows[0], self.released / self.rows[1]

    @property
    def up_to(self) -> tuple[float, float]:
        """Give the shares of rows whose value is at most the person's."""
        return self.real_up_to / self.rows[0], self.released_up_to / self.rows[1]

    @property
    def numbers(self) -> Mapping[str, float]:
        """Give the counts and shares by name."""
        return {
            "real rows in the cell": float(self.real),
            "released rows in the cell": float(self.released),
            "P": self.shares[0],
            "Q": self.shares[1],
        }


def place_in_column(bench: Bench[Part], example: Example, name: str, bins: int) -> PlaceInColumn:
    """Find the person's cell: its level, or its bin of equal width over the range of the real table."""
    column = example.person.schema[name]
    mine, real, released = (
        table.column(name) for table in (example.person, bench.whole(Part.TRAIN), bench.table(Part.SYNTHETIC))
    )
    known = (0, 0)
    if not column.kind.has_levels:
        value = float(mine[0])
        known = (0, 0) if np.isnan(value) else (_count(real, value), _count(released, value))
        real, both = bin_numbers("equal width", real, np.concatenate([mine, released]), bins)
        mine, released = both[:1], both[1:]
    return PlaceInColumn(
        name,
        int((real == mine[0]).sum()),
        int((released == mine[0]).sum()),
        (len(real), len(released)),
        *known,
    )


def _count(values: Array, most: float) -> int:
    return int((values.astype(np.float64) <= most).sum())


def chosen_column(example: Example, names: Sequence[str], scores: Floats) -> int:
    """Give the place of the column that was asked for, or else of the one that differs most."""
    return names.index(example.column) if example.column in names else int(scores.argmin())


def column_step(example: Example, place: PlaceInColumn) -> Step:
    """Say where the person stands in the column."""
    why = "" if example.column == place.column else ", the one that differs most"
    said = (
        f"Column {place.column}{why}. {place.real:,} of {place.rows[0]:,} real rows are in the cell of this person's "
        f"value (P = {say_number(place.shares[0])}), and {place.released:,} of {place.rows[1]:,} released rows "
        f"(Q = {say_number(place.shares[1])})."
    )
    return Step(said, "", dict(place.numbers))


def columns_step(names: Sequence[str], scores: Floats, what: str) -> Step:
    """Lead from columns to the table: the mean of their scores."""
    mean = float(scores.mean())
    said = f"The same for all {len(names)} columns; the risk is the mean of {what}. No row counts by itself."
    written = f"mean over {len(names)} columns = {say_number(mean)}"
    return Step(said, written, {"mean": mean, "columns": float(len(names))})
