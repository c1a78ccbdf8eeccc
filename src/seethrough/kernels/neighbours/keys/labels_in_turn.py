"""The nearest point of each label without some columns, for many turns of columns left out, by one pass over the pairs.

Only totals at most 1 above the smallest of a row matter, as in `nearest_by_label`. Let T be the total of a pair with
all columns and T_t that without the columns of turn t, which add p at most to any total. With m the smallest T of a row
the smallest T_t is at most m, so a pair that matters has T_t <= m + 1 and T <= m + 1 + p. The totals of a turn are
added up in the order of `points.totals`, so that they are to the bit those of a search on the other columns.

Where many pairs are that near, each turn has a search of its own.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from seethrough.kernels.arrays import Bools, Floats, Ints
from seethrough.kernels.budget import Budget
from seethrough.kernels.neighbours.keys.nearest_by_label import FEW, nearest_by_label_within_one
from seethrough.kernels.neighbours.keys.within_reach import SLACK, NearPairs, counts_differences, pairs_within
from seethrough.kernels.points import Points, block_totals, point_groups

SAMPLE, MOST_NEAR = 64, 0.05
"""Points by which it is told how many pairs are near, and the share of them up to which one pass serves all turns."""
FARTHEST_REACH = 8.0
"""Beyond it a number is far out of its range, and what is left of a total without it would be lost in rounding."""


@dataclass(frozen=True, eq=False)
class LabelTurn:
    """Places of the codes and numbers left out, and the label of each point."""

    codes: Ints
    numbers: Ints
    labels: Ints


def nearest_by_label_in_turn(
    asking: Points, points: Points, turns: Sequence[LabelTurn], budget: Budget
) -> Iterator[tuple[Ints, Floats]]:
    """Find for each turn the labels that occur, and each asking point's distance to the nearest of each.

    Distances whose square is more than 1 above the smallest need not be those of the nearest.
    """
    reach = 1.0 + max((_most_added(asking, points, turn) for turn in turns), default=0.0)
    if len(asking) <= FEW or not len(points) or not _are_few(asking, points, reach):
        yield from (_alone(asking, points, turn, budget) for turn in turns)
        return
    groups, _ = point_groups(asking, asking.take(np.arange(0)))
    _, first, inverse = np.unique(groups, return_index=True, return_inverse=True)
    mine = asking.take(first)
    for some in _batches([_TurnSearch(mine, points, turn) for turn in turns], budget.memory // 4):
        pairs_within(reach, mine, points, budget, _all_of(some))
        yield from ((search.present, asking.norm.distance(search.end())[inverse]) for search in some)


class _TurnSearch:
    """The smallest totals of one turn, by row and label."""

    def __init__(self, mine: Points, others: Points, turn: LabelTurn) -> None:
        self.mine, self.others, self.turn = mine, others, turn
        self.present, self.place = np.unique(turn.labels, return_inverse=True)
        self.shape = len(mine), len(self.present)
        self.found = np.empty((0, 0))

    def begin(self) -> None:
        """Make room for what is found."""
        self.found = np.full(self.shape, np.inf)

    def end(self) -> Floats:
        """Hand over what was found."""
        found, self.found = self.found, np.empty((0, 0))
        return found

    def take(self, near: NearPairs) -> None:
        """Keep what is smallest of the pairs of some rows, which come row by row."""
        apart = near.totals.copy()
        for place in self.turn.codes.tolist():
            apart -= self._differ(place, near)
        for place in self.turn.numbers.tolist():
            apart -= self._square(place, near)
        starts = np.flatnonzero(np.diff(near.rows, prepend=-1))
        best = np.repeat(np.minimum.reduceat(apart, starts), np.diff(starts, append=len(near.rows)))
        near = near.take(np.flatnonzero(apart <= best + 1 + SLACK * (near.totals + 1)))
        totals = near.differing.copy()
        for place in self.turn.codes.tolist():
            totals -= self._differ(place, near)
        for place in np.setdiff1d(np.arange(self.mine.numbers.shape[1]), self.turn.numbers).tolist():
            totals += self._square(place, near)
        np.minimum.at(self.found, (near.rows, self.place[near.columns]), totals)

    def _differ(self, place: int, near: NearPairs) -> Bools:
        found: Bools = self.mine.codes[place, near.rows] != self.others.codes[place, near.columns]
        return found

    def _square(self, place: int, near: NearPairs) -> Floats:
        found: Floats = np.square(self.mine.numbers[near.rows, place] - self.others.numbers[near.columns, place])
        return found


def _all_of(searches: Sequence[_TurnSearch]) -> Callable[[NearPairs], None]:
    for search in searches:
        search.begin()

    def take(near: NearPairs) -> None:
        for search in searches:
            search.take(near)

    return take


def _batches(searches: Sequence[_TurnSearch], memory: int) -> list[list[_TurnSearch]]:
    """Put turns together that fit in memory."""
    batches: list[list[_TurnSearch]] = [[]]
    held = 0
    for search in searches:
        size = 8 * search.shape[0] * search.shape[1]
        if batches[-1] and held + size > memory:
            batches.append([])
            held = 0
        batches[-1].append(search)
        held += size
    return batches


def _most_added(asking: Points, points: Points, turn: LabelTurn) -> float:
    """Bound what the columns of a turn add to the total of any pair."""
    codes = sum(len(np.union1d(asking.codes[place], points.codes[place])) > 1 for place in turn.codes.tolist())
    both = [np.concatenate([side.numbers[:, place] for side in (asking, points)]) for place in turn.numbers.tolist()]
    return float(codes + sum(np.square(np.ptp(values)) for values in both))


def _are_few(asking: Points, points: Points, reach: float) -> bool:
    """Tell whether so few pairs are within reach that they can be held and gone through for each turn."""
    if not counts_differences(asking) or reach > FARTHEST_REACH:
        return False
    some = np.linspace(0, len(asking) - 1, min(len(asking), SAMPLE)).astype(np.int64)
    near = 0
    for row in some.tolist():
        total = block_totals(asking.take(np.array([row])), points)
        near += int(np.count_nonzero(total <= total.min() + reach))
    return near <= MOST_NEAR * len(some) * len(points)


def _alone(asking: Points, points: Points, turn: LabelTurn, budget: Budget) -> tuple[Ints, Floats]:
    """Search without the columns of one turn."""
    codes = np.setdiff1d(np.arange(len(asking.codes)), turn.codes)
    numbers = np.setdiff1d(np.arange(asking.numbers.shape[1]), turn.numbers)
    mine, others = (
        Points(side.numbers[:, numbers], side.codes[codes], side.weights[codes], side.norm) for side in (asking, points)
    )
    return nearest_by_label_within_one(mine, others, turn.labels, budget)
