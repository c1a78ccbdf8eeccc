"""All nearest points across, ties included.

Where codes that differ add 1, one pass finds them (`within_reach`). Otherwise the nearest distance of every row point
comes from `nearest`, and a second pass over the blocks collects the pairs that attain it. Points that occur in both
sets are each other's nearest without a search.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from threading import Lock

import numpy as np
from scipy import sparse

from seethrough.kernels.arrays import Floats, Ints
from seethrough.kernels.budget import Budget
from seethrough.kernels.neighbours.blocks import Block, measure, run_strips
from seethrough.kernels.neighbours.extreme_distances import extreme_totals
from seethrough.kernels.neighbours.keys.within_reach import NearPairs, counts_differences, pairs_within
from seethrough.kernels.neighbours.nearest import nearest_totals
from seethrough.kernels.neighbours.products import layout
from seethrough.kernels.points import TIE, Points, point_groups, totals


@dataclass(frozen=True, eq=False)
class Nearest:
    """Which points are nearest to which, between groups of equal points.

    `row_groups` and `column_groups` give the group of each point, `links[g, h]` is 1 where the points of column group
    h are nearest to those of row group g, `distances` belong to the row points.
    """

    row_groups: Ints
    column_groups: Ints
    links: sparse.csr_array
    distances: Floats

    def values_by_group(self, values: Floats) -> Iterator[Floats]:
        """Give, for each row group, the values that the column points nearest to it have."""
        order = np.argsort(self.column_groups, kind="stable")
        starts = np.searchsorted(self.column_groups[order], np.arange(self.links.shape[1] + 1))
        sorted_values = values[order]
        for group in range(self.links.shape[0]):
            linked = self.links.indices[self.links.indptr[group] : self.links.indptr[group + 1]]
            yield np.concatenate([sorted_values[starts[column] : starts[column + 1]] for column in linked])


def median_of_known(values: Floats) -> float:
    """Take the median of the numbers there are; missing where most are missing."""
    known = values[~np.isnan(values)]
    return float(np.median(known)) if 2 * len(known) > len(values) else float("nan")


def all_nearest(rows: Points, columns: Points, budget: Budget, depth: int = 1) -> Nearest:
    """Find, for every point of `rows`, all points of `columns` at its smallest, or `depth` smallest, distances.

    The `depth` nearest points are found with all that tie with the last of them; `distances` belong to that last one.
    """
    groups_a, groups_b = point_groups(rows, columns)
    mine, first_a, row_groups = np.unique(groups_a, return_index=True, return_inverse=True)
    others, first_b, column_groups = np.unique(groups_b, return_index=True, return_inverse=True)
    settled = np.isin(mine, others) & (depth == 1)
    apart, same = np.flatnonzero(~settled), np.flatnonzero(settled)
    distinct = rows.take(first_a[apart])
    search = _TiesSearch(distinct, columns.take(first_b))
    if depth == 1 and counts_differences(rows):
        search.run_once(budget)
    else:
        search.run(_reach(distinct, columns, search.b, depth, budget), budget)
    pairs = [(apart[row], column) for row, column in search.pairs] + [(same, np.searchsorted(others, mine[same]))]
    place = tuple(np.concatenate(side) for side in zip(*pairs, strict=True))
    links = sparse.csr_array((np.ones(len(place[0]), np.int64), place), shape=(len(mine), len(others)))
    best = np.zeros(len(mine))
    best[apart] = search.best
    return Nearest(row_groups, column_groups, links, rows.norm.distance(best)[row_groups])


def _reach(rows: Points, columns: Points, distinct: Points, depth: int, budget: Budget) -> Floats:
    """Find the smallest total of every row, or the `depth` smallest, twins among the columns counting each."""
    if not len(rows):
        return np.zeros(0)
    if depth == 1:
        return nearest_totals(rows, distinct, budget)
    reach: Floats = extreme_totals(columns, rows, min(depth, len(columns)), budget)[0][-1]
    return reach


class _TiesSearch:
    """The pairs of two sets of distinct points whose total is at most what is given for the row."""

    def __init__(self, a: Points, b: Points) -> None:
        self.a, self.b = a, b
        self.best = np.zeros(len(a))
        self.pairs: list[tuple[Ints, Ints]] = []
        self.lock = Lock()

    def run(self, best: Floats, budget: Budget) -> None:
        """Find the pairs whose total is at most `best` of their row."""
        self.best = best
        run_strips(self.a, self.b, layout(self.a, self.b), budget, self._collect)

    def run_once(self, budget: Budget) -> None:
        """Find the smallest totals and the pairs that attain them in one pass."""

        def take(near: NearPairs) -> None:
            np.minimum.at(smallest, near.rows, near.totals)
            with self.lock:
                self.pairs.append((near.rows, near.columns))

        smallest = np.full(len(self.a), np.inf)
        pairs_within(0.0, self.a, self.b, budget, take)
        self.best = smallest

    def _collect(self, mine: Block, blocks: Sequence[Block]) -> None:
        best = self.best[mine.span]
        for other in blocks:
            values, error = measure(mine, other)
            bound = np.nextafter((best * (1 + TIE) + error).astype(values.dtype), values.dtype.type(np.inf))
            row, column = np.divmod(np.flatnonzero(values <= bound[:, None]), values.shape[1])
            attained = totals(mine.points, row, other.points, column) <= best[row] * (1 + TIE)
            with self.lock:
                self.pairs.append((mine.start + row[attained], other.start + column[attained]))
