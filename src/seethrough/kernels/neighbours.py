"""Exact nearest neighbours on mixed types, by one blocked pass over two sets of points.

1. Equal points are folded: each distinct point is searched once. A point that occurs in both sets
   (or twice in one) has distance 0 without any search.
2. Blocks of all pairs are measured by a matrix product whose error is bounded (`products`). A pair
   that could be a minimum within that error is a candidate.
3. Candidates are measured again directly (`points.totals`), and the minimum is taken over those.
   So equal points are at distance exactly 0, ties are ties, and neither the block size nor the
   number of threads can change a bit of the result.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from threading import Lock

import numpy as np
import numpy.typing as npt

from seethrough.kernels.blocks import Block, measure, run_strips
from seethrough.kernels.budget import Budget
from seethrough.kernels.points import Floats, Ints, Points, block_totals, point_groups, totals
from seethrough.kernels.products import Layout, Matrix, layout

Bools = npt.NDArray[np.bool_]

DENSE = 1 / 8
"""Share of candidates in a block from which on measuring all its pairs directly is the cheaper way."""


@dataclass(frozen=True, eq=False)
class Between:
    """Distance of each point of one set (`rows`) and of the other (`columns`) to the nearest point across."""

    rows: Floats
    columns: Floats


def nearest_between(a: Points, b: Points, budget: Budget) -> Between:
    """Find, for every point of either set, the distance to the nearest point of the other."""
    groups_a, groups_b = point_groups(a, b)
    rows, first_a = np.unique(groups_a, return_index=True)
    columns, first_b = np.unique(groups_b, return_index=True)
    in_one = ~np.isin(rows, columns), ~np.isin(columns, rows)
    search = _Search(a.take(first_a), b.take(first_b), *in_one, symmetric=False)
    search.run(budget)
    return Between(
        a.norm.distance(search.row_best)[np.searchsorted(rows, groups_a)],
        a.norm.distance(search.column_best)[np.searchsorted(columns, groups_b)],
    )


def nearest_other(a: Points, budget: Budget) -> Floats:
    """Find, for every point, the distance to the nearest other point of its set; a twin is at 0."""
    groups, _ = point_groups(a, a.take(np.arange(0)))
    distinct, first, counts = np.unique(groups, return_index=True, return_counts=True)
    points, alone = a.take(first), counts == 1
    search = _Search(points, points, alone, alone, symmetric=True)
    search.run(budget)
    best = np.minimum(search.row_best, search.column_best)
    return a.norm.distance(best)[np.searchsorted(distinct, groups)]


def nearest_totals(a: Points, b: Points, budget: Budget) -> Floats:
    """Find, for every one of distinct points, the smallest total to points of another set that has none of them."""
    search = _Search(a, b, np.ones(len(a), bool), np.zeros(len(b), bool), symmetric=False)
    search.run(budget)
    return search.row_best


class _Search:
    """One pass over all pairs of two sets of distinct points.

    `row_wanted` and `column_wanted` mark the points whose minimum is asked for; the others stay at 0.
    A symmetric search, of a set against itself, measures each pair once and no point with itself.
    """

    def __init__(self, a: Points, b: Points, row_wanted: Bools, column_wanted: Bools, *, symmetric: bool) -> None:
        self.symmetric = symmetric
        self.plan = layout(a, b)
        self.row_order = _order(a, row_wanted, self.plan)
        self.column_order = _order(b, column_wanted, self.plan)
        self.a, self.b = a.take(self.row_order), b.take(self.column_order)
        self.rows = np.where(row_wanted[self.row_order], np.inf, 0.0)
        self.columns = np.where(column_wanted[self.column_order], np.inf, 0.0)
        self.lock = Lock()

    @property
    def row_best(self) -> Floats:
        """Smallest totals of the rows, in the order they came in."""
        return self.rows[np.argsort(self.row_order)]

    @property
    def column_best(self) -> Floats:
        """Smallest totals of the columns, in the order they came in."""
        return self.columns[np.argsort(self.column_order)]

    def run(self, budget: Budget) -> None:
        """Measure all blocks that hold a wanted point."""
        run_strips(self.a, self.b, self.plan, budget, self._strip)

    def _strip(self, mine: Block, blocks: Sequence[Block]) -> None:
        for other in blocks:
            twice = self.symmetric and other.start < mine.start
            if not twice and (self.rows[mine.span].any() or self.columns[other.span].any()):
                self._improve(mine, other)

    def _improve(self, mine: Block, other: Block) -> None:
        values, error = measure(mine, other)
        own = self.symmetric and mine.start == other.start
        if own:
            np.fill_diagonal(values, np.inf)
        rows, columns = values.min(axis=1), values.min(axis=0)
        if error:
            near_rows = _upper(self.rows[mine.span], rows, error)
            near_columns = _upper(self.columns[other.span], columns, error)
            hits = np.flatnonzero((values <= near_rows[:, None]) | (values <= near_columns))
            rows, columns = _remeasured(mine, other, hits, own=own)
        with self.lock:
            np.minimum(self.rows[mine.span], rows, out=self.rows[mine.span])
            np.minimum(self.columns[other.span], columns, out=self.columns[other.span])


def _upper(known: Floats, found: Matrix, error: float) -> Matrix:
    """Measured values up to which a pair may be a minimum; minus infinity where none is wanted.

    In the type of the block, for a comparison across types would convert the whole block, and
    rounded up, so that no candidate is lost.
    """
    bound = np.minimum(known, found.astype(np.float64) + error) + error
    bound[known == 0] = -np.inf
    return np.nextafter(bound.astype(found.dtype), found.dtype.type(np.inf))


def _order(points: Points, wanted: Bools, plan: Layout) -> Ints:
    # Wanted points together: blocks without any are left out. Similar norms together: a far outlier
    # then spoils the error bound of one block only.
    norms = np.square(points.numbers - plan.centre).sum(axis=1)
    return np.lexsort((norms, ~wanted))


def _remeasured(mine: Block, other: Block, hits: Ints, *, own: bool) -> tuple[Floats, Floats]:
    """Exact minima over the candidate pairs `hits` (flat positions in the block)."""
    shape = len(mine.points), len(other.points)
    if len(hits) > DENSE * shape[0] * shape[1]:
        exact = block_totals(mine.points, other.points)
        if own:
            np.fill_diagonal(exact, np.inf)
        return exact.min(axis=1), exact.min(axis=0)
    row, column = np.divmod(hits, shape[1])
    exact = totals(mine.points, row, other.points, column)
    rows, columns = np.full(shape[0], np.inf), np.full(shape[1], np.inf)
    np.minimum.at(rows, row, exact)
    np.minimum.at(columns, column, exact)
    return rows, columns
