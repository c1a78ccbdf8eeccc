"""What single columns say about people: their own values, and how far these are from the release and from others.

Numbers are in standard deviations of the reference. Nothing here says who was in the data.
"""

from dataclasses import dataclass

import numpy as np

from seethrough.bench.bench import Bench
from seethrough.bench.pool import ReferenceScale, ReleasedNearby, Seen, Standardised
from seethrough.data.encoding import StandardScale, standard_points
from seethrough.data.table import Table
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
        people, near = bench.get(Standardised(Seen.PEOPLE)), bench.get(ReleasedNearby())
        released, nearest = standard_points(near.rows, bench.get(ReferenceScale())), near.places[:, 0]
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
        found = bench.table(self.of).fold(NearestValuesPass(bench.table(Seen.PEOPLE), bench.get(ReferenceScale())))
        return np.where(np.isinf(found), np.nan, found)


@dataclass(frozen=True, eq=False)
class NearestValuesPass:
    """Pass: the same, infinite where a chunk has no value or the person has none."""

    people: Table
    scale: StandardScale

    def partial(self, rows: Table, before: int, hint: Floats | None) -> Floats:
        """Look at each column by itself."""
        numeric = [place for place, column in enumerate(rows.schema.used) if not column.kind.has_levels]
        found = np.full((len(self.people), len(numeric)), np.inf)
        for at, place in enumerate(numeric):
            mine, theirs = (
                table.columns[place].astype(np.float64) / self.scale.spreads[at] for table in (self.people, rows)
            )
            known, values = np.flatnonzero(~np.isnan(mine)), np.unique(theirs[~np.isnan(theirs)])
            if len(values):
                found[known, at] = _nearest(mine[known], values)
        return found

    def merge(self, first: Floats, second: Floats) -> Floats:
        """Take the nearer."""
        return np.minimum(first, second)

    def hint(self, state: Floats) -> Floats | None:
        """Say nothing."""
        return None


def _nearest(values: Floats, ordered: Floats) -> Floats:
    place = np.searchsorted(ordered, values)
    below, above = ordered[np.maximum(place - 1, 0)], ordered[np.minimum(place, len(ordered) - 1)]
    return np.minimum(np.abs(values - below), np.abs(values - above))
