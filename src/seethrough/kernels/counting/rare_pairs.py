"""Combinations of two values that exactly one row of a table holds, looked for in other tables."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from seethrough.kernels.arrays import Bools, Ints
from seethrough.kernels.counting.rarity import chances_shown

DENSE = 1 << 24
"""Cells of a pair of columns that are counted in one array; a pair with more is left out."""


@dataclass(frozen=True, eq=False)
class RarePairs:
    """How many combinations one row of the first table holds, how many of them each further table shows, and who does.

    `expected` is how many an independent table of the size of the first further one would show, by `rarity`;
    `holders` are the rows of the first table that hold one, and `pairs` the pairs of columns that were looked at.
    """

    rare: int
    shown: tuple[int, ...]
    expected: float
    holders: Bools
    pairs: int


def align_codes(first: npt.NDArray[np.generic], others: Sequence[npt.NDArray[np.generic]]) -> list[Ints]:
    """Give numbers to the values of a column of the first table; a value that only others have is -1."""
    values, codes = np.unique(first, return_inverse=True, equal_nan=True)
    found = [codes.astype(np.int64)]
    for other in others:
        place = np.minimum(np.searchsorted(values, other), len(values) - 1)
        same = (values[place] == other) | _both_nan(values[place], other)
        found.append(np.where(same, place, -1))
    return found


def _both_nan(first: npt.NDArray[np.generic], second: npt.NDArray[np.generic]) -> Bools:
    if first.dtype.kind != "f":
        return np.zeros(len(first), np.bool_)
    return np.isnan(first.astype(np.float64)) & np.isnan(second.astype(np.float64))


def rare_pairs(columns: Sequence[Sequence[Ints]], pairs: Iterable[tuple[int, int]]) -> RarePairs:
    """Look at pairs of columns, each column given as codes of all tables, the first table first."""
    first, *others = (len(codes) for codes in columns[0])
    holders = np.zeros(first, np.bool_)
    shown = [0] * len(others)
    rare, expected, looked_at = 0, 0.0, 0
    for a, b in pairs:
        height, width = (int(columns[place][0].max(initial=0)) + 1 for place in (a, b))
        if height * width > DENSE:
            continue
        looked_at += 1
        cells = columns[a][0] * width + columns[b][0]
        counts = np.bincount(cells, minlength=height * width)
        holders |= counts[cells] == 1
        single = np.flatnonzero(counts == 1)
        rare += len(single)
        if len(single):
            expected += len(single) * float(
                chances_shown(counts[counts > 0], np.ones(1, np.int64), first, others[0])[0]
            )
        for table in range(len(others)):
            shown[table] += _shown(single, columns[a][table + 1], columns[b][table + 1], (height, width))
    return RarePairs(rare, tuple(shown), expected, holders, looked_at)


def _shown(cells: Ints, high: Ints, low: Ints, sizes: tuple[int, int]) -> int:
    known = (high >= 0) & (low >= 0)
    there = np.zeros(sizes[0] * sizes[1], np.bool_)
    there[high[known] * sizes[1] + low[known]] = True
    return int(np.count_nonzero(there[cells]))
