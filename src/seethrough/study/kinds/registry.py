"""Kinds of parts that a plan may have: one module each, which reads it, expands it into cells and computes those."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Protocol

from seethrough.data.table import Table
from seethrough.study.kinds.games import cells as game_cells
from seethrough.study.kinds.linkage import cells as linkage_cells
from seethrough.study.kinds.metrics import cells as metric_cells
from seethrough.study.plan.fields import Fields
from seethrough.study.run.worker_cache import WorkerCache
from seethrough.study.store.cells import CellGroup, Result


class PlanPart(Protocol):
    """A part of a plan: where it stands, and the data that it names; one without data draws its own."""

    @property
    def where(self) -> str:
        """Name the place in the plan."""
        ...

    @property
    def data(self) -> tuple[str, ...]:
        """Name the tables."""
        ...

    @property
    def described(self) -> str:
        """Say how much is asked for, in a few words."""
        ...

    def groups(self, name: str, digest: str, table: Table, seed: int) -> Iterator[CellGroup]:
        """Expand into groups of cells on one table; on none, without name and columns, for a part that has no data."""
        ...


@dataclass(frozen=True)
class StudyKind:
    """How a kind of part is read, and how one group of its cells is computed."""

    read: Callable[[Fields], PlanPart]
    compute: Callable[[Mapping[str, Any], WorkerCache, int], Iterator[Result]]


KINDS: Mapping[str, StudyKind] = MappingProxyType(
    {
        "games": StudyKind(game_cells.read, game_cells.compute),
        "metrics": StudyKind(metric_cells.read, metric_cells.compute),
        "linkage": StudyKind(linkage_cells.read, linkage_cells.compute),
    }
)
