"""What single columns say about people: their own values, and how far these are from the release and from others.

Numbers are in standard deviations of the reference. Nothing here says who was in the data.
"""

from dataclasses import dataclass

import numpy as np

from seethrough.bench.bench import Bench
from seethrough.bench.pool import Neighbours, ReferenceScale, Seen, Standardised
from seethrough.kernels.arrays import Floats


@dataclass(frozen=True)
class OwnValues:
    """Request: people's own values: numbers in standard deviations, codes of categories; NaN where one is missing."""

    def compute(self, bench: Bench[Seen]) -> Floats:
        """Take codes as numbers, a missing category being one of them."""
        people = bench.table(Seen.PEOPLE)
        spreads = iter(bench.get(ReferenceScale()).spreads)
        columns = zip(people.schema.used, people.columns, strict=True)
        return np.column_stack(
            [
                values.astype(np.float64) / (1.0 if column.kind.has_levels else next(spreads))
                for column, values in columns
            ]
        )


@dataclass(frozen=True)
class GapsToNearest:
    """Request: by how much each column of a person differs from the nearest released row; 1 where a category does."""

    def compute(self, bench: Bench[Seen]) -> Floats:
        """Compare column by column; a number that is missing on one side alone adds 1 to its difference."""
        people, released = bench.get(Standardised(Seen.PEOPLE)), bench.get(Standardised(Seen.RELEASE))
        nearest = bench.get(Neighbours(Seen.RELEASE)).nearest
        gaps: Floats = (people.codes != released.codes[:, nearest]).T.astype(np.float64)
        used = bench.table(Seen.PEOPLE).schema.used
        numeric = [place for place, column in enumerate(used) if not column.kind.has_levels]
        gaps[:, numeric] += np.abs(people.numbers - released.numbers[nearest])
        return gaps


@dataclass(frozen=True)
class NearestValues:
    """Request: for each number of a person how far the nearest value of that column is in a table; NaN: missing."""

    of: Seen

    def compute(self, bench: Bench[Seen]) -> Floats:
        """Look at each column by itself."""
        people, others = bench.table(Seen.PEOPLE), bench.table(self.of)
        scale = bench.get(ReferenceScale())
        numeric = [place for place, column in enumerate(people.schema.used) if not column.kind.has_levels]
        found = np.full((len(people), len(numeric)), np.nan)
        for at, place in enumerate(numeric):
            mine, theirs = (table.columns[place].astype(np.float64) / scale.spreads[at] for table in (people, others))
            known = np.flatnonzero(~np.isnan(mine))
            found[known, at] = _nearest(mine[known], np.unique(theirs[~np.isnan(theirs)]))
        return found


def _nearest(values: Floats, ordered: Floats) -> Floats:
    if not len(ordered):
        return np.full(len(values), np.nan)
    place = np.searchsorted(ordered, values)
    below, above = ordered[np.maximum(place - 1, 0)], ordered[np.minimum(place, len(ordered) - 1)]
    return np.minimum(np.abs(values - below), np.abs(values - above))
