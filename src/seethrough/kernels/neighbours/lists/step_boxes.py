"""Small clusters of points in whole steps, all of one width, so that many are compared in few operations.

A cluster that is not full repeats its last member; what is found there is left out. How many steps a point is from
every member of a cluster at least follows from the codes that nobody in it has and from the ranges of its numbers, and
is found for all clusters at once. Codes of more than 256 levels are taken modulo 256: what nobody has then, nobody has.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from seethrough.kernels.arrays import Bools, Codes, Ints
from seethrough.kernels.neighbours.whole_steps import NEVER, Steps, StepTotals, WholeSteps

SLOTS = 256
_BEHIND = 40
AT_ONCE = 1 << 19
"""Pairs that are compared at once: what is held of them stays in the cache of a core."""


@dataclass(frozen=True, eq=False)
class BoxPairs:
    """Some of mine against all members of a cluster each: in how many codes they differ, and in how many steps."""

    boxes: Ints
    unequal: Codes
    steps: StepTotals


class StepBoxes:
    """The clusters of others, as blocks of one width."""

    def __init__(self, steps: WholeSteps, members: list[Ints]) -> None:
        self.whole, self.sizes = steps, np.array([len(rows) for rows in members])
        self.width = int(self.sizes.max())
        starts = np.cumsum(self.sizes) - self.sizes
        slots = np.minimum(np.arange(self.width), self.sizes[:, None] - 1)
        self.places: Ints = np.concatenate(members)[starts[:, None] + slots]
        self.box_of = np.empty(int(self.sizes.sum()), np.int64)
        self.box_of[self.places] = np.arange(len(members))[:, None]
        self.codes = tuple(codes[self.places] for codes in steps.other_codes)
        self.numbers = tuple(values[self.places] for values in steps.others)
        self.ends = [(values.min(axis=1), values.max(axis=1)) for values in self.numbers]
        self.absent = [self._absent(codes) for codes in self.codes]

    def __len__(self) -> int:
        """Count the clusters."""
        return len(self.sizes)

    def _absent(self, codes: Codes) -> npt.NDArray[np.uint8]:
        """Tell for each code (rows) which clusters (columns) do not have it."""
        absent = np.ones((SLOTS, len(codes)), np.uint8)
        absent[codes & (SLOTS - 1), np.arange(len(codes))[:, None]] = 0
        return absent

    def bounds(self, who: Ints) -> StepTotals:
        """Bound the steps of some of mine (rows) to all members of each cluster (columns) from below."""
        shape = len(who), len(self)
        lacking, buffer = np.zeros(shape, np.min_scalar_type(len(self.codes))), np.empty(shape, np.uint8)
        for mine, absent in zip(self.whole.codes, self.absent, strict=True):
            np.take(absent, mine[who] & (SLOTS - 1), axis=0, out=buffer)
            np.add(lacking, buffer, out=lacking)
        bound = lacking.astype(np.uint16) * np.uint16(self.whole.unit)
        below, above = np.empty(shape, np.int16), np.empty(shape, np.int16)
        for values, (low, high) in zip(self.whole.mine, self.ends, strict=True):
            np.subtract(low, values[who][:, None], out=below)
            np.subtract(values[who][:, None], high, out=above)
            np.maximum(below, above, out=below)
            np.add(bound, np.maximum(below, 0, out=below).view(np.uint16), out=bound)
        return bound

    def nearest(self, bounds: StepTotals, many: int) -> Ints:
        """Name the clusters that have the smallest bounds of each row."""
        if many >= len(self):
            return np.tile(np.arange(len(self)), (len(bounds), 1))
        # Bounds of two bytes, with the number of the cluster behind them, are sorted without their places.
        keys = (bounds.astype(np.int64) << _BEHIND) | np.arange(len(self))
        return np.partition(keys, many - 1, axis=1)[:, :many] & ((1 << _BEHIND) - 1)

    def compare(self, who: Ints, boxes: Ints) -> BoxPairs:
        """Compare each of some of mine with all members of a cluster; a slot without a member is never near."""
        shape = len(who), self.width
        unequal, differ = np.zeros(shape, np.min_scalar_type(len(self.codes))), np.empty(shape, bool)
        for mine, theirs in zip(self.whole.codes, self.codes, strict=True):
            np.not_equal(np.take(theirs, boxes, axis=0), mine[who][:, None], out=differ)
            np.add(unequal, differ.view(np.uint8), out=unequal)
        total = unequal.astype(np.uint16) * np.uint16(self.whole.unit)
        apart: Steps = np.empty(shape, np.int16)
        for values, others in zip(self.whole.mine, self.numbers, strict=True):
            np.subtract(np.take(others, boxes, axis=0), values[who][:, None], out=apart)
            np.add(total, np.abs(apart, out=apart).view(np.uint16), out=total)
        total[np.arange(self.width) >= self.sizes[boxes][:, None]] = NEVER
        return BoxPairs(boxes, unequal, total)

    def members_at(self, pairs: BoxPairs, hits: Bools) -> tuple[Ints, Ints, Codes]:
        """Give of the pairs that are marked the place of the member, which of mine it is, and the codes that differ."""
        marked = np.flatnonzero(hits)
        pair, slot = np.divmod(marked, self.width)
        return self.places[pairs.boxes[pair], slot], pair, pairs.unequal.ravel()[marked]

    def members_within(self, who: Ints, near: Bools, border: StepTotals) -> Iterator[tuple[Ints, Ints, Codes]]:
        """Find the members of the clusters near to each of mine that are within its border, so many pairs at once.

        Gives their places, where mine stand in `who`, and in how many codes both differ.
        """
        mine, boxes = np.divmod(np.flatnonzero(near), len(self))
        step = max(1, AT_ONCE // self.width)
        for start in range(0, len(mine), step):
            some = mine[start : start + step]
            pairs = self.compare(who[some], boxes[start : start + step])
            places, pair, differing = self.members_at(pairs, pairs.steps <= border[some, None])
            yield places, some[pair], differing
