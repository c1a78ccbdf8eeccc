"""Exact nearest neighbours on mixed types, by one blocked pass over two sets of points.

1. Equal points are folded: each distinct point is searched once. A point that occurs in both sets
   (or twice in one) has distance 0 without any search.
2. Similar points stand together in blocks (`clusters`). Near blocks come first; a block whose lower bound
   is above the minima found so far is left out. Of many points in few columns small clusters are left out
   for each point by itself (`nearest_rounds`), where few are left then, and the rest is measured directly.
3. Blocks of all pairs are measured by a matrix product whose error is bounded (`products`). A pair
   that could be a minimum within that error is a candidate.
4. Candidates are measured again directly (`points.totals`), and the minimum is taken over those.
   So equal points are at distance exactly 0, ties are ties, and neither the block size nor the
   number of threads can change a bit of the result.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from threading import Lock

import numpy as np

from seethrough.kernels.arrays import Bools, Floats, Ints, Matrix
from seethrough.kernels.budget import Budget
from seethrough.kernels.device import torch_neighbours
from seethrough.kernels.neighbours.blocks import Block, BlockPart, Encode, block_rows, measure
from seethrough.kernels.neighbours.clusters import clusters, lower_bounds
from seethrough.kernels.neighbours.nearest_rounds import NearestRounds
from seethrough.kernels.neighbours.products import ProductLayout, layout, left, right
from seethrough.kernels.points import Points, block_totals, point_groups, totals

DENSE = 1 / 8
"""Share of candidates in a block from which on measuring all its pairs directly is the cheaper way."""
THIN = 0.75
"""Share of a block from which on measuring its gaining points apart is no gain."""
MANY_PAIRS, WIDEST = 1 << 27, 24
"""Pairs from which on, and columns up to which, it is tried whether small clusters leave few pairs."""
JOBS = 256
"""Pieces of work that a pass is cut into, in the order of the bounds."""


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
    search = _NearestSearch(a.take(first_a), b.take(first_b), *in_one, symmetric=False)
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
    search = _NearestSearch(points, points, alone, alone, symmetric=True)
    search.run(budget)
    return a.norm.distance(search.row_best)[np.searchsorted(distinct, groups)]


def nearest_to(a: Points, b: Points, budget: Budget) -> Floats:
    """Find, for every point of one set, the distance to the nearest point of another; nothing for the other set."""
    return a.norm.distance(totals_to(a, b, budget))


def totals_to(a: Points, b: Points, budget: Budget, known: Floats | None = None) -> Floats:
    """Find the totals of these; no more than `known`, which were found among further points and save work."""
    groups_a, groups_b = point_groups(a, b)
    rows, first_a = np.unique(groups_a, return_index=True)
    columns, first_b = np.unique(groups_b, return_index=True)
    search = _NearestSearch(
        a.take(first_a), b.take(first_b), ~np.isin(rows, columns), np.zeros(len(columns), bool), symmetric=False
    )
    search.know(None if known is None else known[first_a])
    search.run(budget)
    return search.row_best[np.searchsorted(rows, groups_a)]


def nearest_other_of(whole: Points, rows: Ints, budget: Budget) -> Floats:
    """Find, for some points of a set, the distance to the nearest other point of all of it; a twin is at 0."""
    groups, _ = point_groups(whole, whole.take(np.arange(0)))
    distinct, first, counts = np.unique(groups, return_index=True, return_counts=True)
    asking = np.unique(groups[rows])
    alone = asking[counts[asking] == 1]
    best = np.zeros(len(distinct))
    if len(alone):
        # Those without a twin are searched among each other and among all the rest, so that nobody meets itself.
        mine, others = whole.take(first[alone]), whole.take(np.delete(first, alone))
        every = np.ones(len(alone), bool)
        search = _NearestSearch(mine, mine, every, every, symmetric=True)
        search.run(budget)
        best[alone] = np.minimum(search.row_best, nearest_totals(mine, others, budget) if len(others) else np.inf)
    return whole.norm.distance(best)[groups[rows]]


def nearest_totals(a: Points, b: Points, budget: Budget, known: Floats | None = None) -> Floats:
    """Find, for every one of distinct points, the smallest total to points of another set that has none of them.

    No more than `known`, which were found among further points.
    """
    search = _NearestSearch(a, b, np.ones(len(a), bool), np.zeros(len(b), bool), symmetric=False)
    search.know(known)
    search.run(budget)
    return search.row_best


class _NearestSearch:
    """One pass over two sets of distinct points, near groups first.

    `row_wanted` and `column_wanted` mark the points whose minimum is asked for; the others stay at 0. A symmetric
    search, of a set against itself, measures each pair once and no point with itself. Pairs of groups are taken in the
    order of their lower bound; a point whose minimum is below the bound of a pair cannot gain from it and is left out.
    """

    def __init__(self, a: Points, b: Points, row_wanted: Bools, column_wanted: Bools, *, symmetric: bool) -> None:
        self.symmetric = symmetric
        self.a, self.b = a, b
        self.row_best = np.where(row_wanted, np.inf, 0.0)
        self.column_best = self.row_best if symmetric else np.where(column_wanted, np.inf, 0.0)
        self.lock = Lock()

    @cached_property
    def plan(self) -> ProductLayout:
        """How both sets enter a product."""
        return layout(self.a, self.b)

    def know(self, totals_found: Floats | None) -> None:
        """Begin with totals that were found before."""
        if totals_found is not None:
            np.minimum(self.row_best, totals_found, out=self.row_best)

    def run(self, budget: Budget) -> None:
        """Measure what may hold a minimum; all pairs on a device."""
        if budget.device != "cpu":
            wanted = torch_neighbours.WantedNeighbours(
                self.a, self.b, self.row_best > 0, self.column_best > 0, self.symmetric
            )
            self.row_best, self.column_best = torch_neighbours.nearest_on_device(wanted, budget.device)
        elif not self._run_in_rounds(budget):
            self._run_in_blocks(budget)

    def _run_in_rounds(self, budget: Budget) -> bool:
        """Search small clusters person by person, where that leaves few pairs; tell whether it does."""
        width = len(self.a.codes) + self.a.numbers.shape[1]
        if len(self.a) * len(self.b) < MANY_PAIRS or width > WIDEST:
            return False
        sides = [(self.a, self.b, self.row_best)]
        if not self.symmetric:
            sides.append((self.b, self.a, self.column_best))
        asking = [side for side in sides if len(side[1]) and (side[2] > 0).any()]
        rounds = []
        for people, others, best in asking:
            rounds.append(NearestRounds(people, others, budget, np.arange(len(others)) if self.symmetric else None))
            if not rounds[-1].is_sparse(best):
                return False
        found = zip(asking, rounds, strict=True)
        budget.run([job for (_, _, best), search in found for job in search.jobs(best)])
        return True

    def _run_in_blocks(self, budget: Budget) -> None:
        """Measure blocks of all pairs but for those whose bound leaves nothing to gain."""
        step = block_rows(budget)
        rows, row_groups = self._grouped(self.a, self.row_best, step, left)
        columns, column_groups = self._grouped(self.b, self.column_best, step, right)
        bounds = lower_bounds(self.a, row_groups, self.b, column_groups)
        if self.symmetric:
            bounds[np.tril_indices(len(bounds), -1)] = np.inf
        pairs = np.argsort(bounds, axis=None, kind="stable")
        pairs = pairs[: int(np.isfinite(bounds).sum())]
        size = max(1, -(-len(pairs) // JOBS))
        chunks = (pairs[start : start + size] for start in range(0, len(pairs), size))
        budget.run([self._job(chunk, bounds, rows, columns) for chunk in chunks])

    def _grouped(self, points: Points, best: Floats, step: int, encode: Encode) -> tuple[list["_Group"], list[Ints]]:
        # Wanted points and others apart: a pair of groups without a wanted point is left out.
        rows = [np.flatnonzero(best > 0), np.flatnonzero(best == 0)]
        groups = [group for part in rows for group in clusters(points, part, step)]
        return [_Group(points, group, best, self.plan, encode) for group in groups], groups

    def _job(self, pairs: Ints, bounds: Floats, rows: "list[_Group]", columns: "list[_Group]") -> Callable[[], None]:
        def work() -> None:
            for pair, bound in zip(pairs.tolist(), bounds.ravel()[pairs].tolist(), strict=True):
                row, column = divmod(pair, bounds.shape[1])
                mine, other = rows[row], columns[column]
                if mine.worst > bound or other.worst > bound:
                    self._improve(mine, other, bound, own=self.symmetric and row == column)

        return work

    def _improve(self, mine: "_Group", other: "_Group", bound: float, *, own: bool) -> None:
        """Measure the points that may gain, as two thin blocks or, where that is no more work, as a whole."""
        gaining, others = mine.above(bound), other.above(bound)
        whole = len(mine.rows) * len(other.rows)
        thin = len(gaining) * len(other.rows) + len(mine.rows) * len(others)
        if own or thin > THIN * whole:
            self._take(mine, other, mine.block, other.block, own=own)
            return
        if len(gaining):
            self._take(mine.only(gaining), other, mine.block.part(gaining), other.block, own=False)
        if len(others):
            self._take(mine, other.only(others), mine.block, other.block.part(others), own=False)

    def _take(
        self, mine: "_Members", other: "_Members", rows: Block | BlockPart, columns: Block | BlockPart, *, own: bool
    ) -> None:
        values, error = measure(rows, columns)
        if own:
            np.fill_diagonal(values, np.inf)
        by_row, by_column = values.min(axis=1), values.min(axis=0)
        if error:
            near_rows = _upper(mine.best[mine.rows], by_row, error)
            near_columns = _upper(other.best[other.rows], by_column, error)
            hits = np.flatnonzero((values <= near_rows[:, None]) | (values <= near_columns))
            by_row, by_column = _remeasured(rows.points, columns.points, hits, own=own)
        with self.lock:
            mine.improve(by_row)
            other.improve(by_column)


class _Members:
    """Points by their place in the set, with the minima of the whole set."""

    def __init__(self, rows: Ints, best: Floats, group: "_Group | None" = None) -> None:
        self.rows, self.best, self._group = rows, best, group

    def improve(self, found: Matrix) -> None:
        """Take smaller minima over."""
        self.best[self.rows] = np.minimum(self.best[self.rows], found)
        group = self._group
        if group is not None:
            group.worst = float(self.best[group.rows].max())


class _Group(_Members):
    """A group of points, ready to be measured, and the largest of their minima so far."""

    def __init__(self, points: Points, rows: Ints, best: Floats, plan: ProductLayout, encode: Encode) -> None:
        super().__init__(rows, best, self)
        self.block = Block(points.take(rows), 0, plan, encode)
        self.worst = float(best[rows].max())

    def above(self, bound: float) -> Ints:
        """Tell which members have a minimum above a bound."""
        return np.flatnonzero(self.best[self.rows] > bound)

    def only(self, which: Ints) -> _Members:
        """Pick members."""
        return _Members(self.rows[which], self.best, self)


def _upper(known: Floats, found: Matrix, error: float) -> Matrix:
    """Measured values up to which a pair may be a minimum; minus infinity where none is wanted.

    In the type of the block, for a comparison across types would convert the whole block, and
    rounded up, so that no candidate is lost.
    """
    bound = np.minimum(known, found.astype(np.float64) + error) + error
    bound[known == 0] = -np.inf
    return np.nextafter(bound.astype(found.dtype), found.dtype.type(np.inf))


def _remeasured(mine: Points, other: Points, hits: Ints, *, own: bool) -> tuple[Floats, Floats]:
    """Exact minima over the candidate pairs `hits` (flat positions in the block)."""
    shape = len(mine), len(other)
    if len(hits) > DENSE * shape[0] * shape[1]:
        exact = block_totals(mine, other)
        if own:
            np.fill_diagonal(exact, np.inf)
        return exact.min(axis=1), exact.min(axis=0)
    row, column = np.divmod(hits, shape[1])
    exact = totals(mine, row, other, column)
    rows, columns = np.full(shape[0], np.inf), np.full(shape[1], np.inf)
    np.minimum.at(rows, row, exact)
    np.minimum.at(columns, column, exact)
    return rows, columns
