"""The few nearest points across and the largest distance of any pair, exactly, by one blocked pass.

As in `nearest`, a matrix product with a known error finds the candidates and direct measurement decides among
them. Here every pair counts, and so does every copy of a row: the second nearest row of a point may be the twin of
the nearest.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from threading import Lock

import numpy as np

from seethrough.kernels.arrays import Floats, Ints, Matrix
from seethrough.kernels.budget import Budget
from seethrough.kernels.neighbours.blocks import Block, measure, run_strips
from seethrough.kernels.neighbours.products import layout
from seethrough.kernels.points import Points, point_groups, totals


@dataclass(frozen=True, eq=False)
class Extremes:
    """Distances from each column point to its nearest rows, and the largest of all pairs.

    `nearest[0]` is the distance to the nearest row, and so on; infinite where there are not so many rows.
    """

    nearest: Floats
    farthest: float


def extremes(rows: Points, columns: Points, depth: int, budget: Budget) -> Extremes:
    """Find the `depth` nearest `rows` of every point of `columns`, and the largest distance."""
    nearest, farthest = extreme_totals(rows, columns, depth, budget)
    return Extremes(rows.norm.distance(nearest), float(rows.norm.distance(np.array(farthest))))


def extreme_totals(rows: Points, columns: Points, depth: int, budget: Budget) -> tuple[Floats, float]:
    """Find the `depth` smallest totals of every point of `columns`, and the largest of all."""
    groups_a, groups_b = point_groups(rows, columns)
    _, first_a, counts = np.unique(groups_a, return_index=True, return_counts=True)
    distinct, first_b = np.unique(groups_b, return_index=True)
    search = _ExtremesSearch(rows.take(first_a), np.minimum(counts, depth), columns.take(first_b), depth)
    search.run(budget)
    return search.best[:, np.searchsorted(distinct, groups_b)], search.farthest


class _ExtremesSearch:
    """One pass over all pairs of distinct rows, which stand for `counts` rows each, and distinct columns."""

    def __init__(self, a: Points, counts: Ints, b: Points, depth: int) -> None:
        self.a, self.counts, self.b, self.depth = a, counts, b, depth
        self.plan = layout(a, b)
        self.best = np.full((depth, len(b)), np.inf)
        self.farthest = 0.0
        self.lock = Lock()

    def run(self, budget: Budget) -> None:
        """Measure all blocks."""
        run_strips(self.a, self.b, self.plan, budget, self._strip)

    def _strip(self, mine: Block, blocks: Sequence[Block]) -> None:
        for other in blocks:
            self._improve(mine, other)

    def _improve(self, mine: Block, other: Block) -> None:
        values, error = measure(mine, other)
        largest = self._largest(values, error, mine, other)
        hits = _smallest(values, error, self.best[-1, other.span], self.depth)
        row, column = np.divmod(hits, values.shape[1])
        exact = totals(mine.points, row, other.points, column)
        copies = self.counts[mine.span][row]
        with self.lock:
            self.farthest = max(self.farthest, largest)
            _merge(self.best[:, other.span], np.repeat(column, copies), np.repeat(exact, copies))

    def _largest(self, values: Matrix, error: float, mine: Block, other: Block) -> float:
        top = float(values.max())
        if top + error <= self.farthest:
            return 0.0
        row, column = np.divmod(np.flatnonzero(values >= np.float64(top - 2 * error)), values.shape[1])
        return float(totals(mine.points, row, other.points, column).max())


def _smallest(values: Matrix, error: float, known: Floats, depth: int) -> Ints:
    """Flat positions of all entries that may be among the `depth` smallest of their column; spoils `values`."""
    found = []
    for _ in range(depth):
        bound = (np.minimum(values.min(axis=0), known) + 2 * error).astype(values.dtype)
        hits = np.flatnonzero(values <= np.nextafter(bound, values.dtype.type(np.inf)))
        hits = hits[np.isfinite(values.ravel()[hits])]
        values.ravel()[hits] = np.inf
        found.append(hits)
    return np.concatenate(found)


def _merge(best: Floats, column: Ints, found: Floats) -> None:
    """Put newly found totals among the smallest of their columns, in place."""
    order = np.lexsort((found, column))
    column, found = column[order], found[order]
    starts = np.flatnonzero(np.r_[True, column[1:] != column[:-1]]) if len(column) else column
    ends = np.r_[starts[1:], len(column)]
    for offset in range(len(best)):
        has = starts + offset < ends
        place = starts[has] + offset
        at, new = column[place], found[place]
        for rank in range(len(best)):
            kept = np.minimum(best[rank, at], new)
            new = np.maximum(best[rank, at], new)
            best[rank, at] = kept
