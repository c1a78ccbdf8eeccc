"""What a membership attack is shown: people, some of whom were in the data, a release, and a reference of others.

Nothing here says who was in the data. Scales come from the reference, or from the release where there is none; never
from the members. Requests on a `Bench[Seen]` are shared by all ratings.
"""

from dataclasses import dataclass
from enum import Enum

import numpy as np

from seethrough.bench.bench import Bench
from seethrough.data.encoding import StandardScale, standard_points, standard_scale
from seethrough.data.rows import by_content, row_numbers, stack_tables
from seethrough.data.table import Table
from seethrough.errors import NotApplicable
from seethrough.kernels.arrays import Bools, Floats, Ints
from seethrough.kernels.counting.digits import round_alike
from seethrough.kernels.counting.grouping import combine, dense_codes
from seethrough.kernels.neighbours.k_nearest import NeighbourLists, k_nearest
from seethrough.kernels.points import Points
from seethrough.kernels.statistics.kernel_sums import log_kernel_sums

NEIGHBOURS = 20
"""Neighbours in a list; more moved no rating on the releases compared, and took three times as long."""
FEWEST_REFERENCE = 5
"""People of the reference below which it says nothing about how dense a place is."""
OFFSET = 0.3
"""Of the typical distance, added before logarithms: a smaller one ranks people in dense places first."""


class Seen(Enum):
    """The tables that a membership attack sees."""

    PEOPLE = "people"
    RELEASE = "release"
    REFERENCE = "reference"


@dataclass(frozen=True)
class ReferenceScale:
    """Request: the unit of each number, its standard deviation in the reference, and what stands for missing ones."""

    def compute(self, bench: Bench[Seen]) -> StandardScale:
        """Take the reference; the release where a column has one value there, or where there is no reference."""
        release = bench.table(Seen.RELEASE)
        try:
            return standard_scale(bench.table(Seen.REFERENCE), release)
        except NotApplicable:
            return standard_scale(release, release)


@dataclass(frozen=True)
class Standardised:
    """Request: the rows of a table as points, numbers in standard deviations of the reference."""

    part: Seen

    def compute(self, bench: Bench[Seen]) -> Points:
        """Encode once for all searches."""
        return standard_points(bench.table(self.part), bench.get(ReferenceScale()))


@dataclass(frozen=True)
class Neighbours:
    """Request: the nearest rows of a table for each person, by the sum of differences in standard deviations."""

    of: Seen
    k: int = NEIGHBOURS

    def compute(self, bench: Bench[Seen]) -> NeighbourLists:
        """Search all people at once; of equally near rows the one with fewer people around comes first."""
        if self.of is Seen.REFERENCE:
            _refuse_small_reference(bench)
        order = bench.get(TieOrder(self.of, self.k))
        placed = bench.get(Standardised(self.of)).take(order)
        lists = k_nearest(bench.get(Standardised(Seen.PEOPLE)), placed, self.k, bench.budget)
        return NeighbourLists(lists.distances, order[lists.places])


@dataclass(frozen=True)
class TieOrder:
    """Request: an order of the rows of a table, in which those that are equally near to a person are taken.

    Released rows come by how few people of the reference are around them, so that neither the order of rows nor the
    names of levels decide what the nearest one is like; then, and without a reference, by content.
    """

    of: Seen
    k: int = NEIGHBOURS

    def compute(self, bench: Bench[Seen]) -> Ints:
        """Sort by content, then by the density around."""
        order = by_content(bench.table(self.of))
        if self.of is not Seen.RELEASE or not has_reference(bench):
            return order
        return order[np.argsort(bench.get(DensityAroundReleased(self.k))[order], kind="stable")]


@dataclass(frozen=True)
class SpreadOfReleased:
    """Request: distances from each released row to its nearest people of the reference."""

    k: int = NEIGHBOURS

    def compute(self, bench: Bench[Seen]) -> Floats:
        """Search all released rows at once."""
        _refuse_small_reference(bench)
        released, reference = (bench.get(Standardised(part)) for part in (Seen.RELEASE, Seen.REFERENCE))
        return k_nearest(released, reference, self.k, bench.budget).distances


