"""The released rows nearest to each target, all ties kept, by the class that they show."""

from dataclasses import dataclass

import numpy as np
from scipy import sparse

from seethrough.bench.passes.shown_secrets import ShownByNearest, ShownByNearestPass
from seethrough.data.encoding import NumericKeys, key_codes, points
from seethrough.data.rows import row_numbers, stack_tables
from seethrough.data.table import Table
from seethrough.errors import NotApplicable
from seethrough.kernels.arrays import Floats, Ints
from seethrough.kernels.budget import Budget
from seethrough.kernels.counting.value_counts import median_of_counts
from seethrough.kernels.neighbours.all_nearest import all_nearest, median_of_known
from seethrough.kernels.neighbours.keys.hamming import nearest_labels
from seethrough.protocols.attack import AttributeView


@dataclass(frozen=True, eq=False)
class NearestRows:
    """For each target how many of the rows nearest to it show each class, and how far they are."""

    counts: Ints
    distances: Floats

    @property
    def sizes(self) -> Ints:
        """The number of nearest rows of each target."""
        found: Ints = self.counts.sum(axis=1)
        return found

    @property
    def shares(self) -> Floats:
        """The share of each class among them; all 0 where there are none."""
        sizes = self.sizes[:, None]
        found: Floats = np.divide(self.counts, sizes, out=np.zeros(self.counts.shape), where=sizes > 0)
        return found


@dataclass(frozen=True, eq=False)
class NearestNumbers:
    """For each target the median of the rows nearest to it, the share of them that is near to it, how far they are."""

    medians: Floats
    agreeing: Floats
    distances: Floats


def nearest_by_keys(view: AttributeView, numeric: NumericKeys, *, equal: bool = False) -> NearestRows:
    """Find the rows that differ in fewest keys; with `equal` those alone that differ in none."""
    asking = NearestByKeysPass(
        view.known.take(view.targets), view.known, view.secret, view.classes, numeric, equal, view.budget.silent
    )
    found = view.fold(asking)
    if not found.rows:
        raise NotApplicable(f"no released row shows {view.secret!r}")
    distances = np.where(found.distances == FAR, -1, found.distances)
    return NearestRows(found.counts, distances.astype(np.float64))


FAR = np.iinfo(np.int64).max
"""Where no row was met."""


@dataclass(frozen=True, eq=False)
class NearestCounts:
    """For each target in how few keys a row differs, and how many such rows show each class; rows that show any."""

    distances: Ints
    counts: Ints
    rows: int


@dataclass(frozen=True, eq=False)
class NearestByKeysPass:
    """Pass: the rows that differ from targets in fewest keys, by class; numbers are cut by everybody who is known."""

    targets: Table
    known: Table
    secret: str
    classes: tuple[int, ...]
    numeric: NumericKeys
    equal: bool
    budget: Budget

    def partial(self, rows: Table, before: int, hint: Floats | None) -> NearestCounts:
        """Search a chunk."""
        secrets = rows.column(self.secret).astype(np.int64)
        usable = np.flatnonzero(np.isin(secrets, self.classes))
        labels = np.searchsorted(self.classes, secrets[usable])
        if not len(labels):
            nothing = np.zeros((len(self.targets), len(self.classes)), np.int64)
            return NearestCounts(np.full(len(self.targets), FAR), nothing, 0)
        shown = rows.project(column.name for column in self.known.schema.used).take(usable)
        asked = self.targets if self.numeric == "exact" else stack_tables([self.known, self.targets])
        mine, others = (np.stack(side) for side in key_codes(asked, shown, self.numeric))
        keys = mine[:, len(asked) - len(self.targets) :], others
        counts, distances = nearest_labels(keys, labels, len(self.classes), self.budget, equal=self.equal)
        return NearestCounts(np.where(distances < 0, FAR, distances), counts, len(labels))

    def merge(self, first: NearestCounts, second: NearestCounts) -> NearestCounts:
        """Take the nearer rows; those that are equally near are counted together."""
        nearest = np.minimum(first.distances, second.distances)
        counts = sum(each.counts * (each.distances == nearest)[:, None] for each in (first, second))
        return NearestCounts(nearest, np.asarray(counts), first.rows + second.rows)

    def hint(self, state: NearestCounts) -> Floats | None:
        """Say nothing."""
        return None


def nearest_by_distance(view: AttributeView, neighbours: int) -> NearestRows:
    """Find the rows nearest in the distance space of the known columns, so many and all that tie with the last."""
    if view.in_chunks:
        found, groups = _shown_by_nearest(view, neighbours)
        counts = found.shown[0].dense(max(view.classes) + 1)[:, list(view.classes)]
        return NearestRows(counts[groups], found.distances[groups])
    known, labels = view.labelled_rows()
    _refuse_nothing(labels, view)
    near = all_nearest(points(view.known.take(view.targets)), points(known), view.budget, neighbours)
    shape = near.links.shape[1], len(view.classes)
    by_group = sparse.csr_array((np.ones(len(labels), np.int64), (near.column_groups, labels)), shape=shape)
    return NearestRows((near.links @ by_group).toarray()[near.row_groups], near.distances)


def nearest_numbers(view: AttributeView, neighbours: int, tolerance: float) -> NearestNumbers:
    """Find the rows nearest in the distance space, and what number they have."""
    if view.in_chunks:
        found, groups = _shown_by_nearest(view, neighbours)
        told = [_told(*each, tolerance) for each in found.shown[0].numbers()]
        middles, near_to_it = (np.array(each)[groups] for each in zip(*told, strict=True))
        return NearestNumbers(middles, near_to_it, found.distances[groups])
    released = view.whole_release()
    numbers = released.column(view.secret).astype(np.float64)
    there = np.flatnonzero(~np.isnan(numbers))
    _refuse_nothing(there, view)
    known = released.project(column.name for column in view.known.schema.used).take(there)
    near = all_nearest(points(view.known.take(view.targets)), points(known), view.budget, neighbours)
    medians, agreeing = [], []
    for values in near.values_by_group(numbers[there]):
        medians.append(median_of_known(values))
        agreeing.append(np.mean(np.abs(values - medians[-1]) <= tolerance * np.abs(medians[-1])))
    groups = near.row_groups
    return NearestNumbers(np.array(medians)[groups], np.array(agreeing)[groups], near.distances)


def _shown_by_nearest(view: AttributeView, neighbours: int) -> tuple[ShownByNearest, Ints]:
    """Go through a release in chunks once for different people; tell which of them each target is."""
    if neighbours > 1:
        raise NotApplicable("the few nearest rows are not counted in a release that is read in chunks")
    targets = view.known.take(view.targets)
    _, first, groups = np.unique(row_numbers(targets), return_index=True, return_inverse=True)
    names = tuple(column.name for column in targets.schema.used)
    people = points(targets.take(first))
    asking = ShownByNearestPass(people, names, (view.secret,), view.classes, not view.classes, view.budget.silent)
    found = view.fold(asking)
    if not found.rows:
        raise NotApplicable(f"no released row shows {view.secret!r}")
    return found, groups


def _told(numbers: Floats, counts: Ints, tolerance: float) -> tuple[float, float]:
    """Give the median of numbers, and the share of them that is near to it."""
    middle = median_of_counts(numbers, counts)
    near = np.abs(numbers - middle) <= tolerance * np.abs(middle)
    return middle, float(counts[near].sum() / counts.sum())


def _refuse_nothing(labels: Ints, view: AttributeView) -> None:
    if not len(labels):
        raise NotApplicable(f"no released row shows {view.secret!r}")
