"""How near the rows of a table come to one person, in the distance spaces of the schema, and the steps that show it."""

from dataclasses import dataclass

import numpy as np

from seethrough.bench.bench import Bench
from seethrough.bench.person.example import NAMES, Example, distances_to, list_rows, nearest_first, say_number
from seethrough.data.encoding import Space
from seethrough.data.release import Part
from seethrough.kernels.arrays import Floats, Ints
from seethrough.results.explained.worked import RowsOf, Step

SYMBOLS = {Part.SYNTHETIC: "d_YZ", Part.TRAIN: "d_YY", Part.HOLDOUT: "d_YR"}
CALLED = {
    Part.SYNTHETIC: "The nearest released row",
    Part.TRAIN: "The nearest other real record",
    Part.HOLDOUT: "The nearest person outside",
}


@dataclass(frozen=True, eq=False)
class RowsAround:
    """The distance of a person to every row of a part; infinite to itself."""

    part: Part
    distances: Floats

    @property
    def smallest(self) -> float:
        """Give the distance of the nearest row."""
        return float(self.distances.min())

    @property
    def ties(self) -> int:
        """Count the rows at that distance."""
        return int((self.distances == self.smallest).sum())

    def only(self, rows: Ints) -> "RowsAround":
        """Leave all rows out but some."""
        kept = np.full(len(self.distances), np.inf)
        kept[rows] = self.distances[rows]
        return RowsAround(self.part, kept)

    def list_nearest(self, bench: Bench[Part], example: Example) -> RowsOf:
        """List the nearest rows with their distances."""
        rows = nearest_first(self.distances)
        return list_rows(bench, example, self.part, rows, f"nearest {NAMES[self.part]} rows", self.distances[rows])

    def said(self) -> str:
        """Say how near the nearest row is."""
        more = f", where {self.ties:,} are" if self.ties > 1 else ""
        return f"{CALLED[self.part]} is at distance {SYMBOLS[self.part]} = {say_number(self.smallest)}{more}."


def rows_around(bench: Bench[Part], example: Example, part: Part, space: Space = "gower") -> RowsAround:
    """Measure a person against every row of a part."""
    return RowsAround(part, distances_to(bench, example, part, space))


def around_step(bench: Bench[Part], example: Example, *around: RowsAround) -> Step:
    """Show the nearest rows of one part or several."""
    said = " ".join(each.said() for each in around)
    numbers = {SYMBOLS[each.part]: each.smallest for each in around}
    return Step(said, "", numbers, tuple(each.list_nearest(bench, example) for each in around))


def comparison_formula(left: str, comparison: str, right: str, numbers: tuple[float, float], value: float) -> str:
    """Write a comparison of two numbers that counts 1 or 0."""
    first, second = (say_number(each) for each in numbers)
    return f"[{left} {comparison} {right}] = [{first} {comparison} {second}] = {say_number(value)}"
