"""Nearest rows in a projection of few dimensions that is fitted on one table, and how much the fit adds to chance."""

from dataclasses import dataclass
from typing import Generic

import numpy as np
from scipy.spatial import KDTree

from seethrough.bench.bench import Bench, P
from seethrough.bench.neighbours import PlacedAsking, PlacedRows, PlacedToLearn, PlacedWhole, is_chunked
from seethrough.data.encoding import points
from seethrough.data.table import Table
from seethrough.errors import NotApplicable
from seethrough.kernels.arrays import Floats, Ints
from seethrough.kernels.budget import Budget
from seethrough.kernels.counting.grouping import distinct_rows
from seethrough.kernels.neighbours.projection import Projection, fit_projection
from seethrough.kernels.points import Points, sort_points
from seethrough.seeds import stream

REFITS = 24
"""Projections that are fitted to resampled rows, to see how far the fit moves the mean distance."""
MOST_REFITTED, MOST_SEARCHED = 1000, 4000
"""Rows that are fitted and rows that are searched for that, at most, so that its cost does not grow with the tables."""


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
class ProjectedWhole(Generic[P]):
    """Request: the coordinates of all rows that a table was drawn from; of the table itself where nothing was."""

    part: P
    fitted_on: P
    dimensions: int

    def compute(self, bench: Bench[P]) -> Floats:
        """Place every row."""
        if bench.drawn_from(self.part) is None:
            return bench.get(Projected(self.part, self.fitted_on, self.dimensions))
        fitted = bench.get(FittedProjection(self.fitted_on, self.dimensions))
        return fitted.coordinates(bench.get(PlacedWhole(self.part)))


@dataclass(frozen=True)
class TwoNearestProjected(Generic[P]):
    """Request: the distances of each row of `rows` to its two nearest rows of `other`, twins counting as two."""

    rows: P
    other: P
    fitted_on: P
    dimensions: int

    def compute(self, bench: Bench[P]) -> tuple[Floats, Floats]:
        """Search a tree over the distinct places, each standing for one row or more."""
        fitted = bench.get(FittedProjection(self.fitted_on, self.dimensions))
        mine = fitted.coordinates(bench.get(PlacedAsking(self.rows)))
        others = bench.get(ProjectedWhole(self.other, self.fitted_on, self.dimensions))
        return two_nearest(mine, others, bench.budget.threads)


@dataclass(frozen=True)
class NearestProjected(Generic[P]):
    """Request: the distance of each row of `rows` to the nearest row of `other`, in a projection."""

    rows: P
    other: P
    fitted_on: P
    dimensions: int

    def compute(self, bench: Bench[P]) -> Floats:
        """Search a tree over the distinct places of the other table; one that is read in chunks is gone through once.

        Of a table that is read in chunks those rows ask that are said to.
        """
        fitted = bench.get(FittedProjection(self.fitted_on, self.dimensions))
        if is_chunked(bench, self.other):
            mine = bench.get(Projected(self.rows, self.fitted_on, self.dimensions))
            return bench.table(self.other).fold(NearestProjectedPass(mine, fitted, bench.budget.silent))
        if is_chunked(bench, self.rows):
            mine = fitted.coordinates(bench.get(PlacedAsking(self.rows)))
        else:
            mine = bench.get(Projected(self.rows, self.fitted_on, self.dimensions))
        others = bench.get(Projected(self.other, self.fitted_on, self.dimensions))
        return nearest_place(mine, others, bench.budget.threads)


@dataclass(frozen=True, eq=False)
class NearestProjectedPass:
    """Pass: the distance of places to the nearest released row, in a projection."""

    mine: Floats
    fitted: Projection
    budget: Budget

    def partial(self, rows: Table, before: int, hint: Floats | None) -> Floats:
        """Search a chunk."""
        return nearest_place(self.mine, self.fitted.coordinates(points(rows)), self.budget.threads)

    def merge(self, first: Floats, second: Floats) -> Floats:
        """Take the nearer."""
        return np.minimum(first, second)

    def hint(self, state: Floats) -> Floats | None:
        """Say nothing."""
        return None


def nearest_place(mine: Floats, others: Floats, threads: int) -> Floats:
    """Find the distances of places to the nearest of others, equal ones of which stand in the tree once."""
    return np.asarray(KDTree(distinct_rows(others)[0]).query(mine, workers=threads)[0], np.float64)


