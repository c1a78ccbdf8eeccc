"""The released rows that equal one person, or come nearest to that."""

from dataclasses import dataclass

import numpy as np

from seethrough.bench.bench import Bench
from seethrough.bench.person.example import Example, same_values
from seethrough.data.release import Part
from seethrough.kernels.arrays import Ints


@dataclass(frozen=True, eq=False)
class MostEqual:
    """The released rows that differ from a person in the fewest columns, and in how many."""

    rows: Ints
    differ_in: int

    @property
    def said_unless_equal(self) -> str:
        """Say how near the nearest come, where none is equal."""
        columns = "1 column" if self.differ_in == 1 else f"{self.differ_in} columns"
        return f" The most alike differ in {columns}; there are {len(self.rows):,}." if self.differ_in else ""


def most_equal_rows(bench: Bench[Part], example: Example, decimals: int | None = None) -> MostEqual:
    """Find the released rows with the person's value in most columns, numbers rounded if asked."""
    person, released = example.person, bench.table(Part.SYNTHETIC)
    if decimals is not None:
        person, released = person.round_numbers(decimals), released.round_numbers(decimals)
    pairs = zip(person.columns, released.columns, strict=True)
    differ = np.sum([~same_values(*pair) for pair in pairs], axis=0)
    return MostEqual(np.flatnonzero(differ == differ.min()), int(differ.min()))
