"""Rows that two tables have in common, counted by one pass over the second in any chunks."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from seethrough.data.encoding import shared_codes
from seethrough.data.table import Table
from seethrough.kernels.arrays import Bools, Codes, Floats, Ints
from seethrough.kernels.counting.grouping import combine


@dataclass(frozen=True, eq=False)
class RowsInCommon:
    """Which rows of the first table stand in the second, how many of the second stand in the first, and of how many.

    `different` numbers the rows of the first, equal ones alike.
    """

    first: Bools
    second: int
    rows: int
    different: Ints

    @property
    def common(self) -> int:
        """Count the different rows that both have."""
        return len(np.unique(self.different[self.first]))


def common_rows(mine: Sequence[Codes], others: Sequence[Codes]) -> RowsInCommon:
    """Compare the rows of two tables whose columns are coded alike."""
    groups = combine([np.concatenate(pair) for pair in zip(mine, others, strict=True)])
    first, second = groups[: len(mine[0])], groups[len(mine[0]) :]
    return RowsInCommon(np.isin(first, second), int(np.isin(second, first).sum()), len(second), first)


@dataclass(frozen=True, eq=False)
class CommonRowsPass:
    """Pass: the rows in common with a table; numbers are rounded to so many decimals, or compared as they are."""

    table: Table
    decimals: int | None

    def partial(self, rows: Table, before: int, hint: Floats | None) -> RowsInCommon:
        """Compare with a chunk."""
        pair = (self.table, rows)
        if self.decimals is not None:
            pair = (self.table.round_numbers(self.decimals), rows.round_numbers(self.decimals))
        return common_rows(*shared_codes(*pair))

    def merge(self, first: RowsInCommon, second: RowsInCommon) -> RowsInCommon:
        """Take what stands in either; rows of the first are told apart alike by both."""
        return replace(
            first,
            first=first.first | second.first,
            second=first.second + second.second,
            rows=first.rows + second.rows,
        )

    def hint(self, state: RowsInCommon) -> Floats | None:
        """Say nothing."""
        return None
