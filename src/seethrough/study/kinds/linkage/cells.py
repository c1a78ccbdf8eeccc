"""Cells of the linkage experiment: what several synthetic tables disclose together, by how close they are.

    [[linkage]]
    records = 20                # real records, drawn anew in every run
    files = [1, 2, 3, 5]        # how many synthetic tables the attacker has, M
    levels = ["1", "2", "3", "1+2+3"]   # closeness of these tables; "1+2+3" goes through the levels in turn
    secret = ["X1", "X3"]       # what the attacker does not know: each of X1, X2, X3 in turn
    criterion = "sum"           # or "max", "min"
    narrow = 0.25               # share of all ranks up to which an interval counts as narrow
    runs = 100

The tables are those of Ruiz et al. 2018, section 4 (docs/attacks/linkage.md); a plan needs no data for them. A group is
one run of one closeness and one hidden column: the tables are drawn and linked once, and the first M of them put
together. Beside each release stands the same with every column of it permuted by itself, which discloses nobody.
"""

import functools
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal, get_args

import numpy as np

from seethrough.attacks.linkage.maximum_knowledge import MaximumKnowledge
from seethrough.data.schema import Column, Kind, Schema
from seethrough.data.table import Table
from seethrough.errors import ConfigError, suggest_names
from seethrough.games.linkage.closeness_experiment import NAMES, Columns, closeness_tables
from seethrough.games.linkage.rank_intervals import LinkageAnswer, combine_answers
from seethrough.games.linkage.scoring import quantities
from seethrough.games.linkage.subject import LinkageSubject, compare_with_truth, linkage_subject, permute_columns
from seethrough.kernels.budget import Budget
from seethrough.seeds import stream
from seethrough.study.cells.capture import CellValue, capture
from seethrough.study.cells.cell import Cell, CellGroup, Result, canonical, keys_of
from seethrough.study.cells.worker_cache import WorkerCache
from seethrough.study.reading.fields import Fields

VERSION = 1
"""Grows whenever the same run may give another number."""
CRITERION, NARROW = "sum", 0.25
"""The rules of the paper, and of a plan that says nothing."""
RELEASE, PERMUTED = "release", "permuted"
SHARES = {
    "any": "any_exact",
    "all": "all_exact",
    "right": "right",
    "narrow and right": "narrow_right",
    "confused": "confused",
    "width": "width",
}
"""What a cell has, by the names that the shares have in a linkage."""
Criterion = Literal["sum", "max", "min"]


@dataclass(frozen=True)
class Linkages:
    """One [[linkage]] of a plan."""

    where: str
    records: int
    files: tuple[int, ...]
    levels: tuple[tuple[int, ...], ...]
    secrets: tuple[str, ...]
    criterion: str
    narrow: float
    runs: int
    data: tuple[str, ...] = ()

    @property
    def described(self) -> str:
        """Say how much is asked for."""
        told = ", ".join(map(closeness, self.levels))
        return f"{self.runs:,} runs of {self.records:,} records, up to {max(self.files)} tables: {told}"

    def groups(self, name: str, digest: str, table: Table, seed: int) -> Iterator[CellGroup]:
        """Expand into one group for each run, closeness and hidden column; there is no table to look at."""
        shared = {"records": self.records, "criterion": self.criterion, "narrow": self.narrow, "seed": seed}
        asked = [(size, what) for size in self.files for what in (RELEASE, PERMUTED)]
        deciding = [canonical({"files": size, "what": what}) for size, what in asked]
        for number in range(self.runs):
            for levels in self.levels:
                for hidden in self.secrets:
                    own = {**shared, "number": number, "levels": list(levels), "hidden": hidden}
                    keys = keys_of({"kind": "linkage", "version": VERSION, **own}, deciding)
                    cells = tuple(
                        Cell(key, closeness(levels), size, number, what, hidden, {})
                        for key, (size, what) in zip(keys, asked, strict=True)
                    )
                    yield CellGroup("linkage", self._name(), self.where, own, cells, unit="tables")

    def _name(self) -> str:
        """Name the experiment in the place of a table: runs under other rules must not be put together."""
        rules = [f"criterion {self.criterion}"] if self.criterion != CRITERION else []
        rules += [f"narrow {self.narrow:g}"] if self.narrow != NARROW else []
        return ", ".join([f"{self.records} records", *rules])


def closeness(levels: tuple[int, ...]) -> str:
    """Name the closeness of tables."""
    return f"level {levels[0]}" if len(levels) == 1 else f"levels {', '.join(map(str, levels))} in turn"


