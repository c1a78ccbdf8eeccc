"""The smallest totals of people among others, by many small clusters, for all people in few operations.

Others stand in clusters of similar points (`clusters`), all of one width: one that is not full repeats its last member.
Of neighbouring ones a large cluster is made. For each person the gaps to the ranges of a cluster's numbers and the
codes that nobody in it has bound the totals to all members from below. The nearest small clusters of the nearest large
ones are measured first, by the operations of `points.totals` in their order; then all small clusters of large ones
whose bounds are below what was found. What is left out holds no smaller total, so that the minima are exact.

It is fast where few clusters are left, as in tables of some ten columns and many rows. In wide tables hardly a cluster
can be left out, and blocks of all pairs are faster (`nearest`): `is_sparse` tells by some of the people.
"""

from collections.abc import Callable
from functools import partial

import numpy as np
import numpy.typing as npt

from seethrough.kernels.arrays import Bools, Codes, Floats, Ints, Single
from seethrough.kernels.budget import Budget
from seethrough.kernels.neighbours.clusters import clusters
from seethrough.kernels.points import Points

WIDTH, WIDEST_CLUSTER, CHILDREN, FIRST = 64, 1024, 16, 2
"""Points of a small cluster at most, where people are many and few, small clusters of a large one, and those that are
measured first."""
MAKING = 4_000
"""How often a cluster is measured in the time in which it is made, for each of its points: fewer people want larger
clusters."""
PEOPLE, BOUNDS, AT_ONCE = 1024, 1 << 20, 1 << 18
"""People who are searched at once, bounds that are held for them at most, and pairs that are measured at once."""
BYTES_PER_PAIR = 40
ASKED, SPARSE = 256, 0.1
"""People by whom it is told whether few pairs are left, and the share of pairs up to which these are few."""
SLOTS = 256
"""Codes of more levels are taken modulo this: what nobody has then, nobody has."""
FARTHEST = 64.0
"""Numbers are held to so many units from the middle for bounds, which are no larger then."""
SAFE = 1 - 1e-5


class _Bounds:
    """Bounds from below of the totals between points and all members of clusters, which stand in groups."""

    def __init__(self, points: Points, places: Ints, groups: int) -> None:
        self.groups, self.many, self.norm = groups, len(places) // groups, points.norm
        self.kind = np.uint8 if _counts(points) else np.float32
        self.absent = [
            self._absent(codes[places] & (SLOTS - 1), weight)
            for codes, weight in zip(points.codes, points.weights, strict=True)
        ]
        self.ends = [
            (values[places].min(axis=1).reshape(groups, -1), values[places].max(axis=1).reshape(groups, -1))
            for values in points.numbers.T.astype(np.float32)
        ]

    def _absent(self, codes: Codes, weight: float) -> npt.NDArray[np.number]:
        """Give for each code and group (rows) what the clusters (columns) add that do not have it."""
        absent = np.full((SLOTS, len(codes)), weight, self.kind)
        absent[codes, np.arange(len(codes))[:, None]] = 0
        return absent.reshape(SLOTS * self.groups, -1)

    def to(self, mine: Points, rows: Ints, group: Ints | int = 0) -> Single:
        """Bound the totals of some of mine (rows) to the clusters of a group (columns), which may be another for each.

        Mine are held as the others are.
        """
        shape = len(rows), self.many
        lacking, buffer = np.zeros(shape, self.kind), np.empty(shape, self.kind)
        for codes, absent in zip(mine.codes, self.absent, strict=True):
            place = (codes[rows] & (SLOTS - 1)).astype(np.int64) * self.groups + group
            np.add(lacking, np.take(absent, place, axis=0, out=buffer), out=lacking)
        bound = lacking.astype(np.float32)
        below, above = np.empty(shape, np.float32), np.empty(shape, np.float32)
        for values, (low, high) in zip(mine.numbers.T, self.ends, strict=True):
            mine_here = values[rows].astype(np.float32)[:, None]
            np.maximum(
                np.subtract(low[group], mine_here, out=below), np.subtract(mine_here, high[group], out=above), out=below
            )
            # More than the error of single precision at the largest numbers that are held.
            below -= np.float32(FARTHEST * 2.0**-21)
            bound += self.norm.part(np.maximum(below, 0, out=below))
        bound *= np.float32(SAFE)
        return bound


def _counts(points: Points) -> bool:
    """Tell whether codes that differ are counted in a byte."""
    return len(points.codes) < SLOTS and bool((points.weights == 1).all())


