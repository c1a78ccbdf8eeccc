"""Counts of value combinations in two tables, for random or all subsets of columns.

A number counts as its tenth of the real table, since hardly any exact value comes twice; a missing value is a value.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations
from math import comb

import numpy as np

from seethrough.data.table import Table
from seethrough.errors import NotApplicable
from seethrough.kernels.arrays import Codes, Ints
from seethrough.kernels.counting.bins import bin_numbers
from seethrough.kernels.counting.grouping import combine

Subset = tuple[int, ...]

SUBSETS = 100
"""Random subsets that the measures rest on by default."""
ROOMY = 8
"""Cells for each row counted up to which a table of counts beats sorting."""


def random_subsets(width: int, rng: np.random.Generator, count: int = SUBSETS, size: int = 3) -> tuple[Subset, ...]:
    """Draw different subsets of `size` columns; all of them where there are no more than `count`."""
    everything = comb(width, size)
    if not everything:
        raise NotApplicable(f"{width} columns have no subset of {size}")
    if everything <= count:
        return all_subsets(width, size)
    # Few of many subsets, so a subset that was drawn before is drawn again.
    found: dict[Subset, None] = {}
    while len(found) < count:
        found[tuple(sorted(int(place) for place in rng.choice(width, size, replace=False)))] = None
    return tuple(found)


def all_subsets(width: int, size: int = 3) -> tuple[Subset, ...]:
    """List every subset of `size` columns."""
    return tuple(combinations(range(width), size))


def cell_counts(real: Table, synthetic: Table, subsets: Sequence[Subset]) -> Iterator[tuple[Ints, Ints]]:
    """Count, subset by subset, how often each combination of values comes in the two tables."""
    columns = _coded(real, synthetic)
    for subset in subsets:
        yield _counted([columns[place] for place in subset])


def _coded(real: Table, synthetic: Table) -> list[tuple[Codes, Codes]]:
    """Code the columns of both tables alike."""
    pairs = zip(real.schema.used, real.columns, synthetic.columns, strict=True)
    return [
        (a, b) if column.kind.has_levels else bin_numbers("interpolated deciles", a, b)  # type: ignore[misc]
        for column, a, b in pairs
    ]


def _counted(columns: Sequence[tuple[Codes, Codes]]) -> tuple[Ints, Ints]:
    rows, others = len(columns[0][0]), len(columns[0][1])
    sizes = [int(max(a.max(initial=0), b.max(initial=0))) + 1 for a, b in columns]
    cells = int(np.prod(sizes, dtype=object))
    if cells > ROOMY * (rows + others):
        codes = combine([np.concatenate(pair) for pair in columns])
        codes = np.unique(codes, return_inverse=True)[1]
        cells = int(codes.max()) + 1
        return np.bincount(codes[:rows], minlength=cells), np.bincount(codes[rows:], minlength=cells)
    mine, other = np.zeros(rows, np.int64), np.zeros(others, np.int64)
    for size, (a, b) in zip(sizes, columns, strict=True):
        mine, other = mine * size + a, other * size + b
    return np.bincount(mine, minlength=cells), np.bincount(other, minlength=cells)
