"""Released rows that lie nearer to a real row than people do to each other: what filters of similarity take out.

Distances are sums of differences over columns, numbers in standard deviations of the people outside. A released row is
a near copy if its nearest real row is as near as that of one person outside in twenty, or nearer.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from seethrough.auditing.levers.coarsening import CoarseColumns
from seethrough.data.encoding import standard_points, standard_scale
from seethrough.data.table import Table
from seethrough.kernels.arrays import Bools, Floats
from seethrough.kernels.budget import Budget
from seethrough.kernels.neighbours.k_nearest import k_nearest
from seethrough.kernels.points import Points

NEAR = 0.05
"""Share of people outside who have a real row as near as a near copy has."""
MOST_OUTSIDE = 20_000


@dataclass(frozen=True, eq=False)
class RealNeighbourhood:
    """The real rows, and how near people outside come to them."""

    real: Table
    outside: Table
    budget: Budget

    def near_copies(self, release: Table, coarsening: CoarseColumns | None = None) -> Bools:
        """Tell which released rows are near copies; of coarse ones, by what is released of all rows."""
        if coarsening is not None:
            shown = RealNeighbourhood(coarsening(self.real), coarsening(self.outside), self.budget)
            return shown.near_copies(coarsening(release))
        found: Bools = self._distances(release) <= self._threshold
        return found

    @cached_property
    def _threshold(self) -> float:
        found = self._distances(self.outside.take(slice(0, MOST_OUTSIDE)))
        return float(np.quantile(found, NEAR, method="inverted_cdf"))

    def _points(self, table: Table) -> Points:
        scale = standard_scale(self.outside, self.real)
        return standard_points(Table(self.real.schema, table.columns), scale)

    @cached_property
    def _placed(self) -> Points:
        return self._points(self.real)

    def _distances(self, table: Table) -> Floats:
        return np.asarray(k_nearest(self._points(table), self._placed, 1, self.budget).distances[:, 0])
