"""Real rows that stand in a release, found in one pass over it in any chunks, by fingerprints."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from seethrough.data.table import Table
from seethrough.kernels.arrays import Bools, Floats, Ints
from seethrough.kernels.counting.fingerprints import Prints, counts_within, occurs_in, row_prints

LISTED = 20


@dataclass(frozen=True, eq=False)
class CopiedRows:
    """Which real people, and which people outside, stand in the release; the first released rows that are copies.

    A copy equals the row of one real person and of nobody outside.
    """

    mine: Bools
    others: Bools
    listed: Ints


@dataclass(frozen=True, eq=False)
class CopiedRowsPass:
    """Pass: looks up the fingerprints of real people, and of people outside."""

    mine: Prints
    others: Prints

    def partial(self, rows: Table, before: int, hint: Floats | None) -> CopiedRows:
        """Look them up in a chunk."""
        released = row_prints(rows.columns)
        is_copy = occurs_in(released, self._single) & ~occurs_in(released, self.others)
        listed = before + np.flatnonzero(is_copy)[:LISTED]
        return CopiedRows(occurs_in(self.mine, released), occurs_in(self.others, released), listed)

    @cached_property
    def _single(self) -> Prints:
        return np.asarray(self.mine[counts_within(self.mine) == 1])

    def merge(self, first: CopiedRows, second: CopiedRows) -> CopiedRows:
        """Take who stands in either."""
        listed = np.sort(np.concatenate([first.listed, second.listed]))[:LISTED]
        return CopiedRows(first.mine | second.mine, first.others | second.others, listed)

    def hint(self, state: CopiedRows) -> Floats | None:
        """Say nothing."""
        return None
