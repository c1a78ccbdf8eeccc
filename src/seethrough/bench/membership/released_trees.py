"""Boosted trees that tell released rows from other people, applied to the people rated.

Levels are numbered by how often release and reference have them, so that their names do not matter; a level that
neither has is missing. Numbers are in standard deviations of the reference.
"""

from dataclasses import dataclass

import numpy as np

from seethrough.bench.bench import Bench
from seethrough.bench.pool import FEWEST_REFERENCE, ReferenceScale, Seen
from seethrough.data.table import Array
from seethrough.errors import NotApplicable
from seethrough.kernels.arrays import Floats, Ints
from seethrough.kernels.learning.membership_trees import released_log_odds

DIGITS = 9
"""After the point of a number in standard deviations: what the unit changes in later ones must not decide a tie."""


@dataclass(frozen=True, eq=False)
class TreeRows:
    """Rows of people, release and reference as numbers, and which columns are categories."""

    people: Floats
    release: Floats
    reference: Floats
    categories: tuple[int, ...]


@dataclass(frozen=True)
class RowsForTrees:
    """Request: all rows as numbers; missing ones, and levels met in people alone, are NaN."""

    def compute(self, bench: Bench[Seen]) -> TreeRows:
        """Take levels and units from release and reference."""
        tables = [bench.table(Seen.PEOPLE), bench.table(Seen.RELEASE).drawn, bench.table(Seen.REFERENCE)]
        spreads = iter(bench.get(ReferenceScale()).spreads)
        columns: list[list[Floats]] = []
        categories = []
        for place, column in enumerate(tables[0].schema.used):
            values = [table.columns[place] for table in tables]
            if column.kind.has_levels:
                categories.append(place)
                columns.append(_levels(values))
            else:
                spread = float(next(spreads))
                columns.append([np.round(part.astype(np.float64) / spread, DIGITS) for part in values])
        people, release, reference = (np.column_stack(part) for part in zip(*columns, strict=True))
        return TreeRows(people, _sorted_rows(release), _sorted_rows(reference), tuple(categories))


def _levels(values: list[Array]) -> list[Floats]:
    """Give numbers to levels, the most frequent first; ties by how often the release has them."""
    size = max(int(part.max(initial=0)) for part in values) + 1
    counts: list[Ints] = [np.bincount(part.astype(np.int64), minlength=size) for part in values]
    met = counts[1] + counts[2]
    ranks = np.empty(size)
    ranks[np.lexsort((counts[0], counts[1], met))[::-1]] = np.arange(size)
    ranks[met == 0] = np.nan
    return [ranks[part.astype(np.int64)] for part in values]


def _sorted_rows(rows: Floats) -> Floats:
    """Give rows in an order that the order of the file does not decide."""
    return rows[np.lexsort(rows.T[::-1])]


@dataclass(frozen=True)
class ReleasedLogOdds:
    """Request: for each person the log odds of being a released row rather than another person."""

    def compute(self, bench: Bench[Seen]) -> Floats:
        """Learn from release and reference; nobody rated is in either, so nothing is cross-fitted."""
        if len(bench.table(Seen.REFERENCE)) < FEWEST_REFERENCE:
            raise NotApplicable(f"fewer than {FEWEST_REFERENCE} people of the holdout are left as a reference")
        rows = bench.get(RowsForTrees())
        return released_log_odds(rows.release, rows.reference, rows.people, rows.categories)
