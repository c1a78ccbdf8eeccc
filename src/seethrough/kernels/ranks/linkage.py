"""All nearest rows in rank space: the sum, or the largest, of absolute differences of ranks. Exact, ties included.

Ranks come doubled, as whole numbers. Rows that are equal are folded and searched once.

1. Ranks are made coarse so that a whole distance fits in 16 bits. Coarse ranks are off by less than one step in each
   column, so a coarse distance is off by less than p steps (sum) or one step (largest): whatever is not within twice
   that of the coarse minimum cannot be nearest. With few rows nothing has to be coarse.
2. The rows of the other table stand in leaves of similar rows. Leaves are taken in the order of the gap between their
   box and the box of a few similar rows of mine, and the search ends where the gap is above what was found.
3. What is left is measured again with whole ranks; all rows that attain the minimum are nearest.

Where columns are left out in turn, one pass serves all turns: the sum without a column is the sum of all minus the
difference in that column, so that of p columns each pair is measured once and not once a turn.

Why not a tree: on 100,000 x 100,000 rows of 10 columns SciPy's KDTree (two nearest, p = 1, two workers on a shared
machine) needed 0.4 ms a row where columns hang together and 0.8 ms where they do not. Differences of 16-bit numbers
cost 0.1 ns each in blocks that fit the cache, 10 columns of 100,000 rows 0.1 ms, without any leaf left out.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from threading import Lock

import numpy as np
import numpy.typing as npt
from scipy import sparse

from seethrough.errors import NotApplicable
from seethrough.kernels.arrays import Floats, Ints
from seethrough.kernels.budget import Budget
from seethrough.kernels.counting.grouping import combine
from seethrough.kernels.neighbours.all_nearest import Nearest
from seethrough.kernels.neighbours.clusters import clusters
from seethrough.kernels.points import Norm, Points

Small = npt.NDArray[np.int16]
Pairs = tuple[Ints, Ints]

LIMIT = 32_767
TOGETHER = 32
"""Rows of mine that are searched for together,"""
LEAF = 256
"""rows of the other table in a leaf,"""
FIRST, LATER = 4, 32
"""and leaves measured at once: at first, to have a bound, and later."""
JOBS = 128
BYTES_PER_LINK = 64
"""What a link takes while links are put together."""
NOTHING = np.zeros(0, np.int64)
"""The columns left out in a search by all of them."""


@dataclass(frozen=True, eq=False)
class Folded:
    """Distinct rows of ranks, and the place of each row among them."""

    distinct: Ints
    group: Ints


def fold_equal_ranks(ranks: Ints) -> Folded:
    """Find the distinct rows."""
    numbers = combine(list(ranks.T)) if ranks.shape[1] else np.zeros(len(ranks), np.int64)
    _, first, group = np.unique(numbers, return_index=True, return_inverse=True)
    return Folded(ranks[first], group)


def nearest_by_ranks(rows: Ints, columns: Ints, budget: Budget, *, largest: bool = False) -> Nearest:
    """Find, for every row of doubled ranks, all rows of `columns` at the smallest sum (or largest) of differences."""
    mine, others = fold_equal_ranks(rows), fold_equal_ranks(columns)
    search = _RankSearch(mine.distinct, others.distinct, (NOTHING,), Room(budget), largest=largest)
    search.run(budget)
    return link_folded(mine, others, search.pairs[0], search.best[0])


def nearest_by_ranks_in_turn(rows: Ints, columns: Ints, left_out: Sequence[Ints], budget: Budget) -> Iterator[Nearest]:
    """Do the same by the sum of differences without some columns, for each turn of `left_out`, in one pass.

    Where the links of all turns together would not fit in memory, each turn has a pass of its own.
    """
    mine, others = fold_equal_ranks(rows), fold_equal_ranks(columns)
    search = _RankSearch(mine.distinct, others.distinct, tuple(left_out), Room(budget), largest=False)
    try:
        search.run(budget)
    except NotApplicable:
        everything = np.arange(rows.shape[1])
        kept = [np.setdiff1d(everything, out) for out in left_out]
        yield from (nearest_by_ranks(rows[:, some], columns[:, some], budget) for some in kept)
        return
    yield from (link_folded(mine, others, *found) for found in zip(search.pairs, search.best, strict=True))


def link_folded(mine: Folded, others: Folded, pairs: list[Pairs], doubled: Floats) -> Nearest:
    """Put links between distinct rows together; `doubled` are the distances of my distinct rows, doubled."""
    shape = len(mine.distinct), len(others.distinct)
    place = tuple(np.concatenate(side) for side in zip(*pairs, strict=True))
    links = sparse.csr_array((np.ones(len(place[0]), np.int64), place), shape=shape)
    links.data[:] = 1  # a pair may have been found twice
    return Nearest(mine.group, others.group, links, doubled[mine.group] / 2)


class Room:
    """Counts links, and ends a search that would not fit in memory."""

    def __init__(self, budget: Budget) -> None:
        self.most, self.held, self._lock = budget.memory // BYTES_PER_LINK, 0, Lock()

    def take(self, links: int) -> None:
        """Make room for so many links more."""
        with self._lock:
            self.held += links
        if self.held > self.most:
            raise NotApplicable(
                f"more than {self.most:,} links: this criterion leaves too many rows tied to hold them all in memory"
            )


class _RankSearch:
    """One search: coarse ranks of both sides, the leaves of the other, and what was found, for each turn."""

    def __init__(self, mine: Ints, others: Ints, left_out: tuple[Ints, ...], room: Room, *, largest: bool) -> None:
        self.whole = mine, others
        self.left_out, self.largest, self.room = left_out, largest, room
        width = mine.shape[1]
        top = int(max(mine.max(initial=0), others.max(initial=0))) + 1
        steps = min(top, max(1, LIMIT // (1 if largest else max(width, 1))))
        self.slack = 0 if steps == top else 1 if largest else 2 * width - 1
        self.mine, coarse = ((side * steps // top).astype(np.int16) for side in self.whole)
        leaves = clusters(_points(coarse), np.arange(len(others)), LEAF)
        self.order = np.concatenate(leaves)
        ends = np.cumsum([len(leaf) for leaf in leaves])
        self.spans = list(zip((ends - [len(leaf) for leaf in leaves]).tolist(), ends.tolist(), strict=True))
        self.others: Small = np.ascontiguousarray(coarse[self.order].T)
        starts = [start for start, _ in self.spans]
        self.low = np.minimum.reduceat(self.others, starts, axis=1).astype(np.int32)
        self.high = np.maximum.reduceat(self.others, starts, axis=1).astype(np.int32)
        self.pairs: list[list[Pairs]] = [[] for _ in left_out]
        self.best = np.zeros((len(left_out), len(mine)))
        self.lock = Lock()

    def run(self, budget: Budget) -> None:
        """Search for groups of similar rows on the threads of the budget."""
        groups = clusters(_points(self.mine), np.arange(len(self.mine)), TOGETHER)
        size = max(1, -(-len(groups) // JOBS))
        budget.run([self._job(groups[start : start + size]) for start in range(0, len(groups), size)])

    def _job(self, groups: list[Ints]) -> Callable[[], None]:
        def work() -> None:
            room = np.empty((3, TOGETHER * LATER * LEAF), np.int16)
            for group in groups:
                found = self._candidates(np.ascontiguousarray(self.mine[group].T), room)
                for turn, pairs in enumerate(found):
                    self._settle(turn, group, *pairs)

        return work

    def _candidates(self, mine: Small, room: Small) -> list[Pairs]:
        """Find, for each turn, the pairs that may be nearest: places in the group and among the distinct rows."""
        bounds = self._gaps(mine)
        lowest = bounds.min(axis=0)
        order = np.argsort(lowest, kind="stable")
        best = np.full((len(self.left_out), mine.shape[1]), LIMIT, np.int32)
        found: list[list[tuple[Ints, Ints, Small]]] = [[] for _ in self.left_out]
        at, size = 0, FIRST
        while at < len(order) and lowest[order[at]] <= best.max() + self.slack:
            leaves = order[at : at + size]
            leaves = leaves[(bounds[:, leaves] <= best.max(axis=1, keepdims=True) + self.slack).any(axis=0)]
            at, size = at + size, LATER
            if not len(leaves):
                continue
            spans = [self.spans[leaf] for leaf in leaves.tolist()]
            columns = np.concatenate([self.others[:, start:end] for start, end in spans], axis=1)
            places = np.concatenate([self.order[start:end] for start, end in spans])
            total = _differences(mine, columns, room, largest=self.largest)
            for turn, out in enumerate(self.left_out):
                values = _without(total, mine[out], columns[out], room)
                row, column = _improving(values, best[turn], self.slack)
                found[turn].append((row, places[column], values[row, column]))
        return [_within(pairs, near + self.slack) for pairs, near in zip(found, best, strict=True)]

    def _gaps(self, mine: Small) -> Ints:
        """Bound the coarse distance of a few rows to those of every leaf from below, for each turn."""
        low, high = mine.min(axis=1)[:, None].astype(np.int32), mine.max(axis=1)[:, None].astype(np.int32)
        gap = np.maximum(np.maximum(self.low - high, low - self.high), 0)
        if self.largest:
            largest: Ints = gap.max(axis=0, initial=0)[None, :]
            return largest
        total = gap.sum(axis=0)
        return np.stack([total - gap[out].sum(axis=0) for out in self.left_out])

    def _settle(self, turn: int, group: Ints, row: Ints, column: Ints) -> None:
        """Measure candidates with whole ranks and keep those that attain the minimum."""
        mine, others = self.whole
        apart = np.abs(mine[group[row]] - others[column])
        total = apart.max(axis=1, initial=0) if self.largest else apart.sum(axis=1)
        if len(self.left_out[turn]):
            total = total - apart[:, self.left_out[turn]].sum(axis=1)
        best = np.full(len(group), np.iinfo(np.int64).max)
        np.minimum.at(best, row, total)
        attained = total == best[row]
        self.room.take(int(np.count_nonzero(attained)))
        with self.lock:
            self.best[turn, group] = best
            self.pairs[turn].append((group[row[attained]], column[attained]))


def _points(ranks: npt.NDArray[np.int16]) -> Points:
    return Points(ranks.astype(np.float64), np.empty((0, len(ranks)), np.uint8), np.empty(0), Norm.MANHATTAN)


def _differences(mine: Small, others: Small, room: Small, *, largest: bool) -> Small:
    """Measure all pairs, column by column, in the room given."""
    total, part = (_shaped(space, mine, others) for space in room[:2])
    total[:] = 0
    for left, right in zip(mine, others, strict=True):
        np.subtract(left[:, None], right, out=part)
        np.abs(part, out=part)
        (np.maximum if largest else np.add)(total, part, out=total)
    return total


def _without(total: Small, mine: Small, others: Small, room: Small) -> Small:
    """Take what some columns add to the sum away from it, in what is left of the room."""
    if not len(mine):
        return total
    part, found = (_shaped(space, mine, others) for space in room[1:])
    for left, right in zip(mine, others, strict=True):
        np.subtract(left[:, None], right, out=part)
        np.abs(part, out=part)
        total = np.subtract(total, part, out=found)
    return total


def _shaped(space: Small, mine: Small, others: Small) -> Small:
    shape = mine.shape[1], others.shape[1]
    found: Small = space[: shape[0] * shape[1]].reshape(shape)
    return found


def _improving(values: Small, best: Ints, slack: int) -> Pairs:
    """Find the pairs within the slack of the best of their row so far, which is brought up to date."""
    near = values.min(axis=1)
    np.minimum(best, near, out=best)
    within = np.minimum(best + slack, LIMIT).astype(np.int16)
    which = np.flatnonzero(near <= within)
    row, column = np.nonzero(values[which] <= within[which, None])
    return which[row], column


def _within(found: list[tuple[Ints, Ints, Small]], most: Ints) -> Pairs:
    """Keep the pairs that are within the slack of what was best in the end."""
    rows, columns, measured = (np.concatenate(side) for side in zip(*found, strict=True))
    keep = measured <= most[rows]
    return rows[keep], columns[keep]
