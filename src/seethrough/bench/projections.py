"""Nearest rows in a projection of few dimensions that is fitted on one table."""

from dataclasses import dataclass
from typing import Generic

import numpy as np
from scipy.spatial import KDTree

from seethrough.bench.bench import Bench, P
from seethrough.bench.neighbours import PlacedRows
from seethrough.errors import NotApplicable
from seethrough.kernels.arrays import Floats
from seethrough.kernels.neighbours.projection import Projection, fit_projection


@dataclass(frozen=True)
class FittedProjection(Generic[P]):
    """Request: the projection fitted on a table."""

    part: P
    dimensions: int

    def compute(self, bench: Bench[P]) -> Projection:
        """Fit once for all tables that are placed by it."""
        found = fit_projection(bench.get(PlacedRows(self.part)), self.dimensions)
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
        return bench.get(FittedProjection(self.fitted_on, self.dimensions)).coordinates(
            bench.get(PlacedRows(self.part))
        )


@dataclass(frozen=True)
class TwoNearestProjected(Generic[P]):
    """Request: the distances of each row of `rows` to its two nearest rows of `other`, twins counting as two."""

    rows: P
    other: P
    fitted_on: P
    dimensions: int

    def compute(self, bench: Bench[P]) -> tuple[Floats, Floats]:
        """Search a tree over the distinct places, each standing for one row or more."""
        mine, others = (bench.get(Projected(part, self.fitted_on, self.dimensions)) for part in (self.rows, self.other))
        places, counts = np.unique(others, axis=0, return_counts=True)
        distances, found = KDTree(places).query(mine, k=[1, 2], workers=bench.budget.threads)
        twins = counts[found[:, 0]] > 1
        return distances[:, 0], np.where(twins, distances[:, 0], distances[:, 1])


@dataclass(frozen=True)
class NearestProjected(Generic[P]):
    """Request: the distance of each row of `rows` to the nearest row of `other`, in a projection."""

    rows: P
    other: P
    fitted_on: P
    dimensions: int

    def compute(self, bench: Bench[P]) -> Floats:
        """Search a tree over the distinct places of the other table."""
        mine, others = (bench.get(Projected(part, self.fitted_on, self.dimensions)) for part in (self.rows, self.other))
        distances, _ = KDTree(np.unique(others, axis=0)).query(mine, workers=bench.budget.threads)
        return np.asarray(distances, np.float64)
