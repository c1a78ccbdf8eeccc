"""What a kind of experiment is: how its part of a plan is read, its cells computed, drawn and compared.

A kind of this package is a folder beside this file with a module `kind` that has a `KIND`; one of another package is an
entry point of the group "seethrough.study_kinds" that names its `KIND`. Nothing else has to know of it.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from seethrough.data.table import Table
from seethrough.results.figure import Figure
from seethrough.study.cells.cell import CellGroup, Result
from seethrough.study.cells.results import Results
from seethrough.study.cells.worker_cache import WorkerCache
from seethrough.study.kinds.published import PublishedComparison
from seethrough.study.reading.fields import Fields

FigureMaker = Callable[[Results], Figure]


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


def _nothing_published(results: Results) -> Iterable[PublishedComparison]:  # noqa: ARG001  as every comparison
    return ()


@dataclass(frozen=True)
class StudyKind:
    """A kind of experiment: what a plan calls it, [[name]], and how it is done.

    `read` reads one part of a plan. `compute` gives the results of the cells of one task (CellGroup.task), with tables
    from the cache and so many bytes for temporary arrays. `columns` are the entries of a result that become columns of
    the frame, with their Polars types. `figures` are all that can be drawn, by name; `usual_figures` those that a plan
    gets which names none. `compare` holds results against published numbers, and `rule` says in a sentence when these
    count as reproduced.
    """

    name: str
    read: Callable[[Fields], PlanPart]
    compute: Callable[[Mapping[str, Any], WorkerCache, int], Iterator[Result]]
    columns: Mapping[str, Any] = field(default_factory=dict)
    figures: Mapping[str, FigureMaker] = field(default_factory=dict)
    usual_figures: tuple[str, ...] = ()
    compare: Callable[[Results], Iterable[PublishedComparison]] = _nothing_published
    rule: str = ""
