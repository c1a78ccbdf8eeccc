"""Nearest rows in the distance space of the schema."""

from dataclasses import dataclass
from typing import Generic

from seethrough.data.encoding import points
from seethrough.kernels.neighbours import Between, nearest_between, nearest_other
from seethrough.kernels.points import Floats, Points
from seethrough.shared.bench import Bench, P


@dataclass(frozen=True)
class Placed(Generic[P]):
    """Request: the rows of a table as points."""

    part: P

    def compute(self, bench: Bench[P]) -> Points:
        """Encode once for all searches."""
        return points(bench.table(self.part))


@dataclass(frozen=True)
class NearestBetween(Generic[P]):
    """Request: for every row of either table, the distance to the nearest row of the other."""

    rows: P
    columns: P

    def compute(self, bench: Bench[P]) -> Between:
        """Search both directions in one pass."""
        return nearest_between(bench.get(Placed(self.rows)), bench.get(Placed(self.columns)), bench.budget)


@dataclass(frozen=True)
class NearestOther(Generic[P]):
    """Request: for every row of a table, the distance to its nearest other row."""

    part: P

    def compute(self, bench: Bench[P]) -> Floats:
        """Search the table against itself."""
        return nearest_other(bench.get(Placed(self.part)), bench.budget)
