"""Who is attacked: an order of the people of a table, drawn by content and seed, and how many of them are taken.

People outside come first as the reference, who are never rated, then as those who are rated; members are taken from the
first on. The same seed gives the same people whatever the order of rows.
"""

from dataclasses import dataclass

import numpy as np

from seethrough.data.release import PeopleDesign
from seethrough.data.rows import by_content
from seethrough.data.table import Table
from seethrough.kernels.arrays import Bools, Ints
from seethrough.seeds import stream

REFERENCE_SHARE = 10
"""One in so many people outside is the reference; each one taken is not rated. Of eight releases with ten copied
outliers of a survey, 1,000 people inside and outside, a tenth found five and a quarter three; of eight with 5 % copied
rows six and five. On releases of a diffusion model a tenth, a quarter and a half gave the log ratio a standardised
statistic of 7.8, 7.4 and 6.6 with 1,000 people inside and outside, 15.7, 15.1 and 13.0 with 4,000, 37.0, 35.4 and 30.5
with 20,000. Of 100 members it found 8.5, 8.5 and 9.1; 9.0, 9.6 and 9.8; 10.1, 10.4 and 10.8 at 1 % false alarms. So a
larger reference makes ratings a little better, and the people it takes are missed more, with few outside and with
many."""
ENOUGH_REFERENCE = 20
"""So many are taken where a tenth would be fewer, but no more than a quarter."""
MOST_REFERENCE = 10_000


@dataclass(frozen=True, eq=False)
class DrawnPeople:
    """Rows of a table, people one after the other in the order drawn, and the place of each row's person in it.

    `people` and `all_rows` count those of the whole table.
    """

    rows: Ints
    places: Ints
    people: int
    all_rows: int

    def upto(self, people: int) -> "DrawnPeople":
        """Take the first people."""
        return self._part(self.places < people)

    def beyond(self, people: int, most: int, targets: int | None = None) -> "DrawnPeople":
        """Leave out the first people, and whoever does not fit: so many people, or rows where none are said."""
        if targets is not None:
            return self._part((self.places >= people) & (self.places < people + targets))
        begin = int(np.searchsorted(self.places, people))
        end = min(begin + most, len(self.rows))
        # A person is rated with all rows or not at all, but for a first one who has more than is rated at most.
        if end < len(self.rows) and self.places[end] == self.places[end - 1] != people:
            end = int(np.searchsorted(self.places, self.places[end]))
        return self._part((np.arange(len(self.rows)) >= begin) & (np.arange(len(self.rows)) < end))

    def _part(self, kept: Bools) -> "DrawnPeople":
        return DrawnPeople(self.rows[kept], self.places[kept], self.people, self.all_rows)


def draw_members(real: Table, design: PeopleDesign, seed: int) -> DrawnPeople:
    """Draw an order of the members; those of an audit set come first."""
    return draw_order(real, design.real, stream(seed, "members"), design.audited)


def draw_outsiders(outside: Table, design: PeopleDesign, seed: int) -> tuple[DrawnPeople, int]:
    """Draw an order of the people outside, and say how many of the first are the reference."""
    others = draw_order(outside, design.outside, stream(seed, "people outside"))
    return others, reference_size(others.people, design, stream(seed, "reference"))


def draw_order(table: Table, persons: Ints | None, rng: np.random.Generator, first: Bools | None = None) -> DrawnPeople:
    """Draw an order of people; those who have to be `first` come before the others."""
    order = by_content(table)
    if persons is None:
        rows = order[rng.permutation(len(table))]
        if first is not None:
            rows = rows[np.argsort(~first[rows], kind="stable")]
        return DrawnPeople(rows, np.arange(len(rows)), len(rows), len(rows))
    numbers = np.unique(persons, return_inverse=True)[1]
    count = int(numbers.max(initial=-1)) + 1
    draw = rng.permutation(count)
    if first is not None:
        is_first = np.zeros(count, bool)
        is_first[numbers[first]] = True
        draw = draw[np.argsort(~is_first[draw], kind="stable")]
    place = np.empty(count, np.int64)
    place[draw] = np.arange(count)
    rows = order[np.argsort(place[numbers[order]], kind="stable")]
    return DrawnPeople(rows, place[numbers[rows]], count, len(rows))


def reference_size(outsiders: int, design: PeopleDesign, rng: np.random.Generator) -> int:
    """Decide how many people outside are the reference.

    In an audit set a coin of its own decides for each, so that the coins of all others stay fair.
    """
    if design.audited is None:
        return usual_reference(outsiders)
    return int(rng.binomial(outsiders, reference_chance(design, outsiders)))


def usual_reference(outsiders: int) -> int:
    """Decide how many of so many people outside are set aside, who are not rated."""
    return min(max(outsiders // REFERENCE_SHARE, min(ENOUGH_REFERENCE, outsiders // 4)), MOST_REFERENCE)


def reference_chance(design: PeopleDesign, outsiders: int) -> float:
    """Give the chance that makes a reference of the usual size; it depends on the whole audit set alone."""
    expected = (design.audit_people + outsiders) // 2
    return usual_reference(expected) / expected
