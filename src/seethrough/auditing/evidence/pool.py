"""The pool: members and people outside, mixed, with a reference of further people outside.

A part of the holdout is drawn first, by content and a stream of its own, as the reference; it is never rated. Everybody
else, members and people outside, is mixed. What attacks are shown is the mixture, the release and the reference; who is
a member stays here. Ranges, medians and classes, which the schema has from the real table alone, are replaced by those
of the mixture and the release, so that nothing an attack computes depends on who is a member.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from seethrough.bench.bench import Bench
from seethrough.bench.pool import Seen
from seethrough.data.rows import by_content, stack_tables
from seethrough.data.schema import Column, Schema
from seethrough.data.table import Array, Table
from seethrough.errors import NotApplicable
from seethrough.kernels.arrays import Bools, Ints
from seethrough.kernels.budget import Budget
from seethrough.seeds import stream

FEWEST_OUTSIDE = 30
"""People outside below which nothing is tested."""
REFERENCE_SHARE = 4
"""One in so many people outside is the reference; little is lost with few, and each one taken is not rated."""
MOST_REFERENCE = 10_000
MOST_RATED = 100_000
"""People of either kind that are rated; of more, so many are drawn."""


@dataclass(frozen=True, eq=False)
class Pool:
    """What attacks see (`bench`), who is a member, and which row of its own table each person is."""

    bench: Bench[Seen]
    members: Bools
    rows: Ints

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


def make_pool(real: Table, outside: Table, release: Table, seed: int, budget: Budget) -> Pool:
    """Mix members and people outside; the same seed gives the same mixture whatever the order of rows."""
    if len(outside) < FEWEST_OUTSIDE:
        raise NotApplicable(f"the holdout has {len(outside)} people; at least {FEWEST_OUTSIDE} are needed")
    drawn = _drawn(outside, len(outside), stream(seed, "people outside"))
    aside = min(len(outside) // REFERENCE_SHARE, MOST_REFERENCE)
    reference, rated = drawn[:aside], drawn[aside : aside + MOST_RATED]
    inside = _drawn(real, MOST_RATED, stream(seed, "members"))
    people = stack_tables([real.take(inside), outside.take(rated)])
    members, rows = np.arange(len(people)) < len(inside), np.concatenate([inside, rated])
    order = by_content(people)[stream(seed, "pool").permutation(len(people))]
    tables = [people.take(order), release, outside.take(reference)]
    shown = dict(zip(Seen, without_members_scale(tables), strict=True))
    return Pool(Bench(shown, budget), members[order], rows[order])


def _drawn(table: Table, most: int, rng: np.random.Generator) -> Ints:
    return by_content(table)[rng.permutation(len(table))[:most]]


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
