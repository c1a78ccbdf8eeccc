"""The k nearest points of every point, exactly, in the Manhattan norm.

1. Every copy of a point counts: equal points are folded, searched once, and unfolded in the lists.
2. Similar points stand together (`clusters`). For each point the distance to the box around a cluster of others, that
   is the gaps to the ranges of its numbers and the codes that nobody in it has, bounds all distances from below. The
   nearest clusters come first; one whose bound is above the k-th distance found so far is left out for that point.
   Points go through all clusters in three rounds, many at once (`lists/list_rounds`).
3. What is left is bounded from below once more, pair by pair, in whole steps (`whole_steps`), and where that is no
   reason to leave a pair out it is measured in double precision by the operations of `points.totals` in their order.
   Hits, pairs that may belong on a list, are few and are merged into the lists by rounded distance, then place.

So equal points are at distance exactly 0, ties are ties, and neither blocks nor threads change a bit: a pair that is
left out has no place on the list whatever else is found.

Measured when choosing, processor seconds: 29,900 people among 20,000 rows of a diffusion release, four numbers and
four categories, 1.1 (SciPy's k-d tree over numbers and half indicators 1.2, before it is made exact); 8,000 among
8,000 rows of a census table of 15 mixed columns 0.8 (the tree 0.9 for 2,000 of them); 100,000 among 100,000 rows of a
survey 1.4 with 18 categories, equal rows folded, and 11.4 with two numbers beside them. `benchmarks/membership.py`
has it beside the definition.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

from seethrough.kernels.arrays import Bools, Codes, Floats, Ints
from seethrough.kernels.budget import Budget
from seethrough.kernels.device.torch_k_nearest import ListLengths, lists_on_device
from seethrough.kernels.neighbours.clusters import clusters
from seethrough.kernels.neighbours.lists.cluster_boxes import ClusterBoxes
from seethrough.kernels.neighbours.lists.growing_lists import NAMED, GrowingLists, list_limits
from seethrough.kernels.neighbours.lists.list_rounds import ListRounds
from seethrough.kernels.neighbours.lists.step_boxes import StepBoxes
from seethrough.kernels.neighbours.whole_steps import WholeSteps, whole_steps
from seethrough.kernels.points import Norm, Points, point_groups

PEOPLE, OTHERS, FEW = 512, 384, 96
"""Points of a cluster at most: a block of them stays in the cache of a core; others where clusters are told apart for
each person: small clusters leave out more."""
MAKING = 700
"""How often a small cluster is compared in the time in which it is made, for each of its points."""
BOUNDS = 1 << 20
"""Bounds of people and clusters that are held at once."""
BYTES_PER_PAIR = 24
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
    kinds = _varying(people, others)
    search = _ListSearch(
        kinds(people.take(first)), kinds(others.take(other_first[order])), counts[order], min(k, len(others))
    )
    search.run(budget)
    return NeighbourLists(search.distances[inverse], other_first[order][search.places][inverse])


Limits = tuple[Floats, Floats]
"""For each point how far its last neighbour, and the last that is named, are at most."""


def k_nearest_of_distinct(
    people: Points, others: Points, counts: Ints, k: int, budget: Budget, limits: Limits | None = None
) -> tuple[Floats, Ints]:
    """Find the k smallest distances of people, and the first places, among others who stand for so many rows each.

    Distances are infinite, and places -1, where there are fewer. What is no nearer than `limits`, which were found
    among further rows, may be left out, but for rows that tie with the last one named.
    """
    size = min(k, int(counts.sum()))
    distances, places = np.full((len(people), k), np.inf), np.full((len(people), min(k, NAMED)), -1)
    if size and len(people):
        kinds = _varying(people, others)
        search = _ListSearch(kinds(people), kinds(others), counts, size, limits)
        search.run(budget)
        distances[:, :size], places[:, : search.places.shape[1]] = search.distances, search.places
    return distances, places


def places_within(people: Points, others: Points, limits: Limits, budget: Budget) -> Bools:
    """Tell which of others may be on the list of anybody, given how far the last neighbours are at most."""
    found = np.zeros(len(others), bool)
    if not len(people) or not len(others):
        return found
    kinds, most = _varying(people, others), list_limits(*limits)
    people, others = kinds(people), kinds(others)
    steps = whole_steps(people, others)
    if steps is None:
        return ~found
    affordable = max(1, budget.memory // budget.threads // BYTES_PER_PAIR)
    boxes = StepBoxes(
        steps, clusters(others, np.arange(len(others)), min(_width(len(people), len(others)), affordable))
    )
    size = max(1, min(PEOPLE, min(affordable, BOUNDS) // max(len(boxes), boxes.width)))

    def mark(start: int) -> None:
        rows = np.arange(start, min(start + size, len(people)))
        border = steps.border(most[rows])
        for places, _, _ in boxes.members_within(rows, boxes.bounds(rows) <= border[:, None], border):
            found[places] = True

    budget.run([partial(mark, start) for start in range(0, len(people), size)])
    return found


def _varying(people: Points, others: Points) -> Callable[[Points], Points]:
    """Leave out codes that are the same for all, which add nothing to any distance."""
    kept = [
        place
        for place, (mine, theirs) in enumerate(zip(people.codes, others.codes, strict=True))
        if len(mine) and len(theirs) and not ((mine == mine[0]).all() and (theirs == mine[0]).all())
    ]
    return lambda points: Points(points.numbers, points.codes[kept], points.weights[kept], points.norm)


class _ListSearch:
    """A search of distinct people among distinct others, which stand for `counts` rows each."""

    def __init__(self, people: Points, others: Points, counts: Ints, k: int, limits: Limits | None = None) -> None:
        self.people, self.others, self.counts, self.k = people, others, counts, k
        self.limits = np.full(len(people), np.inf) if limits is None else list_limits(*limits)
        self.distances = np.empty((len(people), k))
        self.places = np.empty((len(people), min(k, NAMED)), np.int64)
        self.steps = whole_steps(people, others)
        self.clusters = 1

    def run(self, budget: Budget) -> None:
        """Search some people after the other on the threads of the budget; all pairs on a device."""
        if budget.device != "cpu":
            lengths = ListLengths(self.k, self.places.shape[1])
            self.distances, self.places = lists_on_device(self.people, self.others, self.counts, lengths, budget.device)
            return
        affordable = max(1, budget.memory // budget.threads // BYTES_PER_PAIR)
        job = self._by_measuring(affordable) if self.steps is None else self._by_steps(self.steps, affordable)
        most = max(1, min(PEOPLE, min(affordable, BOUNDS) // self.clusters))
        budget.run([partial(job, rows) for rows in clusters(self.people, np.arange(len(self.people)), most)])

    def _by_steps(self, steps: WholeSteps, affordable: int) -> Callable[[Ints], None]:
        """Search small clusters of others, many at once."""
        boxes = StepBoxes(
            steps,
            clusters(
                self.others, np.arange(len(self.others)), min(_width(len(self.people), len(self.others)), affordable)
            ),
        )
        self.clusters = max(len(boxes), boxes.width)

        def work(rows: Ints) -> None:
            lists = GrowingLists(self.limits[rows], self.k, self.counts)
            ListRounds(self.people, self.others, boxes, rows, lists).run()
            self.distances[rows], self.places[rows] = lists.finish()

        return work

    def _by_measuring(self, affordable: int) -> Callable[[Ints], None]:
        """Search one cluster of others after the other, where differences are weighed."""
        boxes = ClusterBoxes(self.others, clusters(self.others, np.arange(len(self.others)), min(OTHERS, affordable)))
        self.clusters = max(len(boxes.members), min(OTHERS, affordable))

        def work(rows: Ints) -> None:
            mine = self.people.take(rows)
            lists = GrowingLists(self.limits[rows], self.k, self.counts)
            bounds = boxes.bounds(mine)
            for box in np.argsort(bounds.sum(axis=0), kind="stable").tolist():
                gaining = np.flatnonzero(bounds[:, box] <= lists.limits)
                if len(gaining):
                    lists.offer(gaining, boxes.members[box], measured_block(mine, gaining, boxes.points[box]))
            self.distances[rows], self.places[rows] = lists.finish()

        return work


def _width(people: int, others: int) -> int:
    """Choose the points of a small cluster: to make many of them for few people takes longer than to search more."""
    return min(OTHERS, max(FEW, int((MAKING * others / people) ** 0.5)))


def measured_block(mine: Points, rows: Ints, theirs: Points) -> Floats | Codes:
    """Measure some of one set against all of another: one row for each of theirs, one column for each of mine.

    The operations are those of `points.totals`, in their order. Without numbers, and with weights of 1, whole numbers.
    """
    shape = len(theirs), len(rows)
    unit = len(mine.codes) < _BYTE and bool((mine.weights == 1).all())
    differ = np.zeros(shape, np.uint8 if unit else np.float64)
    for codes, others, weight in zip(mine.codes, theirs.codes, mine.weights, strict=True):
        unequal = others[:, None] != codes[rows]
        differ += unequal if unit else weight * unequal
    if unit and not mine.numbers.shape[1]:
        return differ
    total = differ.astype(np.float64)
    scratch = np.empty(shape)
    for values, others in zip(mine.numbers.T, theirs.numbers.T, strict=True):
        np.subtract(values[rows], others[:, None], out=scratch)
        total += np.abs(scratch, out=scratch)
    return total
