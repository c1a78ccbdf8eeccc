"""Rank-based record linkage by an attacker of maximum knowledge.

O and S are the matrices of average ranks of the real and the released table, column by column; the distance of a real
record i and a released row l is d_il = criterion over known columns of |o_ij - s_lj|. All rows that attain the minimum
are linked to i. Of a hidden column the attacker reads off what stands in the linked rows: a number of rank k stands
for the real value of rank k (reverse mapping); categories, missing values, and tied numbers that the real table has,
stand for themselves.

What it sees
------------
Releases in which the ranks of several columns still belong together, as in copies with noise.

What it misses
--------------
Releases whose columns were permuted on their own, and categories without an order that means something.

References
----------
Ruiz, Muralidhar, Domingo-Ferrer 2018, On the Privacy Guarantees of Synthetic Data: A Reassessment from the
Maximum-Knowledge Attacker Perspective, section 3.2.

Deviations
----------
The paper has columns without ties. Here ties have their average rank, and ranks found are those of the real table. Tied
numbers have no rank of their own: read by the middle one, the ages of a release would be off by a year in whole groups,
now up and now down, with the rows that were drawn.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Literal

import numpy as np
from scipy import sparse

from seethrough.kernels.arrays import Ints
from seethrough.kernels.neighbours.all_nearest import Nearest
from seethrough.kernels.ranks.criteria import Criterion, nearest_by, nearest_in_one
from seethrough.kernels.ranks.linkage import nearest_by_ranks, nearest_by_ranks_in_turn
from seethrough.kernels.ranks.scale import RankScale, doubled_ranks
from seethrough.protocols.in_audits import InAudits
from seethrough.protocols.linkage import Found, LinkageView, Linked, LinkedRows


@dataclass(frozen=True)
class MaximumKnowledge:
    """Links by the sum, the largest or the smallest of rank differences."""

    name: ClassVar[str] = "linkage"
    title: ClassVar[str] = "Linkage by ranks"
    in_audits: ClassVar[InAudits] = InAudits("Linkage by ranks", ("doi:10.1007/978-3-319-99771-1_5",))
    criterion: Literal["sum", "max", "min"] = "sum"

    @property
    def criterion_name(self) -> str:
        """Say how differences of ranks are made one distance."""
        return self.criterion

    def link(self, view: LinkageView) -> Linked:
        """Link the targets to released rows."""
        mine, others = _ranks(view)
        if self.criterion == "min":
            return _read(view, nearest_in_one(mine, others, view.budget))
        return _read(view, nearest_by_ranks(mine, others, view.budget, largest=self.criterion == "max"))

    def link_in_turn(self, views: Sequence[LinkageView]) -> Iterator[Linked]:
        """Link the targets of each view; where sums of differences are compared one pass serves all views."""
        if self.criterion != "sum" or len(views) == 1:
            yield from map(self.link, views)
            return
        knowing = {column.name: view for view in views for column in view.known.schema.used}
        mine, others = _ranks_of(knowing, views[0].targets)
        known = [{column.name for column in view.known.schema.used} for view in views]
        left_out = [np.array([at for at, name in enumerate(knowing) if name not in some], int) for some in known]
        nearest = nearest_by_ranks_in_turn(mine, others, left_out, views[0].budget)
        yield from map(_read, views, nearest)

    def prepare_linking(self, view: LinkageView) -> "RankedTables":
        """Rank the tables of a view, so that people are linked one by one."""
        everybody = replace(view, targets=np.arange(len(view.known)))
        places = {name: _places(view, name, scale) for name, scale in view.scales.items()}
        return RankedTables(*_ranks(everybody), places, self.criterion)


@dataclass(frozen=True, eq=False)
class RankedTables:
    """Doubled ranks of the known columns in both tables, and the places of the hidden values in the released one."""

    known: Ints
    released: Ints
    places: Mapping[str, Ints]
    criterion: Literal["sum", "max", "min"]

    def link_one(self, row: int) -> LinkedRows:
        """Compare one person with all released rows."""
        apart = np.abs(self.released - self.known[row])
        far = {"sum": apart.sum, "max": apart.max, "min": apart.min}[self.criterion](axis=1)
        rows = np.flatnonzero(far == far.min())
        return LinkedRows(rows, float(far.min()) / 2, {name: places[rows] for name, places in self.places.items()})


@dataclass(frozen=True)
class SuppliedCriterion:
    """Links by a function that makes distances (a x b) of absolute rank differences (a x b x columns)."""

    name: ClassVar[str] = "linkage"
    function: Criterion

    @property
    def criterion_name(self) -> str:
        """Say how differences of ranks are made one distance."""
        return str(getattr(self.function, "__name__", "supplied"))

    def link(self, view: LinkageView) -> Linked:
        """Link the targets to released rows."""
        return _read(view, nearest_by(self.function, *_ranks(view), view.budget))


def _ranks(view: LinkageView) -> tuple[Ints, Ints]:
    """Rank both tables, doubled; of the real one only the targets are searched for."""
    return _ranks_of({column.name: view for column in view.known.schema.used}, view.targets)


def _ranks_of(knowing: Mapping[str, LinkageView], targets: Ints) -> tuple[Ints, Ints]:
    """Do the same by columns, each as a view that knows it shows it."""
    columns = [
        (view.orders[name], view.known.column(name), view.released.column(name)) for name, view in knowing.items()
    ]
    known = np.column_stack([doubled_ranks(order.keys(mine)) for order, mine, _ in columns])
    return known[targets], np.column_stack([doubled_ranks(order.keys(others)) for order, _, others in columns])


def _read(view: LinkageView, nearest: Nearest) -> Linked:
    """Read the hidden columns off the linked rows."""
    found = {}
    for name, scale in view.scales.items():
        places = _places(view, name, scale)
        shape = nearest.links.shape[1], len(scale.keys) + 1
        shown = sparse.csr_array((np.ones(len(places), np.int64), (nearest.column_groups, places)), shape=shape)
        counts = (nearest.links @ shown).tocsr()
        counts.sum_duplicates()
        counts.sort_indices()
        found[name] = Found(nearest.row_groups, counts, scale)
    return Linked(nearest, found)


def _places(view: LinkageView, name: str, scale: RankScale) -> Ints:
    keys = view.orders[name].keys(view.released.column(name))
    return scale.places(keys) if view.orders[name].column.kind.has_levels else scale.mapped_places(keys)