class NearestRounds:
    """The search for the smallest totals of people among others; `own` are the places of people among the others."""

    def __init__(self, people: Points, others: Points, budget: Budget, own: Ints | None = None) -> None:
        self.people, self.others, self.own = people, others, own
        self.affordable = max(1, budget.memory // budget.threads // BYTES_PER_PAIR)
        wide = min(WIDEST_CLUSTER, max(WIDTH, int((MAKING * len(others) / len(people)) ** 0.5)))
        members = clusters(others, np.arange(len(others)), min(wide, self.affordable))
        members += members[-1:] * (-len(members) % CHILDREN)
        self.places = _of_one_width(members)
        self.boxes, self.width = self.places.shape
        self.codes = [codes[self.places] for codes in others.codes]
        self.numbers = [values[self.places] for values in others.numbers.T]
        middle = np.median(others.numbers, axis=0)
        self.held, held = (_held(each, middle) for each in (people, others))
        self.large = _Bounds(held, self.places.reshape(-1, CHILDREN * self.width), 1)
        self.small = _Bounds(held, self.places, self.boxes // CHILDREN)

    def jobs(self, best: Floats) -> list[Callable[[], None]]:
        """Give the work that lowers the totals of all whose total is above 0 to the smallest that there are."""
        asking = np.flatnonzero(best > 0)
        many = max(1, min(PEOPLE, min(self.affordable, BOUNDS) // max(self.boxes, self.width)))
        return [partial(self._search, asking[at : at + many], best) for at in range(0, len(asking), many)]

    def is_sparse(self, best: Floats) -> bool:
        """Tell whether few pairs are left after the first round, by some of the people."""
        asking = np.flatnonzero(best > 0)
        some = asking[np.linspace(0, len(asking) - 1, min(ASKED, len(asking))).astype(np.int64)]
        left = int(np.count_nonzero(self._begin(some, best)[1]))
        return bool(left * self.width <= SPARSE * len(some) * len(self.others))

    def _search(self, rows: Ints, best: Floats) -> None:
        found, near = self._begin(rows, best)
        self._lower(found, rows, *np.divmod(np.flatnonzero(near), self.boxes))
        best[rows] = found

    def _begin(self, rows: Ints, best: Floats) -> tuple[Floats, Bools]:
        """Measure the nearest clusters, and tell which others may be nearer than these."""
        large, found, everyone = self.large.to(self.held, rows), best[rows], np.arange(len(rows))
        bounds = np.full((len(rows), self.boxes), np.inf, np.float32)
        self._bound(bounds, rows, large <= large.min(axis=1, keepdims=True))
        large[large <= large.min(axis=1, keepdims=True)] = np.inf
        for _ in range(min(FIRST, self.boxes)):
            nearest = bounds.argmin(axis=1)
            self._lower(found, rows, everyone, nearest)
            bounds[everyone, nearest] = np.inf
        self._bound(bounds, rows, large < found[:, None])
        return found, bounds < found[:, None]

    def _bound(self, bounds: Single, rows: Ints, near: Bools) -> None:
        """Bound the totals to the small clusters of large ones that are marked."""
        who, large = np.divmod(np.flatnonzero(near), self.large.many)
        places = bounds.reshape(len(rows), -1, CHILDREN)
        step = max(1, AT_ONCE // CHILDREN)
        for start in range(0, len(who), step):
            mine, group = who[start : start + step], large[start : start + step]
            places[mine, group] = self.small.to(self.held, rows[mine], group)

    def _lower(self, found: Floats, rows: Ints, who: Ints, boxes: Ints) -> None:
        """Measure people against all members of a cluster each, and keep what is smaller."""
        step = max(1, AT_ONCE // self.width)
        for start in range(0, len(who), step):
            mine, theirs = who[start : start + step], boxes[start : start + step]
            np.minimum.at(found, mine, self._measured(rows[mine], theirs).min(axis=1))

    def _measured(self, rows: Ints, boxes: Ints) -> Floats:
        """Measure as `points.totals` does, in its order."""
        shape, is_counted = (len(rows), self.width), _counts(self.others)
        differ = np.zeros(shape, np.uint8 if is_counted else np.float64)
        for mine, theirs, weight in zip(self.people.codes, self.codes, self.people.weights, strict=True):
            unequal = np.take(theirs, boxes, axis=0) != mine[rows][:, None]
            differ += unequal.view(np.uint8) if is_counted else weight * unequal
        total = differ.astype(np.float64)
        for place, values in enumerate(self.numbers):
            apart = np.take(values, boxes, axis=0)
            total += self.people.norm.part(np.subtract(self.people.numbers[rows, place][:, None], apart, out=apart))
        if self.own is not None:
            total[self.places[boxes] == self.own[rows][:, None]] = np.inf
        return total


def _of_one_width(members: list[Ints]) -> Ints:
    """Put clusters under each other; one that is not full repeats its last member."""
    sizes = np.array([len(rows) for rows in members])
    slots = np.minimum(np.arange(sizes.max()), sizes[:, None] - 1)
    places: Ints = np.concatenate(members)[(np.cumsum(sizes) - sizes)[:, None] + slots]
    return places


def _held(points: Points, middle: Floats) -> Points:
    return Points(np.clip(points.numbers - middle, -FARTHEST, FARTHEST), points.codes, points.weights, points.norm)
