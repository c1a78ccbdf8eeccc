"""What a membership attack is shown: people, some of whom were in the data, a release, and a reference of others.

Nothing here says who was in the data. Scales come from the reference, or from the release where there is none; never
from the members. Requests on a `Bench[Seen]` are shared by all ratings.
"""

from dataclasses import dataclass, replace
from enum import Enum

import numpy as np

from seethrough.bench.bench import Bench
from seethrough.bench.passes.matched_rows import Digits, DigitsPass, MatchesPass
from seethrough.bench.passes.near_rows import Around, NearRowsPass, RowsNearby
from seethrough.data.encoding import StandardScale, standard_points, standard_scale
from seethrough.data.rows import by_content
from seethrough.errors import NotApplicable
from seethrough.kernels.arrays import Bools, Floats, Ints
from seethrough.kernels.neighbours.k_nearest import NeighbourLists, k_nearest
from seethrough.kernels.neighbours.lists.growing_lists import NAMED
from seethrough.kernels.points import Points, point_groups

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
        release = bench.table(Seen.RELEASE).drawn
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
class ReleasedNearby:
    """Request: the released rows that are near to people, by the sum of differences in standard deviations.

    Of equally near rows those with fewer people of the reference around come first, so that neither the order of rows
    nor the names of levels decide what the nearest one is like; then, and without a reference, those that come first by
    content.
    """

    k: int = NEIGHBOURS

    def compute(self, bench: Bench[Seen]) -> RowsNearby:
        """Search for different people at once, chunk by chunk of the release."""
        people, release = bench.get(Standardised(Seen.PEOPLE)), bench.table(Seen.RELEASE)
        _, first, inverse = np.unique(point_groups(people, people.take(np.arange(0)))[0], True, True)
        asking = NearRowsPass(
            people.take(first), bench.get(ReferenceScale()), self._around(bench), self.k, bench.budget.silent
        )
        found = release.fold(asking)
        shown = min(self.k, len(release))
        return replace(
            found, distances=found.distances[inverse, :shown], places=found.places[inverse, : min(NAMED, shown)]
        )

    def _around(self, bench: Bench[Seen]) -> Around | None:
        if not has_reference(bench):
            return None
        width = OFFSET * bench.get(TypicalDistance(Seen.REFERENCE, self.k))
        return Around(bench.get(Standardised(Seen.REFERENCE)), width)


@dataclass(frozen=True)
class Neighbours:
    """Request: the nearest rows of a table for each person, by the sum of differences in standard deviations."""

    of: Seen
    k: int = NEIGHBOURS

    def compute(self, bench: Bench[Seen]) -> NeighbourLists:
        """Search all people at once; of equally near people of the reference those that come first by content."""
        if self.of is Seen.RELEASE:
            found = bench.get(ReleasedNearby(self.k))
            return NeighbourLists(found.distances, found.numbers[found.places])
        if self.of is Seen.REFERENCE:
            _refuse_small_reference(bench)
        order = by_content(bench.table(self.of))
        placed = bench.get(Standardised(self.of)).take(order)
        lists = k_nearest(bench.get(Standardised(Seen.PEOPLE)), placed, self.k, bench.budget)
        return NeighbourLists(lists.distances, order[lists.places])


@dataclass(frozen=True)
class DensityAroundNearest:
    """Request: the logarithm of the kernel density of the reference at each person's nearest released rows.

    Constants are left out; one column for each row that is named.
    """

    k: int = NEIGHBOURS

    def compute(self, bench: Bench[Seen]) -> Floats:
        """Look it up."""
        _refuse_small_reference(bench)
        found = bench.get(ReleasedNearby(self.k))
        return found.density[found.places]


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
class ReleasedDigits:
    """Request: to how many digits the numbers of the release were rounded, column by column."""

    def compute(self, bench: Bench[Seen]) -> Digits:
        """Look at all rows."""
        return bench.table(Seen.RELEASE).fold(DigitsPass()).tell()


@dataclass(frozen=True)
class PeopleToMatch:
    """Request: the pass that looks people up, which knows them by their fingerprints; parts of a release share it."""

    digits: Digits

    def compute(self, bench: Bench[Seen]) -> MatchesPass:
        """Look at people alone."""
        return MatchesPass(bench.table(Seen.PEOPLE), self.digits)


@dataclass(frozen=True)
class Matches:
    """Request: released rows that equal people in all columns (first row), and in all but one, each in turn.

    Numbers are compared to the digits that the release has.
    """

    def compute(self, bench: Bench[Seen]) -> MatchCounts:
        """Count equal rows by their fingerprints."""
        asking = bench.get(PeopleToMatch(bench.get(ReleasedDigits())))
        return MatchCounts(bench.table(Seen.RELEASE).fold(asking), asking.among_people)


@dataclass(frozen=True)
class ExactMatches:
    """Request: people whose whole row stands in the release, numbers to the digits that it has."""

    def compute(self, bench: Bench[Seen]) -> MatchCounts:
        """Take all columns."""
        found = bench.get(Matches())
        return MatchCounts(found.released[0], found.people[0])


@dataclass(frozen=True)
class NearMatches:
    """Request: how rare the rarest match of each person is, one column left out, whichever it is; 0 without a match."""

    def compute(self, bench: Bench[Seen]) -> Floats:
        """Leave out each column in turn."""
        if len(bench.table(Seen.PEOPLE).schema.used) < 2:
            raise NotApplicable("one column cannot be left out of a table that has no other")
        return np.asarray(bench.get(Matches()).rarity[1:].max(axis=0))


def is_matched(bench: Bench[Seen]) -> Bools:
    """Tell whose row stands in the release."""
    return bench.get(ExactMatches()).released > 0
