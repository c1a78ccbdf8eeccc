"""Nearest rows in the distance spaces of the schema.

The real table is the reference of every space, so that all distances of an audit are in one unit.
"""

from dataclasses import dataclass
from typing import Generic

from seethrough.data.encoding import Space, points, standardised
from seethrough.kernels.extremes import Extremes, extremes
from seethrough.kernels.neighbours import Between, nearest_between, nearest_other
from seethrough.kernels.points import Floats, Points
from seethrough.kernels.ties import Nearest, all_nearest
from seethrough.shared.bench import Bench, P


def _reference(reference: P | None, part: P, space: Space) -> P | None:
    """Name the table that gives the scale only where it matters, so that equal searches are equal requests."""
    return reference if space == "standardised" and reference is not part else None


@dataclass(frozen=True)
class Placed(Generic[P]):
    """Request: the rows of a table as points."""

    part: P
    space: Space = "gower"

    def compute(self, bench: Bench[P]) -> Points:
        """Encode once for all searches."""
        return points(bench.table(self.part), self.space)


@dataclass(frozen=True)
class PlacedPair(Generic[P]):
    """Request: the rows of two tables as points of one space; `reference` gives the scale of a standardised one."""

    rows: P
    columns: P
    space: Space = "gower"
    reference: P | None = None

    def compute(self, bench: Bench[P]) -> tuple[Points, Points]:
        """Encode the two tables together where their levels have to be."""
        if self.space == "standardised":
            reference = self.rows if self.reference is None else self.reference
            return standardised(bench.table(reference), bench.table(self.rows), bench.table(self.columns))
        return bench.get(Placed(self.rows, self.space)), bench.get(Placed(self.columns, self.space))


@dataclass(frozen=True)
class NearestBetween(Generic[P]):
    """Request: for every row of either table, the distance to the nearest row of the other."""

    rows: P
    columns: P
    space: Space = "gower"
    reference: P | None = None

    def __post_init__(self) -> None:
        """Drop a reference that makes no difference."""
        object.__setattr__(self, "reference", _reference(self.reference, self.rows, self.space))

    def compute(self, bench: Bench[P]) -> Between:
        """Search both directions in one pass."""
        return nearest_between(*bench.get(PlacedPair(**vars(self))), bench.budget)


@dataclass(frozen=True)
class NearestOther(Generic[P]):
    """Request: for every row of a table, the distance to its nearest other row."""

    part: P
    space: Space = "gower"
    reference: P | None = None

    def __post_init__(self) -> None:
        """Drop a reference that makes no difference."""
        object.__setattr__(self, "reference", _reference(self.reference, self.part, self.space))

    def compute(self, bench: Bench[P]) -> Floats:
        """Search the table against itself."""
        mine, _ = bench.get(PlacedPair(self.part, self.part, self.space, self.reference))
        return nearest_other(mine, bench.budget)


@dataclass(frozen=True)
class Extremal(Generic[P]):
    """Request: the few nearest rows of every row of `columns`, and the largest distance between the tables."""

    rows: P
    columns: P
    depth: int = 1
    space: Space = "gower"
    reference: P | None = None

    def __post_init__(self) -> None:
        """Drop a reference that makes no difference."""
        object.__setattr__(self, "reference", _reference(self.reference, self.rows, self.space))

    def compute(self, bench: Bench[P]) -> Extremes:
        """Search all pairs, for every one may be the farthest."""
        pair = bench.get(PlacedPair(self.rows, self.columns, self.space, self.reference))
        return extremes(*pair, self.depth, bench.budget)


@dataclass(frozen=True)
class AllNearest(Generic[P]):
    """Request: for every row of one table, all rows of the other at the smallest distance."""

    rows: P
    columns: P
    space: Space = "gower"
    reference: P | None = None

    def __post_init__(self) -> None:
        """Drop a reference that makes no difference."""
        object.__setattr__(self, "reference", _reference(self.reference, self.rows, self.space))

    def compute(self, bench: Bench[P]) -> Nearest:
        """Search, then collect the ties."""
        return all_nearest(*bench.get(PlacedPair(**vars(self))), bench.budget)