def two_nearest(mine: Floats, others: Floats, threads: int = 1) -> tuple[Floats, Floats]:
    """Find the distances of places to the two nearest of others, twins counting as two."""
    places, counts = distinct_rows(others)
    distances, found = KDTree(places).query(mine, k=[1, 2], workers=threads)
    twins = counts[found[:, 0]] > 1
    return distances[:, 0], np.where(twins, distances[:, 0], distances[:, 1])


@dataclass(frozen=True, eq=False)
class Refit:
    """A projection fitted to rows drawn with replacement: which rows came, how often, and the fit."""

    rows: Ints
    often: Ints
    projection: Projection


@dataclass(frozen=True)
class DrawnRows(Generic[P]):
    """Request: the rows of a table in an order that is their own, or some of them drawn where there are many."""

    part: P
    most: int

    def compute(self, bench: Bench[P]) -> Points:
        """Sort, so that what is drawn does not depend on how the table was sorted."""
        rows = sort_points(bench.get(PlacedToLearn(self.part)))
        if len(rows) <= self.most:
            return rows
        return rows.take(np.sort(stream(0, "rows for refits").permutation(len(rows))[: self.most]))


@dataclass(frozen=True)
class RefittedProjections(Generic[P]):
    """Request: projections fitted to resamples of the rows of a table, at most some thousand of them."""

    part: P
    dimensions: int

    def compute(self, bench: Bench[P]) -> tuple[Refit, ...]:
        """Draw rows with replacement, and fit to them."""
        rows, rng = bench.get(DrawnRows(self.part, MOST_REFITTED)), stream(0, "refits")
        found = []
        for _ in range(REFITS):
            drawn = np.sort(rng.integers(0, len(rows), len(rows)))
            found.append(
                Refit(*np.unique(drawn, return_counts=True), fit_projection(rows.take(drawn), self.dimensions))
            )
        return tuple(found)


@dataclass(frozen=True)
class HalvedProjections(Generic[P]):
    """Request: halves of the rows of a table, at most some hundred rows, and the projection fitted to each.

    What is measured on halves drawn without replacement spreads as it does on whole tables drawn anew (the jackknife
    that leaves half out), and no row is its own twin, as it is in resamples.
    """

    part: P
    dimensions: int

    def compute(self, bench: Bench[P]) -> tuple[tuple[Points, Projection], ...]:
        """Draw halves, and fit to them."""
        rows, rng = bench.get(DrawnRows(self.part, MOST_REFITTED)), stream(0, "halves")
        halves = [rows.take(np.sort(rng.permutation(len(rows))[: len(rows) // 2])) for _ in range(REFITS)]
        fitted = [(half, fit_projection(half, self.dimensions)) for half in halves if len(half) > 1]
        return tuple(each for each in fitted if each[1].dimensions == self.dimensions)


@dataclass(frozen=True)
class RefitSpread(Generic[P]):
    """Request: how much wider the mean distance to the nearest row of `other` spreads when the projection is refitted.

    The ratio of two standard errors, that of resampled rows under projections fitted to them and that of rows under one
    projection, at least 1. Measured on at most a thousand rows: both errors fall with the root of the rows alike.
    """

    part: P
    other: P
    dimensions: int

    def compute(self, bench: Bench[P]) -> float:
        """Measure both."""
        rows, others = (
            bench.get(DrawnRows(*each)) for each in ((self.part, MOST_REFITTED), (self.other, MOST_SEARCHED))
        )
        once = _nearest(fit_projection(rows, self.dimensions), rows, others)
        plain = float(once.std(ddof=1)) / len(rows) ** 0.5 if len(rows) > 1 else 0.0
        if plain == 0:
            return 1.0
        means = [
            float(np.average(_nearest(refit.projection, rows.take(refit.rows), others), weights=refit.often))
            for refit in bench.get(RefittedProjections(self.part, self.dimensions))
            if refit.projection.dimensions
        ]
        return max(1.0, float(np.std(means, ddof=1)) / plain) if len(means) > 1 else 1.0


def _nearest(projection: Projection, rows: Points, others: Points) -> Floats:
    mine, theirs = (projection.coordinates(each) for each in (rows, others))
    return np.asarray(KDTree(distinct_rows(theirs)[0]).query(mine)[0], np.float64)
