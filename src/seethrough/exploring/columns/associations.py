"""Which columns go together, in the real table and in the release: Cramér's V of their counts.

Numbers are counted by ten bins of the real range; of a category with many levels the rarer ones share a code.

References
----------
Cramér 1946, Mathematical Methods of Statistics, section 21.9.
"""

from functools import cached_property

import numpy as np

from seethrough.data.table import Table
from seethrough.exploring.answers.tables import ColumnAssociation
from seethrough.kernels.arrays import Ints
from seethrough.kernels.counting.bins import bin_numbers

MOST_PAIRS = 5
"""Other columns that are named with a column."""
MOST_CODES = 200
"""Codes of a column that enter an association; rarer levels share the last."""


class Associations:
    """The columns of a real and a released table as few codes, made once for all pairs."""

    def __init__(self, real: Table, released: Table) -> None:
        self._real, self._released = real, released

    @cached_property
    def _codes(self) -> dict[str, tuple[Ints, Ints]]:
        names = [column.name for column in self._real.schema.used]
        return {name: (self._coded(self._real, name), self._coded(self._released, name)) for name in names}

    def strongest(self, name: str) -> tuple[ColumnAssociation, ...]:
        """Find the columns that go together with one most, by the real table, and how they do in the release."""
        mine = self._codes[name]
        found = [
            ColumnAssociation(other, cramers_v(mine[0], theirs[0]), cramers_v(mine[1], theirs[1]))
            for other, theirs in self._codes.items()
            if other != name
        ]
        return tuple(sorted(found, key=lambda each: -each.real)[:MOST_PAIRS])

    def _coded(self, table: Table, name: str) -> Ints:
        """Give a column as few codes from 0 on, without gaps."""
        first, values = self._real.column(name), table.column(name)
        if not self._real.schema[name].kind.has_levels:
            codes = bin_numbers("equal width", first, values)[1].astype(np.int64)
        else:
            counts = np.bincount(first, minlength=int(values.max(initial=0)) + 1)
            rank = np.argsort(np.argsort(-counts, kind="stable"), kind="stable")
            codes = np.minimum(rank, MOST_CODES)[values.astype(np.int64)]
        there = np.bincount(codes) > 0
        return np.asarray((np.cumsum(there) - 1)[codes], np.int64)


def cramers_v(first: Ints, second: Ints) -> float:
    """Measure how strongly two columns go together: 0 where they are independent, 1 where one decides the other.

    Codes run from 0 on without gaps; a column of one value goes with nothing.
    """
    rows, columns = int(first.max(initial=0)) + 1, int(second.max(initial=0)) + 1
    if min(rows, columns) < 2:
        return 0.0
    counts = np.bincount(first * columns + second, minlength=rows * columns).reshape(rows, columns) / len(first)
    expected = counts.sum(axis=1)[:, None] * counts.sum(axis=0)[None, :]
    return float(np.sqrt(((counts - expected) ** 2 / expected).sum() / (min(rows, columns) - 1)))
