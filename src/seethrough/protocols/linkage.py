"""Record linkage: what an attacker sees who knows the real table but for some columns, and what he reads off.

He knows the other columns of every real record, and of the hidden ones which values occur, but not whose they are.
The truth is no part of the view; games keep it and compare.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt
from scipy import sparse

from seethrough.data.ordering import ColumnOrder
from seethrough.data.table import Table
from seethrough.kernels.arrays import Floats, Ints
from seethrough.kernels.budget import Budget
from seethrough.kernels.neighbours.all_nearest import Nearest
from seethrough.kernels.ranks.scale import RankScale


@dataclass(frozen=True, eq=False)
class LinkageView:
    """What the attacker has of one released table.

    `known` are the known columns of every real record, `released` as many rows with these columns and the hidden ones.
    `orders` say how the values of a column are ordered, `scales` which values a hidden one has. `targets` are rows of
    `known`.
    """

    known: Table
    released: Table
    orders: Mapping[str, ColumnOrder]
    scales: Mapping[str, RankScale]
    targets: Ints
    budget: Budget


@dataclass(frozen=True, eq=False)
class Found:
    """What the linked rows say about a hidden column.

    Targets that are known by the same values share a `group`; `counts` has for each group how many linked rows show
    which value, by places on the scale, the last one for values that the real table does not have.
    """

    group: Ints
    counts: sparse.csr_array
    scale: RankScale

    def span(self) -> tuple[Ints, Ints]:
        """Give the smallest and the largest rank found for each target, doubled."""
        ranks = self.scale.doubled
        first, end = self.counts.indptr[:-1], self.counts.indptr[1:]
        return ranks[self.counts.indices[first]][self.group], ranks[self.counts.indices[end - 1]][self.group]

    def chances(self, truth: Ints) -> Floats:
        """Give the share of linked rows that show the true value, by its place, of each target."""
        keys, cells = self._keys(), self.counts
        wanted = self.group * cells.shape[1] + truth
        place = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
        right = np.where(keys[place] == wanted, cells.data[place], 0)
        return right / self._totals()[self.group]

    def errors(self, truth: Ints) -> Floats:
        """Give the mean distance in ranks between the linked rows and the truth, of each target."""
        ranks, cells = self.scale.doubled / 2, self.counts
        keys, first, end = self._keys(), cells.indptr[:-1][self.group], cells.indptr[1:][self.group]
        number = np.concatenate([[0], np.cumsum(cells.data)])
        weighted = np.concatenate([[0.0], np.cumsum(cells.data * ranks[cells.indices])])
        middle = np.searchsorted(keys, self.group * cells.shape[1] + truth)
        true = ranks[truth]
        below = true * (number[middle] - number[first]) - (weighted[middle] - weighted[first])
        above = (weighted[end] - weighted[middle]) - true * (number[end] - number[middle])
        errors: Floats = (below + above) / self._totals()[self.group]
        return errors

    def _keys(self) -> Ints:
        """Give the cells numbers in which they stand in order."""
        rows = np.repeat(np.arange(self.counts.shape[0]), np.diff(self.counts.indptr))
        keys: Ints = rows * self.counts.shape[1] + self.counts.indices
        return keys

    def _totals(self) -> Ints:
        totals: Ints = np.add.reduceat(self.counts.data, self.counts.indptr[:-1])
        return totals


@dataclass(frozen=True, eq=False)
class Linked:
    """The rows linked to each target, and what they say about each hidden column.

    `places` are the rows of the file that the rows shown stand for, where that is not the same; a row of the file that
    was drawn several times counts once.
    """

    nearest: Nearest
    found: Mapping[str, Found]
    places: Ints | None = None

    def sizes(self) -> Ints:
        """Count the rows linked to each target."""
        members = np.bincount(self.nearest.column_groups[self._first], minlength=self.nearest.links.shape[1])
        sizes: Ints = (self.nearest.links @ members)[self.nearest.row_groups]
        return sizes

    def alone(self) -> npt.NDArray[np.bool_]:
        """Tell for each target whether one row is linked to it, and that row to no other target."""
        members = np.bincount(self.nearest.row_groups, minlength=self.nearest.links.shape[0])
        claims = self.nearest.links.T @ members
        # Of a group with one linked row the sum over its links is the number of targets linked to that row.
        shared = self.nearest.links @ claims
        found: npt.NDArray[np.bool_] = (self.sizes() == 1) & (shared[self.nearest.row_groups] == 1)
        return found

    def rows(self, target: int) -> Ints:
        """List the rows linked to one target."""
        links, group = self.nearest.links, self.nearest.row_groups[target]
        groups = links.indices[links.indptr[group] : links.indptr[group + 1]]
        order, ends = self._members
        some = np.concatenate([order[ends[each] : ends[each + 1]] for each in groups.tolist()])
        return np.sort(some) if self.places is None else np.unique(self.places[some])

    @cached_property
    def _first(self) -> Ints:
        """Where each row of the file stands first among the rows shown."""
        rows = np.arange(len(self.nearest.column_groups)) if self.places is None else self.places
        return np.unique(rows, return_index=True)[1]

    @cached_property
    def _members(self) -> tuple[Ints, Ints]:
        """Rows in the order of their groups, and where each group begins."""
        groups = self.nearest.column_groups
        return np.argsort(groups, kind="stable"), np.searchsorted(np.sort(groups), np.arange(groups.max() + 2))


@runtime_checkable
class LinkageAttack(Protocol):
    """A way to link: a frozen dataclass whose fields are its parameters.

    Optional: `in_audits` (`AuditedAttack`) makes it a check of every audit, `link_in_turn` (`TurnLinkingAttack`) links
    by all columns but one, for each in turn, at once.
    """

    @property
    def name(self) -> str:
        """Say what users call it."""
        ...

    @property
    def criterion_name(self) -> str:
        """Say how differences of ranks are made one distance."""
        ...

    def link(self, view: LinkageView) -> Linked:
        """Link the targets to released rows."""
        ...


@runtime_checkable
class TurnLinkingAttack(Protocol):
    """Optional: a way to link that shares its work where columns of the same tables are hidden in turn."""

    def link_in_turn(self, views: Sequence[LinkageView]) -> Iterator[Linked]:
        """Answer for each view as `link` would; all show the same tables and targets, and hide other columns."""
        ...


@dataclass(frozen=True, eq=False)
class LinkedRows:
    """The released rows linked to one person, by place in the view, and how far they are in ranks.

    `shown` has for each hidden column the places on the scale of the values that these rows show.
    """

    rows: Ints
    distance: float
    shown: Mapping[str, Ints]


class LinkingOneByOne(Protocol):
    """An attack on one view, with its tables ranked, ready to link single people."""

    def link_one(self, row: int) -> LinkedRows:
        """Link one row of `view.known`."""
        ...


@runtime_checkable
class RankingAttack(Protocol):
    """Optional: a way to link that can be asked about one person after the other without ranking again."""

    def prepare_linking(self, view: LinkageView) -> LinkingOneByOne:
        """Rank the tables of a view."""
        ...
