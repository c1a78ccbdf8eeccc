"""Tables of counts: for each of some groups, how often it has which value; they add up, in any order."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt
from scipy import sparse

from seethrough.kernels.arrays import Bools, Floats, Ints

CELLS_AT_ONCE = 1 << 24
Values = npt.NDArray[np.generic]


@dataclass(frozen=True, eq=False)
class ValueCounts:
    """Counts of `groups` groups, by group and then by value as `keys` stand for it; none is 0.

    Keys are codes, or the bits of numbers, so that missing numbers are one value.
    """

    groups: int
    group: Ints
    keys: Ints
    counts: Ints

    def of_groups(self, kept: Bools) -> "ValueCounts":
        """Keep the counts of some groups."""
        here = kept[self.group]
        return ValueCounts(self.groups, self.group[here], self.keys[here], self.counts[here])

    def most_frequent(self, size: int) -> Bools:
        """Mark, for each group, the codes below `size` that no other is more frequent than."""
        size = max(size, int(self.keys.max(initial=0)) + 1)
        table = sparse.csr_array((self.counts, (self.group, self.keys)), shape=(self.groups, size))
        step = max(1, CELLS_AT_ONCE // size)
        parts = (table[start : start + step].toarray() for start in range(0, self.groups, step))
        return np.concatenate([part == part.max(axis=1, keepdims=True) for part in parts])

    def dense(self, size: int) -> Ints:
        """Give the counts of the codes below `size`, one row for each group."""
        found = np.zeros((self.groups, size), np.int64)
        found[self.group, self.keys] = self.counts
        return found

    def numbers(self) -> Iterator[tuple[Floats, Ints]]:
        """Give for each group its numbers, ascending, missing ones last, and how often it has each."""
        numbers = self.keys.view(np.float64)
        order = np.lexsort((numbers, self.group))
        ends = np.searchsorted(self.group[order], np.arange(self.groups + 1))
        for first, last in pairwise(ends):
            here = order[first:last]
            yield numbers[here], self.counts[here]


def median_of_counts(numbers: Floats, counts: Ints) -> float:
    """Take the median of the numbers there are, ascending; missing where most are missing, or there are none."""
    known = ~np.isnan(numbers)
    total, all_of_them = int(counts[known].sum()), int(counts.sum())
    if not 2 * total > all_of_them:
        return float("nan")
    ends = np.cumsum(counts[known])
    low, high = np.searchsorted(ends, [(total - 1) // 2, total // 2], side="right")
    return float(np.mean(numbers[known][[low, high]]))


def keys_of(values: Values) -> Ints:
    """Give keys to values: codes stay, numbers are their bits."""
    if values.dtype.kind != "f":
        return values.astype(np.int64)
    numbers = values.astype(np.float64)
    return np.ascontiguousarray(np.where(np.isnan(numbers), np.nan, numbers + 0.0)).view(np.int64)


def add_counts(parts: Sequence[ValueCounts]) -> ValueCounts:
    """Add up counts of the same groups."""
    group, keys, counts = (
        np.concatenate([getattr(part, name) for part in parts]) for name in ("group", "keys", "counts")
    )
    return count_keys(parts[0].groups, group, keys, counts)


def count_keys(groups: int, group: Ints, keys: Ints, counts: Ints) -> ValueCounts:
    """Bring counts by group and key, some of them several times, into order."""
    order = np.lexsort((keys, group))
    group, keys, counts = group[order], keys[order], counts[order]
    if not len(group):
        return ValueCounts(groups, group, keys, counts)
    new = np.append(True, (np.diff(group) != 0) | (keys[1:] != keys[:-1]))
    starts = np.flatnonzero(new)
    return ValueCounts(groups, group[starts], keys[starts], np.add.reduceat(counts, starts))
