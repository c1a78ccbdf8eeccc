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

from seethrough.auditing.evidence.drawing import DrawnPeople, draw_members, draw_outsiders, reference_chance
from seethrough.bench.bench import Bench
from seethrough.bench.passes.seen_values import SeenValuesPass
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
    targets: int | None = None,
) -> Pool:
    """Mix members and people outside; `tables` are real, outside and released rows.

    At most so many rows of each are rated, or so many people where `targets` says how many. The same seed gives the
    same mixture whatever the order of rows.
    """
    real, outside, release = tables
    others, aside = draw_outsiders(outside, design, seed)
    if others.people < FEWEST_OUTSIDE:
        raise NotApplicable(f"the holdout has {others.people} people; at least {FEWEST_OUTSIDE} are needed")
    reference, rated = others.upto(aside), others.beyond(aside, most, targets)
    mine = draw_members(real, design, seed).beyond(0, most, targets)
    people = stack_tables([real.take(mine.rows), outside.take(rated.rows)])
    order = by_content(people)[stream(seed, "pool").permutation(len(people))]
    members = np.arange(len(people)) < len(mine.rows)
    rows = np.concatenate([mine.rows, rated.rows])
    persons = np.concatenate([mine.places, rated.places + mine.people])
    mixed = [people.take(order), release, outside.take(reference.rows)]
    shown = dict(zip(Seen, without_members_scale(mixed), strict=True))
    share = _counted_share(design, rated, most, targets)
    coined = _coined(design, mine, rated, aside, share, stream(seed, "reference among members"))
    return Pool(
        Bench(shown, budget),
        members[order],
        rows[order],
        _number_by_appearance(persons[order]),
        reference_people=aside,
        coined=None if coined is None else coined[order],
        is_designed=design.audited is not None,
    )


def _coined(
    design: PeopleDesign, mine: DrawnPeople, rated: DrawnPeople, aside: int, share: float, rng: np.random.Generator
) -> Bools | None:
    """Tell whose coin is fair given the reference and who is rated; None where they cannot be told.

    As large a part of the members of an audit set is left out as of the people outside, and where not all can be rated
    a coin of its own decides again for each of both who is counted. People of the audit set come first among members.
    """
    if design.audited is None:
        return None
    people = design.audit_people
    left_out = int(rng.binomial(people, reference_chance(design, rated.people)))
    last = left_out + int(rng.binomial(people - left_out, share))
    last_outside = aside + int(rng.binomial(rated.people - aside, share))
    if last > mine.places.max(initial=-1) + 1 or last_outside > rated.places.max(initial=-1) + 1:
        return None
    inside = (mine.places >= left_out) & (mine.places < last)
    return np.concatenate([inside, rated.places < last_outside])


def _counted_share(design: PeopleDesign, rated: DrawnPeople, most: int, targets: int | None) -> float:
    """Give the share of an audit set that surely fits into what is rated; it depends on the whole set alone."""
    if design.audited is None:
        return 1.0
    people = design.audit_people + rated.people
    rows = int(design.audited.sum()) + rated.all_rows
    fitting = most * people / rows if targets is None else targets
    return min(1.0, max(0.0, fitting - 6 * sqrt(fitting)) / (people / 2 + 3 * sqrt(people)))


def _number_by_appearance(persons: Ints) -> Ints:
    """Give people numbers by the place at which they come first."""
    _, first, number = np.unique(persons, return_index=True, return_inverse=True)
    rank = np.empty(len(first), np.int64)
    rank[np.argsort(first)] = np.arange(len(first))
    return rank[number]


def without_members_scale(tables: Sequence[Table]) -> list[Table]:
    """Give the tables a schema whose ranges and medians are those of all of them together.

    The median of a table that is large is that of its drawn rows.
    """
    schema = tables[0].schema
    seen = [table.fold(SeenValuesPass()) for table in tables]
    low, high = np.min([each.low for each in seen], axis=0), np.max([each.high for each in seen], axis=0)
    used = iter(zip(low, high, *(table.drawn.columns for table in tables), strict=True))
    columns = tuple(_rescaled(column, *next(used)) if column.is_used else column for column in schema.columns)
    return [table.under(Schema(columns)) for table in tables]


def _rescaled(column: Column, low: float, high: float, *values: Array) -> Column:
    if column.kind.has_levels or not np.isfinite(low):
        return column
    numbers = np.concatenate([part.astype(np.float64) for part in values])
    numbers = numbers[np.isfinite(numbers)]
    middle = float(np.median(numbers)) if len(numbers) else float(low)
    return replace(column, low=float(low), high=float(high), fill=middle)
