"""How far the nearest released row is from each of those who ask, by one pass over the release in any chunks.

Of a chunk the smallest distance of each is kept, and the smaller of two is taken where states are merged. Where rows of
the release ask for their nearest other row, those that equal them are counted, for a row must not meet itself.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np

from seethrough.data.encoding import Space, points
from seethrough.data.table import Table
from seethrough.kernels.arrays import Floats, Ints
from seethrough.kernels.budget import Budget
from seethrough.kernels.neighbours.nearest import nearest_other, nearest_totals, totals_to
from seethrough.kernels.points import Points, point_groups


class RowPlacing(Protocol):
    """How rows become points; a value that can be sent elsewhere."""

    def place(self, rows: Table) -> Points:
        """Place rows."""
        ...


@dataclass(frozen=True)
class InSpace:
    """RowPlacing: in a space whose scale is that of the schema."""

    space: Space

    def place(self, rows: Table) -> Points:
        """Place rows."""
        return points(rows, self.space)


@dataclass(frozen=True, eq=False)
class WeightedColumns:
    """RowPlacing: in the first of the spaces, every column with a weight."""

    weights: Floats
    is_number: tuple[bool, ...]

    def place(self, rows: Table) -> Points:
        """Place rows."""
        return self.weigh(points(rows))

    def weigh(self, placed: Points) -> Points:
        """Weight columns; a number brings a code with it, "is missing", in its place among the codes."""
        numbers = placed.numbers * self.weights[np.array(self.is_number, bool)]
        return Points(numbers, placed.codes, self.weights**2)


@dataclass(frozen=True, eq=False)
class NearestDistancesPass:
    """Pass: the smallest total of each point that asks to a released row."""

    asking: Points
    placing: RowPlacing
    budget: Budget

    def partial(self, rows: Table, before: int, hint: Floats | None) -> Floats:
        """Search a chunk for rows nearer than those found before."""
        return totals_to(self.asking, self.placing.place(rows), self.budget, hint)

    def merge(self, first: Floats, second: Floats) -> Floats:
        """Take the nearer."""
        return np.minimum(first, second)

    def hint(self, state: Floats) -> Floats | None:
        """Tell how near the nearest are."""
        return state

    def run(self, released: Table) -> Floats:
        """Give the distances."""
        return self.asking.norm.distance(released.fold(self))


@dataclass(frozen=True, eq=False)
class OtherRows:
    """For each different point that asks: how many rows equal it, and the smallest total to rows that equal none."""

    equal: Ints
    totals: Floats


@dataclass(frozen=True, eq=False)
class OtherRowsPass:
    """Pass: released rows that are not those that ask; `asking` are different points."""

    asking: Points
    placing: RowPlacing
    budget: Budget

    def partial(self, rows: Table, before: int, hint: Floats | None) -> OtherRows:
        """Count equal rows of a chunk, and search the others."""
        placed = self.placing.place(rows)
        mine, theirs = point_groups(self.asking, placed)
        distinct, first, counts = np.unique(theirs, return_index=True, return_counts=True)
        place = np.minimum(np.searchsorted(distinct, mine), len(distinct) - 1)
        equal = np.where(distinct[place] == mine, counts[place], 0)
        others = placed.take(first[~np.isin(distinct, mine)])
        nothing = np.full(len(self.asking), np.inf)
        return OtherRows(equal, nearest_totals(self.asking, others, self.budget, hint) if len(others) else nothing)

    def merge(self, first: OtherRows, second: OtherRows) -> OtherRows:
        """Add up, and take the nearer."""
        return OtherRows(first.equal + second.equal, np.minimum(first.totals, second.totals))

    def hint(self, state: OtherRows) -> Floats | None:
        """Tell how near the nearest are."""
        return state.totals


@dataclass(frozen=True, eq=False)
class AskingRows:
    """Rows of a release that ask for their nearest other row in it."""

    placed: Points

    @cached_property
    def _groups(self) -> tuple[Ints, Ints]:
        groups, _ = point_groups(self.placed, self.placed.take(np.arange(0)))
        _, first, inverse = np.unique(groups, return_index=True, return_inverse=True)
        return first, inverse

    def nearest_other(self, released: Table, placing: RowPlacing, budget: Budget) -> Floats:
        """Look among those that ask and among all others; a twin is at 0."""
        first, inverse = self._groups
        distinct = self.placed.take(first)
        found = released.fold(OtherRowsPass(distinct, placing, budget.silent))
        among = nearest_other(distinct, budget) if len(distinct) > 1 else np.full(1, np.inf)
        best = np.minimum(among, distinct.norm.distance(found.totals))
        return np.where(found.equal > 1, 0.0, best)[inverse]
