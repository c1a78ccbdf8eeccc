"""The different rows of a release and how often each comes, by one pass in any chunks, where they are not too many."""

from dataclasses import dataclass

import numpy as np

from seethrough.data.rows import fold_equal_rows, row_numbers, stack_tables
from seethrough.data.table import Table
from seethrough.errors import NotApplicable
from seethrough.kernels.arrays import Floats, Ints

MOST_DIFFERENT = 1 << 21
"""Different rows that are kept."""


@dataclass(frozen=True, eq=False)
class DifferentRows:
    """Rows in the order of their content, none of which equals another, and how many each stands for."""

    rows: Table
    counts: Ints


@dataclass(frozen=True)
class DifferentRowsPass:
    """Pass: the different rows."""

    def partial(self, rows: Table, before: int, hint: Floats | None) -> DifferentRows:
        """Fold a chunk."""
        first, counts = fold_equal_rows(rows)
        return _refuse_many(DifferentRows(rows.take(first), counts))

    def merge(self, first: DifferentRows, second: DifferentRows) -> DifferentRows:
        """Put both together, and add up."""
        both = stack_tables([first.rows, second.rows])
        _, kept, place = np.unique(row_numbers(both), return_index=True, return_inverse=True)
        counts = np.bincount(place, np.concatenate([first.counts, second.counts]), len(kept)).astype(np.int64)
        return _refuse_many(DifferentRows(both.take(kept), counts))

    def hint(self, state: DifferentRows) -> Floats | None:
        """Say nothing."""
        return None


def _refuse_many(found: DifferentRows) -> DifferentRows:
    if len(found.rows) > MOST_DIFFERENT:
        raise NotApplicable(
            f"the known columns and the secret have more than {MOST_DIFFERENT:,} different rows in the release, which "
            "is read in chunks; name fewer keys"
        )
    return found
