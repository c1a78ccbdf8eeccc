"""Conditional tables as arrays, and drawing from a network of them: one draw an attribute for all rows of a block.

`CountedTable` holds the records' own values, sorted by their parents: a value drawn uniformly from those with the same
parents is drawn from the conditional distribution, in one look-up whatever the number of cells. `WeightedTable` holds
cumulative shares and finds the cell by bisection. Parents that were never seen, or that have no weight, give the
marginal of the attribute; how often is counted.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

from seethrough.kernels.arrays import Floats, Ints
from seethrough.kernels.learning.networks import Family, joint_codes

BLOCK = 1 << 16
"""Rows drawn together. It is part of what a seed means, so it is no option."""
DENSE = 1 << 22
"""Combinations of parents up to which they are looked up in an array of all."""


class ConditionalTable(Protocol):
    """How an attribute follows from its parents."""

    @property
    def family(self) -> Family:
        """Say whom it is about."""
        ...

    def draw(self, parents: Ints, uniform: Floats) -> tuple[Ints, int]:
        """Give a cell for each code of parents and number from [0, 1), and how often the marginal had to do."""
        ...


@dataclass(frozen=True, eq=False)
class CountedTable:
    """The values of records, sorted by the code of their parents.

    Group g has `counts[g]` values from `starts[g]` on; the last group is everybody.
    """

    family: Family
    values: npt.NDArray[np.integer]
    starts: Ints
    counts: Ints
    seen: Ints
    lookup: npt.NDArray[np.int32] | None

    def draw(self, parents: Ints, uniform: Floats) -> tuple[Ints, int]:
        """Draw one of the values that records with these parents have."""
        groups = self._groups(parents)
        # Rounding cannot reach the count: the largest uniform number times it lies nearer to the number below.
        places = self.starts[groups] + (uniform * self.counts[groups]).astype(np.int64)
        return self.values[places].astype(np.int64), int(np.count_nonzero(groups < 0))

    def _groups(self, parents: Ints) -> Ints:
        """Find the group of each code; -1, which is everybody, where there is none."""
        if self.lookup is not None:
            return self.lookup[parents].astype(np.int64)
        places = np.minimum(np.searchsorted(self.seen, parents), len(self.seen) - 1)
        return np.where(self.seen[places] == parents, places, -1)


def counted_table(family: Family, columns: Sequence[Ints], sizes: Sequence[int]) -> CountedTable:
    """Make the conditional table of a family from records."""
    codes, cells = joint_codes(columns, sizes, family.parents)
    order = np.argsort(codes, kind="stable")
    seen, starts, counts = np.unique(codes[order], return_index=True, return_counts=True)
    values = columns[family.child][order].astype(np.min_scalar_type(sizes[family.child]))
    lookup = None
    if cells <= DENSE:
        lookup = np.full(cells, -1, np.int32)
        lookup[seen] = np.arange(len(seen))
    return CountedTable(family, values, np.append(starts, 0), np.append(counts, len(codes)), seen, lookup)


@dataclass(frozen=True, eq=False)
class WeightedTable:
    """Cumulative shares, a row for each combination of parents, padded to a power of two; `empty` are marginals."""

    family: Family
    cumulative: Floats
    empty: npt.NDArray[np.bool_]

    def draw(self, parents: Ints, uniform: Floats) -> tuple[Ints, int]:
        """Find by bisection the first cell whose cumulative share exceeds the number."""
        width = self.cumulative.shape[1]
        flat, first = self.cumulative.ravel(), parents * width
        cells = np.zeros(len(parents), np.int64)
        step = width // 2
        while step:
            cells += step * (flat[first + cells + step - 1] <= uniform)
            step //= 2
        return cells, int(np.count_nonzero(self.empty[parents]))


def weighted_table(family: Family, joint: Floats) -> WeightedTable:
    """Make the conditional table of a family from weights: a row for each combination of parents, a column a cell."""
    sums = joint.sum(axis=1)
    marginal = joint.sum(axis=0)
    empty = sums <= 0
    weights = np.where(empty[:, None], marginal if marginal.sum() > 0 else 1.0, joint)
    cumulative = np.cumsum(weights, axis=1)
    cumulative /= cumulative[:, -1:]
    # Past the last cell with weight nothing may be drawn, whatever rounding does to the sum.
    cumulative[cumulative >= cumulative[:, -1:]] = np.inf
    width = 1 << max(0, joint.shape[1] - 1).bit_length()
    padding = np.full((len(joint), width - joint.shape[1]), np.inf)
    return WeightedTable(family, np.hstack([cumulative, padding]), empty)


def draw_cells(
    tables: Sequence[ConditionalTable], sizes: Sequence[int], rows: int, rng: np.random.Generator
) -> tuple[npt.NDArray[np.int32], int]:
    """Draw rows of a network, parents before children, and count how often a marginal had to do."""
    found: npt.NDArray[np.int32] = np.empty((rows, len(sizes)), np.int32, order="F")
    fallbacks = 0
    for start in range(0, rows, BLOCK):
        block = slice(start, min(start + BLOCK, rows))
        columns: list[Ints] = [np.empty(0, np.int64)] * len(sizes)
        for table in tables:
            uniform = rng.random(block.stop - block.start)
            codes = np.zeros(len(uniform), np.int64)
            for place in table.family.parents:
                codes = codes * sizes[place] + columns[place]
            columns[table.family.child], missed = table.draw(codes, uniform)
            found[block, table.family.child] = columns[table.family.child]
            fallbacks += missed
    return found, fallbacks
