"""Lower bounds of Manhattan distances, pair by pair, in whole steps of two bytes.

Every number x stands at floor((x - low) u), cut to what fits, with u steps for 1. Two numbers are at most |x - y| u + 1
steps apart, cut or not, and a code that differs adds u steps. So a pair of total t has at most t u + m steps, m the
count of numbers: whatever has more lies beyond. Measured for 15 numbers and 43 codes, a pair takes 10 ns in blocks of
512 x 384, and 23 ns in double precision. Long runs of others cost half as much a pair as short ones (28 codes and 15
numbers: 3.2 ns in blocks of 128 x 4096, 6.6 ns in blocks of 512 x 384), so few of mine are compared with many others.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from seethrough.kernels.arrays import Codes, Floats, Ints
from seethrough.kernels.points import Norm, Points

FINEST = 512
"""Steps for 1 at most."""
NEVER = (1 << 16) - 1
"""More steps than any pair has, and than any limit lets in."""
LARGEST, LARGEST_NUMBER = NEVER - 1, (1 << 15) - 1
AT_ONCE = 1 << 19
"""Pairs that are compared at once: what is held of them stays in the cache of a core."""

Steps = npt.NDArray[np.int16]
StepTotals = npt.NDArray[np.uint16]


@dataclass(frozen=True, eq=False)
class WholeSteps:
    """Two sets of points in steps: numbers one row a column, codes column by column in as few bytes as they need."""

    unit: int
    mine: Steps
    others: Steps
    codes: tuple[Codes, ...]
    other_codes: tuple[Codes, ...]

    def border(self, limits: Floats) -> StepTotals:
        """Give the steps that a pair has at most whose total is within a limit."""
        steps: Floats = np.minimum(np.floor(limits * self.unit) + len(self.mine) + 1, LARGEST)
        return steps.astype(np.uint16)

    def pairs_within(self, limits: Floats, who: Ints, places: Ints) -> tuple[Ints, Ints, Codes]:
        """Find the pairs of some of mine, with a limit each, and some others whose total may be within the limit.

        Returns where they stand in `who` and in `places`, and in how many codes they differ.
        """
        border = self.border(limits)
        others = [codes[places] for codes in self.other_codes], np.take(self.others, places, 1)
        found = []
        step = max(1, AT_ONCE // max(1, len(places)))
        for start in range(0, len(who), step):
            some = slice(start, start + step)
            unequal, steps = self._steps(who[some], len(places), *others)
            hits = np.flatnonzero(steps <= border[some, None])
            row, place = np.divmod(hits, len(places))
            found.append((start + row, place, unequal.ravel()[hits]))
        rows, columns, differing = zip(*found, strict=True)
        return np.concatenate(rows), np.concatenate(columns), np.concatenate(differing)

    def _steps(self, who: Ints, many: int, other_codes: list[Codes], other_numbers: Steps) -> tuple[Codes, StepTotals]:
        """Count for each pair the codes that differ, and the steps between the two."""
        shape = len(who), many
        unequal, differ = np.zeros(shape, np.min_scalar_type(len(self.codes))), np.empty(shape, bool)
        for mine, others in zip(self.codes, other_codes, strict=True):
            np.not_equal(mine[who][:, None], others, out=differ)
            np.add(unequal, differ.view(np.uint8), out=unequal)
        total = unequal.astype(np.uint16) * np.uint16(self.unit)
        apart = np.empty(shape, np.int16)
        for values, other_values in zip(np.take(self.mine, who, 1), other_numbers, strict=True):
            np.subtract(values[:, None], other_values, out=apart)
            np.add(total, np.abs(apart, out=apart).view(np.uint16), out=total)
        return unequal, total


def whole_steps(mine: Points, others: Points) -> WholeSteps | None:
    """Put two sets of points in steps; None where weights are not 1."""
    width, numbers = len(mine.codes), mine.numbers.shape[1]
    if not len(mine) or not len(others) or np.any(mine.weights != 1) or mine.norm is not Norm.MANHATTAN:
        return None
    unit = min(FINEST, LARGEST // (2 * (width + 1)))
    top = min(LARGEST_NUMBER, (LARGEST - unit * width) // max(1, numbers))
    if unit < 1 or top < 1:
        return None
    low = np.minimum(mine.numbers.min(axis=0), others.numbers.min(axis=0))

    def placed(points: Points) -> Steps:
        return np.ascontiguousarray(np.clip(np.floor((points.numbers - low) * unit), 0, top).astype(np.int16).T)

    pairs = [_narrow(*pair) for pair in zip(mine.codes, others.codes, strict=True)]
    return WholeSteps(unit, placed(mine), placed(others), tuple(a for a, _ in pairs), tuple(b for _, b in pairs))


def _narrow(mine: Codes, others: Codes) -> tuple[Codes, Codes]:
    """Hold the codes of a column in as few bytes as they need."""
    kind = np.min_scalar_type(int(max(mine.max(initial=0), others.max(initial=0))))
    return mine.astype(kind, copy=False), others.astype(kind, copy=False)