def read(fields: Fields) -> Linkages:
    """Read one [[linkage]]."""
    fields.only("records", "files", "levels", "secret", "criterion", "narrow", "runs")
    secrets = fields.texts("secret", ("X3",))
    for name in secrets:
        if name not in NAMES:
            hint = suggest_names(name, NAMES, f"{', '.join(NAMES)} are there")
            raise ConfigError(f"{fields.place('secret')} names {name!r}; {hint}")
    criterion = fields.text("criterion", CRITERION)
    if criterion not in get_args(Criterion):
        raise ConfigError(f"{fields.place('criterion')} is {criterion!r}; one of {', '.join(get_args(Criterion))}")
    return Linkages(
        fields.where,
        fields.count("records", least=2),
        fields.counts("files"),
        tuple(_levels(each, fields.place("levels")) for each in fields.texts("levels", ("1", "2", "3"))),
        secrets,
        criterion,
        _narrow(fields),
        fields.count("runs"),
    )


def _levels(text: str, where: str) -> tuple[int, ...]:
    parts = text.split("+")
    if not all(part in {"1", "2", "3"} for part in parts):
        raise ConfigError(f"{where} has {text!r}; levels from 1 to 3 are expected, as '2', or as '1+2+3' for in turn")
    return tuple(map(int, parts))


def _narrow(fields: Fields) -> float:
    found = fields.values.get("narrow", NARROW)
    if isinstance(found, bool) or not isinstance(found, int | float) or not 0 <= found <= 1:
        raise ConfigError(f"{fields.place('narrow')} is {found!r}; a share between 0 and 1 is expected")
    return float(found)


def compute(task: Mapping[str, Any], cache: WorkerCache, memory: int) -> Iterator[Result]:  # noqa: ARG001  as all kinds
    """Draw the real table and its releases, link to each once, and put the first ones together."""
    run = _dealt(task, max(cell["size"] for cell in task["cells"]), memory)
    answered = functools.cache(run.answer)
    for cell in task["cells"]:
        yield capture(cell["key"], partial(_shares, task, cell, answered))


@dataclass(frozen=True, eq=False)
class _LinkageStudyRun:
    """One run: who is looked for, and the releases with their levels."""

    who: LinkageSubject
    released: tuple[tuple[int, Table], ...]
    criterion: Criterion
    salt: int
    memory: int

    def answer(self, what: str, number: int) -> LinkageAnswer:
        """Link to one release, or to the same with its columns permuted."""
        level, table = self.released[number]
        if what == PERMUTED:
            table = permute_columns(table, stream(self.salt, f"permuted {number} {level}"))
        view = self.who.view(table, Budget(self.memory, 1))
        return compare_with_truth(MaximumKnowledge(self.criterion).link(view), self.who)


def _dealt(task: Mapping[str, Any], files: int, memory: int) -> _LinkageStudyRun:
    """Draw tables; which ones depends on the run, and on the number and the level of each."""
    levels = tuple(task["levels"][number % len(task["levels"])] for number in range(files))
    salt = salt_of(task["seed"], task["number"])
    real, released = closeness_tables(task["records"], levels, salt)
    known = [name for name in NAMES if name != task["hidden"]]
    who = linkage_subject(_table(real), known, [task["hidden"]], np.arange(task["records"]))
    tables = tuple(zip(levels, map(_table, released.values()), strict=True))
    return _LinkageStudyRun(who, tables, task["criterion"], salt, memory)


def salt_of(seed: int, number: int) -> int:
    """Give each run its own seed."""
    return int(stream(seed, f"linkage run {number}").integers(1 << 32))


def _table(columns: Columns) -> Table:
    ends = {name: (float(values.min()), float(values.max())) for name, values in columns.items()}
    schema = Schema(tuple(Column(name, Kind.NUMERIC, low=low, high=high) for name, (low, high) in ends.items()))
    return Table(schema, tuple(columns.values()))


def _shares(
    task: Mapping[str, Any], cell: Mapping[str, Any], answered: Callable[[str, int], LinkageAnswer]
) -> CellValue:
    answers = [answered(cell["what"], number) for number in range(cell["size"])]
    found = quantities(combine_answers(answers, task["narrow"]))
    shares = {own: float(found[name].mean()) for name, own in SHARES.items()}
    return shares["any_exact"], {**shares, "n": task["records"]}
