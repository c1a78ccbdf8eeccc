"""The k nearest points of every point, exactly, in the Manhattan norm.

1. Every copy of a point counts: equal points are folded, searched once, and unfolded in the lists.
2. Similar points stand together (`clusters`). For each point the distance to the box around a cluster of others, that
   is the gaps to the ranges of its numbers and the codes that nobody in it has, bounds all distances from below. Near
   clusters come first; a cluster whose bound is above the k-th distance found so far is left out for that point.
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
from seethrough.kernels.neighbours.clusters import SAFE, clusters
from seethrough.kernels.neighbours.whole_steps import whole_steps
from seethrough.kernels.points import DIGITS, Norm, Points, point_groups, totals

NAMED = 5
"""Of so many neighbours it is said which they are."""
PEOPLE, OTHERS = 512, 384
"""Points of a cluster at most: a block of them stays in the cache of a core."""
BYTES_PER_PAIR = 24
WAITING = 16
"""Hits a person, on average, that are merged into the lists at once."""
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
    kinds, border = _varying(people, others), _limits(*limits)
    people, others = kinds(people), kinds(others)
    affordable = max(1, budget.memory // budget.threads // BYTES_PER_PAIR)
    size = min(OTHERS, affordable)
    boxes = _Boxes(others, clusters(others, np.arange(len(others)), size))
    groups = clusters(people, np.arange(len(people)), max(1, min(PEOPLE, affordable // size)))

    def mark(rows: Ints) -> None:
        mine, most = people.take(rows), border[rows]
        near = boxes.bounds(mine) <= most[:, None]
        for box in np.flatnonzero(near.any(axis=0)).tolist():
            members = boxes.members[box]
            open_ones = np.flatnonzero(~found[members])
            if len(open_ones):
                asking = np.flatnonzero(near[:, box])
                block = measured_block(mine, asking, boxes.points[box].take(open_ones))
                found[members[open_ones[(block <= most[asking]).any(axis=1)]]] = True

    budget.run([partial(mark, rows) for rows in groups])
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
        self.limits = np.full(len(people), np.inf) if limits is None else _limits(*limits)
        self.distances = np.empty((len(people), k))
        self.places = np.empty((len(people), min(k, NAMED)), np.int64)
        self.steps = whole_steps(people, others)

    def run(self, budget: Budget) -> None:
        """Search cluster by cluster of people on the threads of the budget; all pairs on a device."""
        if budget.device != "cpu":
            lengths = ListLengths(self.k, self.places.shape[1])
            self.distances, self.places = lists_on_device(self.people, self.others, self.counts, lengths, budget.device)
            return
        affordable = max(1, budget.memory // budget.threads // BYTES_PER_PAIR)
        size = min(OTHERS, affordable)
        boxes = _Boxes(self.others, clusters(self.others, np.arange(len(self.others)), size))
        groups = clusters(self.people, np.arange(len(self.people)), max(1, min(PEOPLE, affordable // size)))
        budget.run([self._job(rows, boxes) for rows in groups])

    def _job(self, rows: Ints, boxes: "_Boxes") -> Callable[[], None]:
        def work() -> None:
            mine = self.people.take(rows)
            lists = _Lists(self.limits[rows], self.k, self.counts)
            bounds = boxes.bounds(mine)
            for box in np.argsort(bounds.sum(axis=0), kind="stable").tolist():
                gaining = np.flatnonzero(bounds[:, box] <= lists.limits)
                if not len(gaining):
                    continue
                others, places = boxes.points[box], boxes.members[box]
                if self.steps is None or np.isinf(lists.limits[gaining]).any():
                    lists.offer(gaining, places, measured_block(mine, gaining, others))
                    continue
                who, which = self.steps.pairs_within(lists.limits[gaining], rows[gaining], places)
                lists.take(gaining[who], totals(mine, gaining[who], others, which), places[which])
            self.distances[rows], self.places[rows] = lists.finish()

        return work


class _Boxes:
    """Clusters of points, each with the range of its numbers and the codes that it has."""

    def __init__(self, points: Points, members: list[Ints]) -> None:
        self.members = [np.sort(rows) for rows in members]
        self.points = [points.take(rows) for rows in self.members]
        self.weights = points.weights
        self.low, self.high = (
            np.array([end(each.numbers, axis=0) for each in self.points]).reshape(len(members), -1)
            for end in (np.min, np.max)
        )
        self.absent = [self._absent(column) for column in range(len(points.codes))]

    def _absent(self, column: int) -> Bools:
        """Tell for each code (rows) which clusters (columns) do not have it."""
        size = 1 + max(int(each.codes[column].max()) for each in self.points)
        absent = np.ones((size + 1, len(self.points)), bool)
        for place, each in enumerate(self.points):
            absent[each.codes[column], place] = False
        return absent

    def bounds(self, mine: Points) -> Floats:
        """Bound the distances of points (rows) to all members of each cluster (columns) from below."""
        bound = np.zeros((len(mine), len(self.members)))
        for codes, absent, weight in zip(mine.codes, self.absent, self.weights, strict=True):
            bound += weight * absent[np.minimum(codes, len(absent) - 1)]
        for values, low, high in zip(mine.numbers.T, self.low.T, self.high.T, strict=True):
            bound += np.maximum(np.maximum(low - values[:, None], values[:, None] - high), 0.0)
        return bound * SAFE


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


class _Lists:
    """Lists of some people while they are searched for: sorted by rounded distance, then place.

    `limits` says for each person up to which total a pair may still belong on the list.
    """

    def __init__(self, limits: Floats, k: int, counts: Ints) -> None:
        self.people, self.k, self.counts = len(limits), k, counts
        self.limits = self.known = limits
        self.found = np.empty(0, np.int64), np.empty(0), np.empty(0, np.int64)
        self.waiting: list[tuple[Ints, Floats, Ints]] = []
        self.hits = 0

    def offer(self, rows: Ints, places: Ints, block: Floats | Codes) -> None:
        """Take what may belong on a list from a block of places (rows) and people (columns)."""
        limits = self.limits[rows]
        fresh = np.isinf(limits)
        if fresh.any() and len(places) > self.k:
            # The k-th of this block alone is an upper bound, which keeps most of it out.
            kth = np.partition(block[:, fresh], self.k - 1, axis=0)[self.k - 1]
            limits[fresh] = np.nextafter(kth * (1 + 1e-11), np.inf)
        border = np.floor(np.minimum(limits, _BYTE - 1)).astype(np.uint8) if block.dtype == np.uint8 else limits
        which, who = np.divmod(np.flatnonzero(block <= border), len(rows))
        if not len(which):
            return
        self.waiting.append((rows[who], block[which, who].astype(np.float64), places[which]))
        self.hits += len(which)
        if fresh.any() or self.hits > WAITING * self.people:
            self.merge()

    def take(self, rows: Ints, measured: Floats, places: Ints) -> None:
        """Take pairs of people who have a list already, those that may belong on it."""
        near = np.flatnonzero(measured <= self.limits[rows])
        if not len(near):
            return
        self.waiting.append((rows[near], measured[near], places[near]))
        self.hits += len(near)
        if self.hits > WAITING * self.people:
            self.merge()

    def merge(self) -> None:
        """Sort what waits into the lists, and lower the limits."""
        who, measured, places = (np.concatenate(parts) for parts in zip(*self.waiting, strict=True))
        who, places = np.concatenate([self.found[0], who]), np.concatenate([self.found[2], places])
        distances = np.concatenate([self.found[1], Norm.MANHATTAN.distance(measured)])
        order = _order(who, distances, places)
        who, distances, places = who[order], distances[order], places[order]
        ends = np.cumsum(self.counts[places])
        begins = ends - self.counts[places]
        # Copies of those who come before in the same list.
        starts = np.searchsorted(who, np.arange(self.people))
        before = begins - np.append(begins, 0)[starts][who]
        kept = before < self.k
        self.found = who[kept], distances[kept], places[kept]
        self.waiting, self.hits = [], 0
        self._lower(self._at(self.k - 1), self._at(min(NAMED, self.k) - 1))

    def _at(self, place: int) -> Floats:
        """Give the distance at a place of the unfolded list of each person; infinite where it is not filled."""
        who, distances, places = self.found
        ends = np.cumsum(self.counts[places])
        starts = np.searchsorted(who, np.arange(self.people))
        offset = np.append(ends - self.counts[places], ends[-1:])[starts]
        at = np.searchsorted(ends, offset + place, side="right")
        is_there = (at < len(who)) & (np.append(who, -1)[at] == np.arange(self.people))
        return np.where(is_there, np.append(distances, np.inf)[at], np.inf)

    def _lower(self, last: Floats, named: Floats) -> None:
        self.limits = np.minimum(_limits(last, named), self.known)

    def finish(self) -> tuple[Floats, Ints]:
        """Unfold the lists."""
        if self.waiting:
            self.merge()
        who, distances, places = self.found
        everyone = np.arange(self.people)
        ends = np.cumsum(self.counts[places])
        offset = np.append(ends - self.counts[places], ends[-1:] if len(ends) else 0)[np.searchsorted(who, everyone)]
        at = np.searchsorted(ends, offset[:, None] + np.arange(self.k), side="right")
        at[np.append(who, -1)[at] != everyone[:, None]] = len(who)  # a list that limits have kept short
        return np.append(distances, np.inf)[at], np.append(places, -1)[at[:, : min(self.k, NAMED)]]


def _limits(last: Floats, named: Floats) -> Floats:
    """Let in what rounds to less than the last distance, or to no more than the last that is named."""
    with np.errstate(invalid="ignore"):
        limits = np.maximum(last - 0.04 * _granule(last), named + 0.6 * _granule(named))
    return np.where(np.isinf(last), np.inf, limits)


def _order(who: Ints, distances: Floats, places: Ints) -> Ints:
    """Sort by person, distance and place; numbers of two bytes are sorted without comparing, twice as fast."""
    order = np.argsort(_short(places), kind="stable")
    order = order[np.argsort(distances[order], kind="stable")]
    return order[np.argsort(_short(who)[order], kind="stable")]


def _short(numbers: Ints) -> Codes | Ints:
    return numbers.astype(np.uint16) if numbers.max(initial=0) < 1 << 16 else numbers


def _granule(distances: Floats) -> Floats:
    """Give the last digit that a rounded distance has."""
    known = np.isfinite(distances) & (distances > 0)
    exponent = np.ceil(np.log10(distances, out=np.zeros_like(distances), where=known))
    return np.where(known, 10.0 ** (exponent - DIGITS), 0.0)
