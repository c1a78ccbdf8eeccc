"""The two nearest points across and the largest distance of any pair, exactly, by one blocked pass.

As in `neighbours`, a matrix product with a known error finds the candidates and direct measurement
decides among them. Here every pair counts, and so does every copy of a row: the second nearest row
of a point may be the twin of the nearest one.
"""

from collections.abc import Callable
from dataclasses import dataclass
from threading import Lock

import numpy as np

from seethrough.kernels.blocks import Block, block_rows, measure
from seethrough.kernels.budget import Budget
from seethrough.kernels.points import Floats, Ints, Points, point_groups, squared
from seethrough.kernels.products import Matrix, layout, left, right


@dataclass(frozen=True, eq=False)
class Extremes:
    """Distances from each column point to its two nearest rows, and the largest of all pairs."""

    nearest: Floats
    second: Floats
    farthest: float


def extremes(rows: Points, columns: Points, budget: Budget) -> Extremes:
    """Find the two nearest `rows` of every point of `columns`, and the largest distance."""
    groups_a, groups_b = point_groups(rows, columns)
    _, first_a, counts = np.unique(groups_a, return_index=True, return_counts=True)
    distinct, first_b = np.unique(groups_b, return_index=True)
    search = _Extremes(rows.take(first_a), counts, columns.take(first_b))
    search.run(budget)
    back = np.searchsorted(distinct, groups_b)
    nearest, second = np.sqrt(search.best)
    return Extremes(nearest[back], second[back], float(np.sqrt(search.farthest)))


class _Extremes:
    """One pass over all pairs of distinct rows, which stand for `counts` rows each, and distinct columns."""

    def __init__(self, a: Points, counts: Ints, b: Points) -> None:
        self.a, self.counts, self.b = a, counts, b
        self.plan = layout(a, b)
        self.best = np.full((2, len(b)), np.inf)
        self.farthest = 0.0
        self.lock = Lock()

    def run(self, budget: Budget) -> None:
        """Measure all blocks."""
        step = block_rows(budget)
        blocks = [Block(self.b, start, step, self.plan, right) for start in range(0, len(self.b), step)]
        budget.run([self._job(start, step, blocks) for start in range(0, len(self.a), step)])

    def _job(self, start: int, step: int, blocks: list[Block]) -> Callable[[], None]:
        def strip() -> None:
            mine = Block(self.a, start, step, self.plan, left)
            for other in blocks:
                self._improve(mine, other)

        return strip

    def _improve(self, mine: Block, other: Block) -> None:
        values, error = measure(mine, other)
        largest = self._largest(values, error, mine, other)
        hits = _two_smallest(values, error, self.best[1, other.span])
        row, column = np.divmod(hits, values.shape[1])
        exact = squared(mine.points, row, other.points, column)
        twice = self.counts[mine.span][row] > 1
        with self.lock:
            self.farthest = max(self.farthest, largest)
            _merge(self.best[:, other.span], column, exact)
            _merge(self.best[:, other.span], column[twice], exact[twice])

    def _largest(self, values: Matrix, error: float, mine: Block, other: Block) -> float:
        top = float(values.max())
        if top + error <= self.farthest:
            return 0.0
        row, column = np.divmod(np.flatnonzero(values >= np.float64(top - 2 * error)), values.shape[1])
        return float(squared(mine.points, row, other.points, column).max())


def _two_smallest(values: Matrix, error: float, second: Floats) -> Ints:
    """Flat positions of all entries that may be among the two smallest of their column; spoils `values`."""
    lowest = values.min(axis=0)
    first = np.flatnonzero(values <= np.nextafter(lowest + 2 * error, values.dtype.type(np.inf)))
    values.ravel()[first] = np.inf
    next_lowest = np.minimum(values.min(axis=0), second) + 2 * error
    rest = np.flatnonzero(values <= np.nextafter(next_lowest.astype(values.dtype), values.dtype.type(np.inf)))
    rest = rest[np.isfinite(values.ravel()[rest])]
    return np.concatenate([first, rest])


def _merge(best: Floats, column: Ints, found: Floats) -> None:
    """Put newly found distances among the two smallest of their columns, in place."""
    order = np.lexsort((found, column))
    column, found = column[order], found[order]
    start = np.flatnonzero(np.r_[True, column[1:] != column[:-1]]) if len(column) else column
    for offset in (0, 1):
        place = start + offset
        place = place[place < len(column)]
        place = place[column[place] == column[start[: len(place)]]] if offset else place
        new, at = found[place], column[place]
        best[1, at] = np.minimum(best[1, at], np.maximum(best[0, at], new))
        best[0, at] = np.minimum(best[0, at], new)
