"""What released rows show of secrets, by one pass in any chunks: those nearest to people on the keys, or all of them.

Of a chunk are kept the distance of the nearest rows of each person, and how many of these have which value. The nearer
of two is taken where states are merged; what is equally near is added.
"""

from dataclasses import dataclass

import numpy as np
from scipy import sparse

from seethrough.data.encoding import points
from seethrough.data.table import Table
from seethrough.errors import NotApplicable
from seethrough.kernels.arrays import Floats, Ints
from seethrough.kernels.budget import Budget
from seethrough.kernels.counting.value_counts import ValueCounts, add_counts, count_keys, keys_of
from seethrough.kernels.neighbours.all_nearest import all_nearest
from seethrough.kernels.points import TIE, Points

MOST_COUNTS = 1 << 25
"""Counts that are kept at the most; a secret of very many different numbers has too many."""


class TooManyValues(NotApplicable):
    """A column has more different values than can be counted."""


@dataclass(frozen=True, eq=False)
class ShownByNearest:
    """For each different person how far the nearest rows are, and what they show of each secret."""

    distances: Floats
    shown: tuple[ValueCounts, ...]
    rows: int


@dataclass(frozen=True, eq=False)
class ShownByNearestPass:
    """Pass: what the rows nearest to people, who are different, show of secrets; all ties are kept.

    With `classes` only rows count whose secret is one of these codes; with `known` those whose secret is not missing.
    """

    people: Points
    keys: tuple[str, ...]
    secrets: tuple[str, ...]
    classes: tuple[int, ...]
    known: bool
    budget: Budget

    def partial(self, rows: Table, before: int, hint: Floats | None) -> ShownByNearest:
        """Search a chunk."""
        shown = self._usable(rows)
        if not len(shown):
            nothing = np.empty(0, np.int64)
            none = ValueCounts(len(self.people), nothing, nothing, nothing)
            return ShownByNearest(np.full(len(self.people), np.inf), (none,) * len(self.secrets), 0)
        near = all_nearest(self.people, points(shown.project(self.keys)), self.budget)
        links = near.links[near.row_groups]
        values = (_seen_by(links, near.column_groups, keys_of(shown.column(name))) for name in self.secrets)
        return ShownByNearest(near.distances, tuple(values), len(shown))

    def _usable(self, rows: Table) -> Table:
        if not self.classes and not self.known:
            return rows
        [secret] = self.secrets
        values = rows.column(secret)
        usable = (
            np.isin(values.astype(np.int64), self.classes) if self.classes else ~np.isnan(values.astype(np.float64))
        )
        return rows.take(np.flatnonzero(usable))

    def merge(self, first: ShownByNearest, second: ShownByNearest) -> ShownByNearest:
        """Take what the nearer rows show; what is shown by rows equally near is added."""
        least = np.minimum(first.distances, second.distances)
        near = [each.distances <= least * (1 + TIE / 2) for each in (first, second)]
        pairs = zip(first.shown, second.shown, strict=True)
        shown = tuple(add_counts([mine.of_groups(near[0]), other.of_groups(near[1])]) for mine, other in pairs)
        _refuse_many(shown)
        return ShownByNearest(least, shown, first.rows + second.rows)

    def hint(self, state: ShownByNearest) -> Floats | None:
        """Say nothing."""
        return None


def _seen_by(links: sparse.csr_array, groups: Ints, keys: Ints) -> ValueCounts:
    """Count the values of the rows that each person is linked to, given the group of each row."""
    distinct, place = np.unique(keys, return_inverse=True)
    ones = np.ones(len(keys), np.int64)
    by_group = sparse.csr_array((ones, (groups, place)), shape=(links.shape[1], len(distinct)))
    found = (links @ by_group).tocoo()
    return count_keys(links.shape[0], found.row.astype(np.int64), distinct[found.col], found.data)


@dataclass(frozen=True)
class ShownByAllPass:
    """Pass: what all rows show of secrets, as one group."""

    secrets: tuple[str, ...]

    def partial(self, rows: Table, before: int, hint: Floats | None) -> tuple[ValueCounts, ...]:
        """Count a chunk."""
        found = []
        for name in self.secrets:
            keys, counts = np.unique(keys_of(rows.column(name)), return_counts=True)
            found.append(ValueCounts(1, np.zeros(len(keys), np.int64), keys, counts))
        return tuple(found)

    def merge(self, first: tuple[ValueCounts, ...], second: tuple[ValueCounts, ...]) -> tuple[ValueCounts, ...]:
        """Add up."""
        added = tuple(add_counts(pair) for pair in zip(first, second, strict=True))
        _refuse_many(added)
        return added

    def hint(self, state: tuple[ValueCounts, ...]) -> Floats | None:
        """Say nothing."""
        return None


def _refuse_many(shown: tuple[ValueCounts, ...]) -> None:
    if sum(len(each.keys) for each in shown) > MOST_COUNTS:
        raise TooManyValues("a column has too many different values to be counted in a release that is read in chunks")