@dataclass(frozen=True)
class DensityAroundReleased:
    """Request: the logarithm of the kernel density of the reference at each released row, constants left out."""

    k: int = NEIGHBOURS

    def compute(self, bench: Bench[Seen]) -> Floats:
        """Add up kernels in logarithms."""
        width = OFFSET * bench.get(TypicalDistance(Seen.REFERENCE, self.k))
        return log_kernel_sums(bench.get(SpreadOfReleased(self.k)), width, bench.budget)


@dataclass(frozen=True)
class TypicalDistance:
    """Request: the median over people of the distance to the nearest row of a table that is not equal; 1 if all are."""

    of: Seen
    k: int = NEIGHBOURS

    def compute(self, bench: Bench[Seen]) -> float:
        """Look at the first neighbours."""
        first = bench.get(Neighbours(self.of, self.k)).distances[:, 0]
        apart = first[first > 0]
        return float(np.median(apart)) if len(apart) else 1.0


def has_reference(bench: Bench[Seen]) -> bool:
    """Tell whether there are people enough to say how dense a place is."""
    try:
        return len(bench.table(Seen.REFERENCE)) >= FEWEST_REFERENCE
    except NotApplicable:  # there is none at all
        return False


def _refuse_small_reference(bench: Bench[Seen]) -> None:
    bench.table(Seen.REFERENCE)  # where there is none at all, that is what is said
    if not has_reference(bench):
        raise NotApplicable(f"fewer than {FEWEST_REFERENCE} people of the holdout are left as a reference")


@dataclass(frozen=True, eq=False)
class MatchCounts:
    """For each person: how many released rows are equal, and how many of the people are."""

    released: Ints
    people: Ints

    @property
    def rarity(self) -> Floats:
        """Give 1 over the number of people alike to those who stand in the release, 0 to the others."""
        return np.where(self.released > 0, 1.0 / self.people, 0.0)


@dataclass(frozen=True)
class ExactMatches:
    """Request: people whose whole row stands in the release, numbers to the digits that it has."""

    def compute(self, bench: Bench[Seen]) -> MatchCounts:
        """Count equal rows by numbers that equal rows share."""
        both = _to_released_digits(bench.table(Seen.PEOPLE), bench.table(Seen.RELEASE))
        return _matches(row_numbers(both), len(bench.table(Seen.PEOPLE)))


@dataclass(frozen=True)
class NearMatches:
    """Request: how rare the rarest match of each person is, one column left out, whichever it is; 0 without a match."""

    def compute(self, bench: Bench[Seen]) -> Floats:
        """Leave out each column in turn."""
        people, release = bench.table(Seen.PEOPLE), bench.table(Seen.RELEASE)
        if len(people.columns) < 2:
            raise NotApplicable("one column cannot be left out of a table that has no other")
        codes = [dense_codes(values) for values in _to_released_digits(people, release).columns]
        best = np.zeros(len(people))
        for left_out in range(len(codes)):
            rows = combine([column for place, column in enumerate(codes) if place != left_out])
            best = np.maximum(best, _matches(rows, len(people)).rarity)
        return best


def _to_released_digits(people: Table, release: Table) -> Table:
    """Put people and released rows under each other, people's numbers rounded as those of the release are.

    Whoever holds a record rounds it as the release does before looking it up.
    """
    columns = [
        values
        if column.kind.has_levels
        else np.concatenate(round_alike(*np.split(values.astype(np.float64), [len(people)])))
        for column, values in zip(people.schema.used, stack_tables([people, release]).columns, strict=True)
    ]
    return Table(people.schema, tuple(columns))


def _matches(rows: Ints, people: int) -> MatchCounts:
    numbers = np.unique(rows, return_inverse=True)[1]
    size = int(numbers.max(initial=-1)) + 1
    released, alike = np.bincount(numbers[people:], minlength=size), np.bincount(numbers[:people], minlength=size)
    return MatchCounts(released[numbers[:people]], alike[numbers[:people]])


def is_matched(bench: Bench[Seen]) -> Bools:
    """Tell whose row stands in the release."""
    return bench.get(ExactMatches()).released > 0
