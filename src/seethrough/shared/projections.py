"""Nearest rows in a projection of few dimensions that is fitted on one table."""

from dataclasses import dataclass
from typing import Generic

import numpy as np
from scipy.spatial import KDTree

from seethrough.errors import NotApplicable
from seethrough.kernels.points import Floats
from seethrough.kernels.projection import Projection, fit_projection
from seethrough.shared.bench import Bench, P
from seethrough.shared.neighbours import Placed


@dataclass(frozen=True)
class Fitted(Generic[P]):
    """Request: the projection fitted on a table."""

    part: P
    dimensions: int

    def compute(self, bench: Bench[P]) -> Projection:
        """Fit once for all tables that are placed by it."""
        found = fit_projection(bench.get(Placed(self.part)), self.dimensions)
        if not found.dimensions:
            raise NotApplicable("all rows of the real table are equal, so there is nothing to project on")
        return found


@dataclass(frozen=True)
class Projected(Generic[P]):
    """Request: the coordinates of a table under the projection fitted on another."""

    part: P
    fitted_on: P
    dimensions: int

    def compute(self, bench: Bench[P]) -> Floats:
        """Place every row."""
        return bench.get(Fitted(self.fitted_on, self.dimensions)).coordinates(bench.get(Placed(self.part)))


@dataclass(frozen=True)
class NearestProjected(Generic[P]):
    """Request: the distance of each row to the nearest row of another table, in the projection of the first."""

    rows: P
    other: P
    dimensions: int

    def compute(self, bench: Bench[P]) -> Floats:
        """Search a tree over the distinct places of the other table."""
        mine = bench.get(Projected(self.rows, self.rows, self.dimensions))
        others = bench.get(Projected(self.other, self.rows, self.dimensions))
        distances, _ = KDTree(np.unique(others, axis=0)).query(mine, workers=bench.budget.threads)
        return np.asarray(distances, np.float64)
