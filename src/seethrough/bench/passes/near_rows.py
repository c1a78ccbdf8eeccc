"""The released rows nearest to each person, by one pass over the release in any chunks.

Of a chunk are kept the k smallest distances of each person and the first few rows at them. States are merged by person:
the smallest distances of both, and of the rows named those that come first by distance, by the density of the reference
around them, and by content. Equal rows of a chunk are searched once. Distances that are known already, from other
chunks, keep most of a chunk from being measured.
"""

from dataclasses import dataclass

import numpy as np

from seethrough.data.encoding import StandardScale, standard_points
from seethrough.data.rows import fold_equal_rows, row_numbers, stack_tables
from seethrough.data.table import Table
from seethrough.kernels.arrays import Floats, Ints
from seethrough.kernels.budget import Budget
from seethrough.kernels.neighbours.k_nearest import k_nearest, k_nearest_of_distinct, places_within
from seethrough.kernels.neighbours.lists.growing_lists import NAMED
from seethrough.kernels.points import Points
from seethrough.kernels.statistics.kernel_sums import log_kernel_sums

FEW, MANY = 20_000, 8
"""Rows of a chunk up to which all are looked at; and so many times as many as people are from which on most are on
nobody's list, so that it pays to know first how far neighbours are: people have to be searched twice then, but the
density is asked for around few rows."""


@dataclass(frozen=True, eq=False)
class RowsNearby:
    """The k smallest distances of each person, and which rows are at the first few of them.

    Distances are infinite, and places -1, where there are fewer rows. `places` point into `rows`, which are different
    from each other and in the order of their content; `numbers` are those of the first of equal rows in the release,
    `density` is what the logarithm of the kernel density of the reference is there (0 without one).
    """

    distances: Floats
    places: Ints
    rows: Table
    numbers: Ints
    density: Floats

    def numbers_of_nearest(self) -> Ints:
        """Give the number of the nearest row of each person."""
        return self.numbers[self.places[:, 0]]


@dataclass(frozen=True, eq=False)
class Around:
    """Other people around released rows: where they are, and the width of their kernels."""

    reference: Points
    width: float


@dataclass(frozen=True, eq=False)
class NearRowsPass:
    """Pass: the k nearest released rows of people, who are different from each other."""

    people: Points
    scale: StandardScale
    around: Around | None
    k: int
    budget: Budget

    def partial(self, rows: Table, before: int, hint: Floats | None) -> RowsNearby:
        """Search a chunk; where rows are many, all for distances, and for names those alone that may be named."""
        first, counts = fold_equal_rows(rows)
        placed = standard_points(rows.take(first), self.scale)
        distances: Floats | None = None
        k, limits = self.k, None if hint is None else (hint[0], hint[1])
        if limits is None and len(placed) > max(FEW, MANY * len(self.people)):
            distances, _ = k_nearest_of_distinct(self.people, placed, counts, k, self.budget)
            k, limits = min(NAMED, k), (distances[:, min(NAMED, k) - 1],) * 2
        if limits is not None and len(placed) > FEW:
            kept = np.flatnonzero(places_within(self.people, placed, limits, self.budget))
            first, counts, placed = first[kept], counts[kept], placed.take(kept)
        density = self._density(placed)
        order = np.argsort(density, kind="stable")  # rows that are folded come by content
        found, places = k_nearest_of_distinct(self.people, placed.take(order), counts[order], k, self.budget, limits)
        named = np.where(places < 0, -1, np.append(order, -1)[places])
        return _kept(
            RowsNearby(found if distances is None else distances, named, rows.take(first), before + first, density)
        )

    def _reach(self, distances: Floats) -> tuple[Floats, Floats]:
        return distances[:, -1], distances[:, min(NAMED, self.k) - 1]

    def _density(self, placed: Points) -> Floats:
        if self.around is None or not len(placed):
            return np.zeros(len(placed))
        near = k_nearest(placed, self.around.reference, self.k, self.budget).distances
        return log_kernel_sums(near, self.around.width, self.budget)

    def merge(self, first: RowsNearby, second: RowsNearby) -> RowsNearby:
        """Take the nearest of both."""
        rows = stack_tables([first.rows, second.rows])
        _, kept, rank = np.unique(row_numbers(rows), return_index=True, return_inverse=True)
        numbers = np.full(len(kept), np.iinfo(np.int64).max)
        np.minimum.at(numbers, rank, np.concatenate([first.numbers, second.numbers]))
        density = np.concatenate([first.density, second.density])[kept]
        moved = np.where(second.places < 0, -1, second.places + len(first.rows))
        places = np.append(rank, -1)[np.concatenate([first.places, moved], axis=1)]
        named = first.places.shape[1]
        apart = np.concatenate([first.distances[:, :named], second.distances[:, :named]], axis=1)
        order = np.lexsort((places, np.append(density, 0.0)[places], apart), axis=1)[:, :named]
        distances = np.sort(np.concatenate([first.distances, second.distances], axis=1), axis=1)[:, : self.k]
        return _kept(
            RowsNearby(distances, np.take_along_axis(places, order, axis=1), rows.take(kept), numbers, density)
        )

    def hint(self, state: RowsNearby) -> Floats | None:
        """Tell how far the last of the distances and the last named row are."""
        return np.stack(self._reach(state.distances))


def _kept(found: RowsNearby) -> RowsNearby:
    """Keep the rows that are named."""
    used, places = np.unique(found.places, return_inverse=True)
    lacking = int(len(used) > 0 and used[0] < 0)
    used = used[lacking:]
    return RowsNearby(
        found.distances,
        places.reshape(found.places.shape) - lacking,
        found.rows.take(used),
        found.numbers[used],
        found.density[used],
    )
