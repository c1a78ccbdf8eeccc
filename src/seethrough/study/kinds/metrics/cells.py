"""Cells of checks: what each check measures on a release of a synthesizer, in several runs.

    [[metrics]]
    data = "people"             # or a list
    rows = 5000                 # records that releases are made from, drawn once for all runs
    holdout = 2000              # records kept out, for checks that ask for some; 0 is none
    sizes = [5000]              # rows of the releases; as many as `rows` where none are given
    runs = 3
    synthesizers = ["real", "privbayes:epsilon=1"]
    checks = ["gcap", "dcr:dimensions=3"]       # all where none are given

A group is one run of one synthesizer: fitted once, sampled once at the largest size. Controls are not measured.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from seethrough.auditing.measuring import measure
from seethrough.bench.bench import Bench
from seethrough.data.release import Part as Place
from seethrough.data.table import Table
from seethrough.errors import ConfigError
from seethrough.kernels.budget import Budget
from seethrough.plugins import catalog
from seethrough.protocols.check import Check
from seethrough.protocols.parameters import stream_name
from seethrough.protocols.synthesizer import draw_rows
from seethrough.results.card import Need
from seethrough.seeds import stream
from seethrough.study.cells.capture import CellValue, capture
from seethrough.study.cells.cell import Cell, CellGroup, Result, canonical, keys_of
from seethrough.study.cells.worker_cache import WorkerCache
from seethrough.study.reading.choices import Choice, choices
from seethrough.study.reading.fields import Fields

VERSION = 2
"""Grows whenever the same run may give another number."""
AS_IT_IS = "real"
"""The synthesizer whose release is the real table; a check that rests on the order of rows sees it in that order."""


@dataclass(frozen=True, eq=False)
class Metrics:
    """One [[metrics]] of a plan."""

    where: str
    data: tuple[str, ...]
    rows: int
    holdout: int
    sizes: tuple[int, ...]
    runs: int
    synthesizers: tuple[Choice, ...]
    checks: tuple[Choice, ...]

    @property
    def described(self) -> str:
        """Say how much is asked for."""
        labels = ", ".join(choice.label for choice in self.synthesizers)
        return f"{len(self.checks)} checks, {self.runs} runs of {self.rows:,} rows, {', '.join(self.data)}: {labels}"

    def groups(self, name: str, digest: str, table: Table, seed: int) -> Iterator[CellGroup]:
        """Expand into one group for each run and synthesizer."""
        if self.rows + self.holdout > len(table):
            asking = f"{self.rows} rows and {self.holdout} kept out"
            raise ConfigError(f"{self.where}.rows: {asking} are more than the {len(table)} records of {name}")
        shared = {"data": digest, "rows": self.rows, "holdout": self.holdout, "seed": seed, "drawn": max(self.sizes)}
        roles = {"secrets": table.schema.secrets, "keys": table.schema.keys, "version": VERSION}
        asked = [
            (size, check, canonical({"size": size, "check": check.identity}))
            for size in self.sizes
            for check in self.checks
        ]
        for number in range(self.runs):
            for choice in self.synthesizers:
                yield self._group(name, {**shared, "number": number}, roles, choice, asked)

    def _group(
        self,
        data: str,
        shared: dict[str, Any],
        roles: dict[str, Any],
        choice: Choice,
        asked: list[tuple[int, Choice, bytes]],
    ) -> CellGroup:
        whole = {"kind": "metrics", **shared, **roles, "synthesizer": {"label": choice.label, **choice.identity}}
        keys = keys_of(whole, (deciding for _, _, deciding in asked))
        cells = tuple(
            Cell(key, choice.label, size, shared["number"], "check", check.label, {"check": check.message()})
            for key, (size, check, _) in zip(keys, asked, strict=True)
        )
        return CellGroup("metrics", data, self.where, {**shared, "synthesizer": choice.message()}, cells, choice.extra)


def read(fields: Fields) -> Metrics:
    """Read one [[metrics]]."""
    fields.only("data", "rows", "holdout", "sizes", "runs", "synthesizers", "checks")
    rows = fields.count("rows", least=2)
    return Metrics(
        fields.where,
        fields.texts("data"),
        rows,
        fields.count("holdout", 0, least=0),
        fields.counts("sizes", (rows,)),
        fields.count("runs", 3),
        choices(fields, "synthesizers", catalog.build_synthesizer),
        choices(fields, "checks", catalog.build_check, tuple(catalog.load())),
    )


def compute(task: Mapping[str, Any], cache: WorkerCache, memory: int) -> Iterator[Result]:
    """Make one release, at its largest size and cut down, and measure every check on it."""
    parts = _split(task, cache)
    rng = stream(task["seed"], f"run {task['number']} {task['synthesizer']['label']}")
    made = catalog.build_synthesizer(task["synthesizer"]["name"], task["synthesizer"]["params"])
    largest = draw_rows(made.fit(parts[Place.TRAIN], rng), task["drawn"], rng).table
    order = rng.permutation(len(largest))
    benches: dict[int, Bench[Place]] = {}
    for cell in task["cells"]:
        size = cell["size"]
        if size not in benches:
            released = largest if size == len(largest) else largest.take(order[:size])
            benches[size] = Bench({**parts, Place.SYNTHETIC: released}, Budget(memory, 1))
        yield capture(cell["key"], partial(_measured, task, cell, benches[size]))


def _split(task: Mapping[str, Any], cache: WorkerCache) -> dict[Place, Table]:
    """Draw the records that releases are made from, and those kept out; the same in every run."""
    rows, holdout = task["rows"], task["holdout"]

    def split() -> dict[Place, Table]:
        table = cache.table(task["data"])
        order = stream(task["seed"], "split").permutation(len(table))[: rows + holdout]
        kept_out = {Place.HOLDOUT: table.take(order[rows:])} if holdout else {}
        return {Place.TRAIN: table.take(order[:rows]), **kept_out}

    return cache.keep(("split", task["data"], rows, holdout, task["seed"]), split)


def _measured(task: Mapping[str, Any], cell: Mapping[str, Any], bench: Bench[Place]) -> CellValue:
    check: Check = catalog.build_check(cell["check"]["name"], cell["check"]["params"])
    train = bench.table(Place.TRAIN)
    if task["synthesizer"]["name"] == AS_IT_IS and Need.ORIGIN in check.card.needs and cell["size"] == len(train):
        bench = bench.with_table(Place.SYNTHETIC, train)
    found = measure(check, bench, stream(task["seed"], f"run {task['number']} {stream_name(check)}"))
    return found.risk.value, {
        "risk": found.risk.value,
        "low": found.risk.low,
        "high": found.risk.high,
        "raw": found.raw,
        "n": found.n,
        "base_rate": found.base_rate,
    }
