"""From a plan to all of its cells, on the tables as they are now."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from seethrough.data.schema import Schema
from seethrough.data.table import Table
from seethrough.errors import ConfigError
from seethrough.study.cells.cell import CellGroup, refuse_twins
from seethrough.study.cells.results import FULL
from seethrough.study.plan.plan import Plan
from seethrough.study.plan.tables import Loaded, load

MOST_CELLS = 1_000_000
"""A plan that asks for more is a slip, and to list them would take minutes and all memory."""


@dataclass(frozen=True, eq=False)
class Study:
    """A plan with its tables and cells."""

    plan: Plan
    data: Mapping[str, Loaded]
    groups: tuple[CellGroup, ...]
    notes: tuple[str, ...]

    @property
    def size(self) -> int:
        """How many cells there are."""
        return sum(len(group.cells) for group in self.groups)

    @cached_property
    def group_of(self) -> dict[str, CellGroup]:
        """Find the group of a cell by its key."""
        return {cell.key: group for group in self.groups for cell in group.cells}

    @property
    def digests(self) -> dict[str, str]:
        """What identifies each table."""
        return {name: loaded.digest for name, loaded in self.data.items()}


def expand(plan: Plan) -> Study:
    """Read the tables and list all cells; refuse a plan that cannot be computed as it is written."""
    data, notes = _loaded(plan)
    groups: list[CellGroup] = []
    cells = 0
    for group in _groups(plan, data):
        cells += len(group.cells)
        if cells > MOST_CELLS:
            raise ConfigError(f"{plan.where} it asks for more than {MOST_CELLS:,} cells; ask for fewer runs or games")
        groups.append(group)
    refuse_twins(groups)
    if not groups:
        raise ConfigError(f"{plan.where} nothing is left to compute: {'; '.join(notes)}")
    return Study(plan, data, tuple(groups), tuple(notes))


def _groups(plan: Plan, data: Mapping[str, Loaded]) -> Iterator[CellGroup]:
    for part in plan.parts:
        if not part.data:
            yield from part.groups("", "", Table(Schema(()), ()), plan.seed)
        for name in part.data:
            if name in data:
                yield from part.groups(name, data[name].digest, data[name].table, plan.seed)


def _loaded(plan: Plan) -> tuple[dict[str, Loaded], list[str]]:
    """Read the tables that parts name; the small form does without a table that the user has to name."""
    used = {name for part in plan.parts for name in part.data}
    data: dict[str, Loaded] = {}
    notes: list[str] = []
    for source in plan.data:
        if source.name not in used:
            continue
        chosen = source if source.is_named or plan.form == FULL else source.fallback
        if chosen is not None and chosen.is_named:
            data[source.name] = load(chosen)
            notes += [f"data {source.name}: {note}" for note in data[source.name].notes]
        elif plan.form == FULL:
            what = f" ({source.about})" if source.about else ""
            raise ConfigError(f"{source.where} has no file{what}; name one with --data {source.name}=FILE")
        else:
            notes.append(f"data {source.name} is left out; name a file with --data {source.name}=FILE")
    return data, notes
