"""The pool: members and people outside, mixed, with a reference of further people outside.

A part of the holdout is drawn first, by content and a stream of its own, as the reference; it is never rated. Everybody
else, members and people outside, is mixed. What attacks are shown is the mixture, the release and the reference; who is
a member stays here. Where people have several rows, all rows of one person go one way. Ranges, medians and classes,
which the schema has from the real table alone, are replaced by those of the mixture and the release, so that nothing an
attack computes depends on who is a member.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import sqrt

import numpy as np

from seethrough.bench.bench import Bench
from seethrough.bench.pool import Seen
from seethrough.data.release import ONE_ROW_EACH, PeopleDesign
from seethrough.data.rows import by_content, stack_tables
from seethrough.data.schema import Column, Schema
from seethrough.data.table import Array, Table
from seethrough.errors import NotApplicable
from seethrough.kernels.arrays import Bools, Ints
from seethrough.kernels.budget import Budget
from seethrough.seeds import stream

FEWEST_OUTSIDE = 30
"""People outside below which nothing is tested."""
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
MOST_RATED = 100_000
"""Rows of either kind that are rated; of more, so many are drawn."""
MOST_PAIRS, FEWEST_RATED = 4_000_000_000, 2_000
"""Pairs of a person and a released row that a search may measure, and how many people are rated whatever it takes."""


def rated_at_most(released_rows: int) -> int:
    """Decide how many members, and as many people outside, are rated against the whole of a release.

    The release is never sampled, which would make every leak look smaller.
    """
    return min(MOST_RATED, max(FEWEST_RATED, MOST_PAIRS // max(released_rows, 1)))


@dataclass(frozen=True, eq=False)
class Pool:
    """What attacks see (`bench`), who is a member, which row of its own table each row is, and whose.

    `members`, `rows` and `persons` speak of rows; people are numbered in the order in which they come. `coined` tells
    the rows of people whom a fair coin put in or out and about whom nothing is given away by the reference;
    `is_designed` that there were such coins.
    """

    bench: Bench[Seen]
    members: Bools
    rows: Ints
    persons: Ints
    reference_people: int
    coined: Bools | None = None
    is_designed: bool = False

    @property
    def people(self) -> Table:
        """Everybody, mixed."""
        return self.bench.table(Seen.PEOPLE)

    @property
    def reference(self) -> Table:
        """Further people outside, who are not rated."""
        return self.bench.table(Seen.REFERENCE)

    @property
    def release(self) -> Table:
        """The released rows."""
        return self.bench.table(Seen.RELEASE)

    def project(self, names: Sequence[str]) -> "Pool":
        """Show attacks the named columns alone, of the same people in the same order."""
        shown = {part: self.bench.table(part).project(names) for part in Seen}
        return replace(self, bench=Bench(shown, self.bench.budget))

    def with_release(self, release: Table) -> "Pool":
        """Show attacks another release; what was computed without a release is known already."""
        return replace(self, bench=self.bench.branch(Seen.RELEASE, release))

    def without(self, people: Bools) -> "Pool":
        """Leave some people out, with all their rows."""
        kept = np.flatnonzero(~people[self.persons])
        shown = {part: self.bench.table(part) for part in Seen} | {Seen.PEOPLE: self.people.take(kept)}
        return replace(
            self,
            bench=Bench(shown, self.bench.budget),
            members=self.members[kept],
            rows=self.rows[kept],
            persons=_number_by_appearance(self.persons[kept]),
            coined=None if self.coined is None else self.coined[kept],
        )

    @property
    def size(self) -> int:
        """Count the people."""
        return int(self.persons.max(initial=-1)) + 1

    @property
    def has_one_row_each(self) -> bool:
        """Tell whether rows are people."""
        return self.size == len(self.persons)

    def of_people(self, labels: Bools) -> Bools:
        """Give labels of rows, which are the same for all rows of a person, as labels of people."""
        found = np.zeros(self.size, bool)
        found[self.persons[labels]] = True
        return found

    @cached_property
    def member_people(self) -> Bools:
        """Tell for each person whether they are a member."""
        return self.of_people(self.members)

    def count_people(self, rows: Bools) -> int:
        """Count the people who have one of these rows."""
        return len(np.unique(self.persons[rows]))


def make_pool(
    tables: tuple[Table, Table, Table],
    seed: int,
    budget: Budget,
    design: PeopleDesign = ONE_ROW_EACH,
    most: int = MOST_RATED,
) -> Pool:
    """Mix members and people outside, at most so many rows of each; `tables` are real, outside and released rows.

    The same seed gives the same mixture whatever the order of rows.
    """
    real, outside, release = tables
    others = _draw(outside, design.outside, stream(seed, "people outside"))
    if others.people < FEWEST_OUTSIDE:
        raise NotApplicable(f"the holdout has {others.people} people; at least {FEWEST_OUTSIDE} are needed")
    aside = _reference_size(others.people, design, stream(seed, "reference"))
    reference, rated = others.upto(aside), others.beyond(aside, most)
    mine = _draw(real, design.real, stream(seed, "members"), design.audited).beyond(0, most)
    people = stack_tables([real.take(mine.rows), outside.take(rated.rows)])
    order = by_content(people)[stream(seed, "pool").permutation(len(people))]
    members = np.arange(len(people)) < len(mine.rows)
    rows = np.concatenate([mine.rows, rated.rows])
    persons = np.concatenate([mine.places, rated.places + mine.people])
    mixed = [people.take(order), release, outside.take(reference.rows)]
    shown = dict(zip(Seen, without_members_scale(mixed), strict=True))
    coined = _coined(design, mine, rated, aside, most, stream(seed, "reference among members"))
    return Pool(
        Bench(shown, budget),
        members[order],
        rows[order],
        _number_by_appearance(persons[order]),
        reference_people=aside,
        coined=None if coined is None else coined[order],
        is_designed=design.audited is not None,
    )


@dataclass(frozen=True, eq=False)
class _DrawnRows:
    """Rows of a table, people one after the other in the order drawn, and the place of each row's person in it.

    `people` and `all_rows` count those of the whole table.
    """

    rows: Ints
    places: Ints
    people: int
    all_rows: int

    def upto(self, people: int) -> "_DrawnRows":
        """Take the first people."""
        return self._part(self.places < people)

    def beyond(self, people: int, most: int) -> "_DrawnRows":
        """Leave out the first people, and whoever does not fit into what is rated at most."""
        begin = int(np.searchsorted(self.places, people))
        end = min(begin + most, len(self.rows))
        # A person is rated with all rows or not at all, but for a first one who has more than is rated at most.
        if end < len(self.rows) and self.places[end] == self.places[end - 1] != people:
            end = int(np.searchsorted(self.places, self.places[end]))
        return self._part((np.arange(len(self.rows)) >= begin) & (np.arange(len(self.rows)) < end))

    def _part(self, kept: Bools) -> "_DrawnRows":
        return _DrawnRows(self.rows[kept], self.places[kept], self.people, self.all_rows)


def _draw(table: Table, persons: Ints | None, rng: np.random.Generator, first: Bools | None = None) -> _DrawnRows:
    """Draw an order of people; those who have to be `first` come before the others."""
    order = by_content(table)
    if persons is None:
        rows = order[rng.permutation(len(table))]
        if first is not None:
            rows = rows[np.argsort(~first[rows], kind="stable")]
        return _DrawnRows(rows, np.arange(len(rows)), len(rows), len(rows))
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
    return _DrawnRows(rows, place[numbers[rows]], count, len(rows))


def _reference_size(outsiders: int, design: PeopleDesign, rng: np.random.Generator) -> int:
    """Decide how many people outside are the reference.

    In an audit set a coin of its own decides for each, so that the coins of all others stay fair.
    """
    if design.audited is None:
        return usual_reference(outsiders)
    return int(rng.binomial(outsiders, _reference_chance(design, outsiders)))


def usual_reference(outsiders: int) -> int:
    """Decide how many of so many people outside are set aside, who are not rated."""
    return min(max(outsiders // REFERENCE_SHARE, min(ENOUGH_REFERENCE, outsiders // 4)), MOST_REFERENCE)


def _reference_chance(design: PeopleDesign, outsiders: int) -> float:
    """Give the chance that makes a reference of the usual size; it depends on the whole audit set alone."""
    expected = (design.audit_people + outsiders) // 2
    return usual_reference(expected) / expected


def _coined(
    design: PeopleDesign, mine: _DrawnRows, rated: _DrawnRows, aside: int, most: int, rng: np.random.Generator
) -> Bools | None:
    """Tell whose coin is fair given the reference and who is rated; None where they cannot be told.

    As large a part of the members of an audit set is left out as of the people outside, and where not all can be rated
    a coin of its own decides again for each of both who is counted. People of the audit set come first among members.
    """
    if design.audited is None:
        return None
    people = design.audit_people
    left_out = int(rng.binomial(people, _reference_chance(design, rated.people)))
    share = _counted_share(design, rated, most)
    last = left_out + int(rng.binomial(people - left_out, share))
    last_outside = aside + int(rng.binomial(rated.people - aside, share))
    if last > mine.places.max(initial=-1) + 1 or last_outside > rated.places.max(initial=-1) + 1:
        return None
    inside = (mine.places >= left_out) & (mine.places < last)
    return np.concatenate([inside, rated.places < last_outside])


def _counted_share(design: PeopleDesign, rated: _DrawnRows, most: int) -> float:
    """Give the share of an audit set that surely fits into what is rated; it depends on the whole set alone."""
    assert design.audited is not None
    people = design.audit_people + rated.people
    rows = int(design.audited.sum()) + rated.all_rows
    fitting = most * people / rows
    return min(1.0, max(0.0, fitting - 6 * sqrt(fitting)) / (people / 2 + 3 * sqrt(people)))


def _number_by_appearance(persons: Ints) -> Ints:
    """Give people numbers by the place at which they come first."""
    _, first, number = np.unique(persons, return_index=True, return_inverse=True)
    rank = np.empty(len(first), np.int64)
    rank[np.argsort(first)] = np.arange(len(first))
    return rank[number]


def without_members_scale(tables: Sequence[Table]) -> list[Table]:
    """Give the tables a schema whose ranges and medians are those of all of them together."""
    schema = tables[0].schema
    used = iter(zip(*(table.columns for table in tables), strict=True))
    columns = tuple(_rescaled(column, next(used)) if column.is_used else column for column in schema.columns)
    return [Table(Schema(columns), table.columns) for table in tables]


def _rescaled(column: Column, values: Sequence[Array]) -> Column:
    if column.kind.has_levels:
        return column
    numbers = np.concatenate([part.astype(np.float64) for part in values])
    numbers = numbers[np.isfinite(numbers)]
    if not len(numbers):
        return column
    return replace(column, low=float(numbers.min()), high=float(numbers.max()), fill=float(np.median(numbers)))
