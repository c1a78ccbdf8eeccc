"""The k nearest points of every point, exactly, in the Manhattan norm.

Every copy of a point counts: equal points are folded, searched once, and unfolded in the lists. A block of people is
measured against all others in single precision: codes are compared a byte at a time, numbers subtracted. The k smallest
and a few more are measured again in double precision, by the operations of `points.totals`, and sorted. Where single
precision cannot tell whether one that was left out belongs among them, all distances of that person are measured in
double precision. So neither blocks nor threads change a bit.

A search tree was measured beside it (SciPy's k-d tree over numbers and half indicators): faster up to about ten
effective columns, and slower by far above fifteen, which is what tables of people have.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from seethrough.kernels.arrays import Bools, Floats, Ints
from seethrough.kernels.budget import Budget
from seethrough.kernels.points import Norm, Points, block_totals, point_groups, totals

SPARE = 4
"""How many more than k are measured in double precision."""
PAIRS = 1 << 21
"""Pairs of a block: the matrix of a block stays in the cache of a core."""
BYTES_PER_PAIR = 16
NAMED = 5
"""Of so many neighbours it is said which they are."""
_BYTE = 256


@dataclass(frozen=True, eq=False)
class NeighbourLists:
    """For each point its k smallest distances in ascending order, and the points at the first few of them.

    `distances` has one row a point and as many columns as there are neighbours, at most k; `places` names the points of
    the first columns, at most `NAMED`. Of equally near points the one that comes first stands first; a copy is named by
    the first of its copies.
    """

    distances: Floats
    places: Ints

    @property
    def nearest(self) -> Ints:
        """Name the nearest point of each."""
        return self.places[:, 0]


def k_nearest(people: Points, others: Points, k: int, budget: Budget) -> NeighbourLists:
    """Find the k nearest of `others` for each of `people`."""
    if people.norm is not Norm.MANHATTAN:
        raise ValueError("lists of neighbours are made in the Manhattan norm")
    groups, other_groups = point_groups(people, others)
    _, first, inverse = np.unique(groups, return_index=True, return_inverse=True)
    _, other_first, counts = np.unique(other_groups, return_index=True, return_counts=True)
    order = np.argsort(other_first)
    search = _ListSearch(people.take(first), others.take(other_first[order]), counts[order], min(k, len(others)))
    search.run(budget)
    return NeighbourLists(search.distances[inverse], other_first[order][search.places][inverse])


class _ListSearch:
    """One pass over all pairs of distinct people and distinct others, which stand for `counts` rows each."""

    def __init__(self, people: Points, others: Points, counts: Ints, k: int) -> None:
        self.people, self.others, self.counts, self.k = people, others, counts, k
        self.kept = min(k + SPARE, len(others))
        self.distances = np.empty((len(people), k))
        self.places = np.empty((len(people), min(k, NAMED)), np.int64)
        self.numbers = (people.numbers.astype(np.float32), others.numbers.astype(np.float32))
        largest = max(
            (float(np.abs(side.numbers).sum(axis=1).max(initial=0.0)) for side in (people, others)), default=0
        )
        columns = people.numbers.shape[1]
        # Rounding of both numbers, of the difference and of each addition, all relative to the largest sum.
        self.error = 2.0 * (columns + 3) * (2 * largest + len(people.codes)) * 2.0**-24 if columns else 0.0

    def run(self, budget: Budget) -> None:
        """Search block by block on the threads of the budget."""
        affordable = int(budget.memory / budget.threads / BYTES_PER_PAIR)
        step = max(1, min(PAIRS, affordable) // max(1, len(self.others)))
        budget.run([self._job(start, step) for start in range(0, len(self.people), step)])

    def _job(self, start: int, step: int) -> Callable[[], None]:
        return lambda: self._block(np.arange(start, min(start + step, len(self.people))))

    def _block(self, rows: Ints) -> None:
        coarse = self._coarse(rows)
        if self.kept < len(self.others):
            places = np.argpartition(coarse, self.kept - 1, axis=1)[:, : self.kept]
            border = np.take_along_axis(coarse, places, axis=1).max(axis=1).astype(np.float64)
        else:
            places = np.broadcast_to(np.arange(len(self.others)), (len(rows), len(self.others)))
            border = np.full(len(rows), np.inf)
        exact = totals(self.people, np.repeat(rows, self.kept), self.others, places.ravel()).reshape(places.shape)
        self._keep(rows, places, exact)
        unsure: Bools = self.distances[rows, -1] > border - self.error
        if self.error and unsure.any():
            self._measure_whole(rows[unsure])

    def _measure_whole(self, rows: Ints) -> None:
        for row in rows:
            one = np.array([row])
            exact = block_totals(self.people.take(one), self.others)
            self._keep(one, np.arange(len(self.others))[None], exact)

    def _keep(self, rows: Ints, places: Ints, exact: Floats) -> None:
        """Sort candidates by distance, then place; unfold copies; keep the k nearest."""
        rounded = self.people.norm.distance(exact)
        order = np.lexsort((places, rounded), axis=1)
        ranked = np.take_along_axis(places, order, axis=1)
        ends = np.cumsum(self.counts[ranked], axis=1)
        # The distance at place j of the unfolded list is that of the first candidate whose copies reach beyond j.
        pick = (ends[:, None, :] <= np.arange(self.k)[None, :, None]).sum(axis=2)
        self.distances[rows] = np.take_along_axis(np.take_along_axis(rounded, order, axis=1), pick, axis=1)
        self.places[rows] = np.take_along_axis(ranked, pick[:, : self.places.shape[1]], axis=1)

    def _coarse(self, rows: Ints) -> npt.NDArray[np.float32]:
        """Measure all pairs of some people in single precision."""
        mine, theirs = self.numbers
        shape = len(rows), len(self.others)
        differ, total = np.zeros(shape, np.uint8), np.zeros(shape, np.float32)
        for codes, other_codes, weight in zip(self.people.codes, self.others.codes, self.people.weights, strict=True):
            unequal = codes[rows, None] != other_codes[None, :]
            if weight == 1 and len(self.people.codes) < _BYTE:
                differ += unequal  # a byte a pair: four times as fast as adding single precision
            else:
                total += np.float32(weight) * unequal
        total += differ
        for column in range(mine.shape[1]):
            total += np.abs(mine[rows, column, None] - theirs[None, :, column])
        return total
