"""Cells of checks: what each check measures on a release of a synthesizer, in several runs.

    [[metrics]]
    data = "people"             # or a list
    rows = 5000                 # records that releases are made from, drawn once for all runs
    holdout = 2000              # records kept out, for checks that ask for some; 0 is none
    sizes = [5000]              # rows of the releases; as many as `rows` where none are given
    runs = 3
    synthesizers = ["real", "privbayes:epsilon=1"]
    checks = ["gcap", "dcr:dimensions=3"]       # all where none are given
    evidence = "full"           # members against those kept out, with these attacks ("all", "full", "fast"); optional

A group is one run of one synthesizer: fitted once, sampled once at the largest size. Controls are not measured.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from seethrough.auditing.evidence.assess import EvidenceRules, assess
from seethrough.auditing.evidence.pool import FEWEST_OUTSIDE
from seethrough.auditing.measuring import measure
from seethrough.bench.bench import Bench
from seethrough.data.release import Part as Place
from seethrough.data.table import Table
from seethrough.errors import ConfigError, NotApplicable
from seethrough.kernels.budget import Budget
from seethrough.plugins import catalog
from seethrough.protocols.check import Check
from seethrough.protocols.parameters import stream_name
from seethrough.protocols.synthesizer import draw_rows
from seethrough.results.card import Need
from seethrough.results.evidence import Grade
from seethrough.seeds import stream
from seethrough.study.cells.capture import CellValue, capture
from seethrough.study.cells.cell import Cell, CellGroup, Result, canonical, keys_of
from seethrough.study.cells.worker_cache import WorkerCache
from seethrough.study.kinds.evidence_attacks import ALL, PRESETS, arsenal_of, attack_names, describe_attacks, one_of
from seethrough.study.reading.choices import Choice, choices
from seethrough.study.reading.fields import Fields

VERSION = 2
"""Grows whenever the same run may give another number."""
CHECK, EVIDENCE = "check", "evidence"
"""What a cell is."""
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
    evidence: str

    @property
    def described(self) -> str:
        """Say how much is asked for."""
        labels = ", ".join(choice.label for choice in self.synthesizers)
        asked = f"{len(self.checks)} checks{' and the evidence' if self.evidence else ''}"
        return f"{asked}, {self.runs} runs of {self.rows:,} rows, {', '.join(self.data)}: {labels}"

    def groups(self, name: str, digest: str, table: Table, seed: int) -> Iterator[CellGroup]:
        """Expand into one group for each run and synthesizer."""
        if self.rows + self.holdout > len(table):
            asking = f"{self.rows} rows and {self.holdout} kept out"
            raise ConfigError(f"{self.where}.rows: {asking} are more than the {len(table)} records of {name}")
        shared = {"data": digest, "rows": self.rows, "holdout": self.holdout, "seed": seed, "drawn": max(self.sizes)}
        roles = {"secrets": table.schema.secrets, "keys": table.schema.keys, "version": VERSION}
        asked = [each for size in self.sizes for each in self._asked(size)]
        for number in range(self.runs):
            for choice in self.synthesizers:
                yield self._group(name, {**shared, "number": number}, roles, choice, asked)

    def _asked(self, size: int) -> Iterator["_AskedOfRelease"]:
        """List what is asked of a release of one size: the checks, and the evidence."""
        for check in self.checks:
            deciding = canonical({"size": size, "check": check.identity})
            yield _AskedOfRelease(size, CHECK, check.label, deciding, {"check": check.message()})
        if self.evidence:
            deciding = canonical({"size": size, "evidence": attack_names(self.evidence)})
            yield _AskedOfRelease(size, EVIDENCE, EVIDENCE, deciding, {"attacks": self.evidence})

    def _group(
        self, data: str, shared: dict[str, Any], roles: dict[str, Any], choice: Choice, asked: list["_AskedOfRelease"]
    ) -> CellGroup:
        whole = {"kind": "metrics", **shared, **roles, "synthesizer": {"label": choice.label, **choice.identity}}
        keys = keys_of(whole, (each.deciding for each in asked))
        cells = tuple(
            Cell(key, choice.label, each.size, shared["number"], each.what, each.name, each.message)
            for key, each in zip(keys, asked, strict=True)
        )
        return CellGroup("metrics", data, self.where, {**shared, "synthesizer": choice.message()}, cells, choice.extra)


@dataclass(frozen=True)
class _AskedOfRelease:
    """What is asked of a release: a check or the evidence, what decides the result, and what a worker is told."""

    size: int
    what: str
    name: str
    deciding: bytes
    message: Mapping[str, Any]


def read(fields: Fields) -> Metrics:
    """Read one [[metrics]]."""
    fields.only("data", "rows", "holdout", "sizes", "runs", "synthesizers", "checks", "evidence")
    rows, holdout = fields.count("rows", least=2), fields.count("holdout", 0, least=0)
    evidence = fields.text("evidence", "")
    if evidence:
        one_of((evidence,), (ALL, *PRESETS), fields.place("evidence"))
        if min(rows, holdout) < FEWEST_OUTSIDE:
            asked = f"the evidence needs at least {FEWEST_OUTSIDE} rows, and as many kept out"
            raise ConfigError(f"{fields.place('holdout')} is {holdout}; {asked}")
    return Metrics(
        fields.where,
        fields.texts("data"),
        rows,
        holdout,
        fields.counts("sizes", (rows,)),
        fields.count("runs", 3),
        choices(fields, "synthesizers", catalog.build_synthesizer),
        choices(fields, "checks", catalog.build_check, tuple(catalog.load())),
        evidence,
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
        work = _attacked if cell["what"] == EVIDENCE else _measured
        yield capture(cell["key"], partial(work, task, cell, benches[size]))


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


def _attacked(task: Mapping[str, Any], cell: Mapping[str, Any], bench: Bench[Place]) -> CellValue:
    """Hold members against those kept out; the value is how large a leak is at least, 0 where none was found."""
    tables = bench.table(Place.TRAIN), bench.table(Place.HOLDOUT), bench.table(Place.SYNTHETIC)
    rules = EvidenceRules(int(stream(task["seed"], f"attacks {task['number']}").integers(1 << 32)), figures=False)
    found = assess(tables, arsenal_of(cell["attacks"]), rules, bench.budget).evidence
    if found.verdict.grade is Grade.CANNOT_TELL:
        raise NotApplicable(found.verdict.sentence)
    shown = [max(finding.lower or 0.0, 0.0) for finding in found.findings if finding.grade.is_leak]
    return max(shown, default=0.0), {"outside": len(tables[1]), **describe_attacks(found)}
