"""Few rows and many small sets of columns: all sets are counted by one `bincount`.

Counting a set takes a dozen calls, whatever the rows; where equal rows have been folded those calls are most of the
time. Sets of equal width whose histograms are small stand behind each other in one.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby

import numpy as np

from seethrough.kernels.arrays import Codes, Floats, Ints
from seethrough.kernels.counting.cells import Subset

LARGEST = 1 << 14
"""Codes of a set that is counted together with others."""
TOTAL = 1 << 20
"""Codes of all sets that are counted together."""


@dataclass(frozen=True, eq=False)
class PackedCounts:
    """Neighbouring sets of columns of one width, none of which has ranked codes."""

    subsets: tuple[Subset, ...]
    classes: int

    @cached_property
    def _ends(self) -> Ints:
        return np.concatenate([[0], np.cumsum([subset.size for subset in self.subsets])])

    @cached_property
    def _wanted(self) -> Ints:
        return np.concatenate([end + subset.codes for end, subset in zip(self._ends, self.subsets, strict=False)])

    def counts(self, columns: Sequence[Codes], secret: Codes, weights: Floats | None) -> Ints:
        """Count rows by class in the cells of all sets, one after the other."""
        table = np.stack(columns, axis=1).astype(np.int32)
        places = np.array([subset.columns for subset in self.subsets])
        radices = np.array([subset.radices for subset in self.subsets], np.int32)
        codes = table[:, places[:, 0]]
        for at in range(1, places.shape[1]):
            codes *= radices[:, at]
            codes += table[:, places[:, at]]
        codes += self._ends[:-1].astype(np.int32)
        codes *= np.int32(self.classes)
        codes += secret.astype(np.int32)[:, None]
        heights = None if weights is None else np.repeat(weights, len(places))
        histogram = np.bincount(codes.ravel(), heights, int(self._ends[-1]) * self.classes)
        found: Ints = histogram.reshape(-1, self.classes)[self._wanted].astype(np.int64, copy=False)
        return found


def pack_subsets(subsets: Sequence[Subset], classes: int) -> list[PackedCounts | Subset]:
    """Put neighbours together that can be counted together; others stay by themselves."""
    found: list[PackedCounts | Subset] = []
    for (width, _), group in groupby(subsets, lambda subset: (len(subset.columns), _is_small(subset, classes))):
        some = list(group)
        if not width or not _is_small(some[0], classes):
            found += some
            continue
        total = np.cumsum([subset.size * classes for subset in some])
        for _, part in groupby(zip(total // TOTAL, some, strict=True), lambda pair: pair[0]):
            found.append(PackedCounts(tuple(subset for _, subset in part), classes))
    return found


def _is_small(subset: Subset, classes: int) -> bool:
    return all(prefixes is None for prefixes in subset.ranked) and subset.size * classes <= LARGEST
