"""Cells of the battery: what every attack finds in one release, and how long it takes.

    [[battery]]
    data = ["acs", "adult"]     # tables that people are drawn from, anew for every release
    members = 1000
    outside = 1000
    releases = 10               # of each generator, on each table
    synthesizers = ["baynet", "privbayes:epsilon=1"]
    keep = "battery-releases"   # a folder, in which releases are kept to be read again; optional

    [[battery]]
    data = ["midst-1", "midst-2"]   # folders, each with the files members, outside and synthetic
    made_by = "tabddpm"         # what made these releases, as results call it
    called = "midst"            # what results call the table; the name of the data where nothing is said

Both take `attacks`: "all", which they have where nothing is said, or a preset; and `permutations`. A cell is a release.
Its value is the leak that decides the verdict, 0 where none could be tested; `attacks` of its result is a list in JSON.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from seethrough.auditing.evidence.assess import EvidenceRules, assess
from seethrough.auditing.evidence.pool import FEWEST_OUTSIDE
from seethrough.data.table import Table
from seethrough.errors import ConfigError
from seethrough.kernels.budget import Budget
from seethrough.kernels.statistics.permutation import PERMUTATIONS
from seethrough.plugins import catalog
from seethrough.seeds import stream
from seethrough.study.cells.capture import CellValue, capture
from seethrough.study.cells.cell import Cell, CellGroup, Result, canonical, keys_of
from seethrough.study.cells.release_parts import take_parts
from seethrough.study.cells.worker_cache import WorkerCache
from seethrough.study.kinds.battery.releases import deal, release_of
from seethrough.study.kinds.evidence_attacks import (
    ALL,
    PRESETS,
    arsenal_of,
    attack_names,
    describe_attacks,
    one_of,
)
from seethrough.study.reading.choices import Choice, choices
from seethrough.study.reading.fields import Fields, at

VERSION = 1
"""Grows whenever the same release may give another number."""
_COMMON = "data", "attacks", "permutations"


@dataclass(frozen=True)
class AttackRules:
    """Which attacks, and how many permutations test them."""

    attacks: str
    permutations: int

    def deciding(self, digest: str, table: Table, seed: int) -> dict[str, Any]:
        """Give what decides every cell of a table."""
        roles = {"secrets": table.schema.secrets, "keys": table.schema.keys, "attacks": attack_names(self.attacks)}
        shared = {"data": digest, "seed": seed, "permutations": self.permutations}
        return {"kind": "battery", "version": VERSION, **shared, **roles}


@dataclass(frozen=True)
class MadeReleases:
    """One [[battery]] whose releases generators make."""

    where: str
    data: tuple[str, ...]
    members: int
    outside: int
    releases: int
    synthesizers: tuple[Choice, ...]
    keep: str
    rules: AttackRules

    @property
    def described(self) -> str:
        """Say how much is asked for."""
        people = f"{self.members} members and {self.outside} people outside, {', '.join(self.data)}"
        return f"all attacks on {self.releases} releases of each of {len(self.synthesizers)} generators: {people}"

    def groups(self, name: str, digest: str, table: Table, seed: int) -> Iterator[CellGroup]:
        """Expand into one group of one cell for each release."""
        if (needed := self.members + self.outside) > len(table):
            raise ConfigError(f"{self.where}.members: {needed} people are needed; {name} has {len(table)} records")
        deciding = self.rules.deciding(digest, table, seed)
        for number in range(self.releases):
            for choice in self.synthesizers:
                own = {"members": self.members, "outside": self.outside, "number": number}
                made_by = {"label": choice.label, **choice.identity}
                (key,) = keys_of({**deciding, **own, "synthesizer": made_by}, [canonical({})])
                cell = Cell(key, choice.label, self.members, number, "release", "battery", {})
                told = {"data": digest, "seed": seed, "attacks": self.rules.attacks, "keep": self.keep}
                message = {**told, **own, "permutations": self.rules.permutations, "synthesizer": choice.message()}
                yield CellGroup("battery", name, self.where, message, (cell,), choice.extra, unit="members")


@dataclass(frozen=True)
class GivenReleases:
    """One [[battery]] whose releases come as files, one a name of data."""

    where: str
    data: tuple[str, ...]
    made_by: str
    called: str
    rules: AttackRules

    @property
    def described(self) -> str:
        """Say how much is asked for."""
        return f"all attacks on {len(self.data)} releases of {self.made_by} in files: {', '.join(self.data)}"

    def groups(self, name: str, digest: str, table: Table, seed: int) -> Iterator[CellGroup]:
        """Give the one group of one cell."""
        with at(f"{self.where}.data, {name}"):
            members, outside, _ = take_parts(table)
        number, deciding = self.data.index(name), self.rules.deciding(digest, table, seed)
        own = {"files": name, "made_by": self.made_by, "number": number}
        (key,) = keys_of({**deciding, **own}, [canonical({})])
        cell = Cell(key, self.made_by, len(members), number, "release", "battery", {})
        sizes = {"members": len(members), "outside": len(outside), "permutations": self.rules.permutations}
        message = {"data": digest, "seed": seed, "number": number, "attacks": self.rules.attacks, **sizes}
        yield CellGroup("battery", self.called or name, self.where, message, (cell,), unit="members")


def read(fields: Fields) -> MadeReleases | GivenReleases:
    """Read one [[battery]]."""
    attacks = one_of((fields.text("attacks", ALL),), (ALL, *PRESETS), fields.place("attacks"))[0]
    rules = AttackRules(attacks, fields.count("permutations", PERMUTATIONS, least=99))
    if "made_by" in fields.values:
        fields.only(*_COMMON, "made_by", "called")
        called = fields.text("called", "")
        return GivenReleases(fields.where, fields.texts("data"), fields.text("made_by"), called, rules)
    fields.only(*_COMMON, "members", "outside", "releases", "synthesizers", "keep")
    return MadeReleases(
        fields.where,
        fields.texts("data"),
        fields.count("members", least=FEWEST_OUTSIDE),
        fields.count("outside", least=FEWEST_OUTSIDE),
        fields.count("releases"),
        choices(fields, "synthesizers", catalog.build_synthesizer),
        fields.text("keep", ""),
        rules,
    )


def compute(task: Mapping[str, Any], cache: WorkerCache, memory: int) -> Iterator[Result]:
    """Make or read the release and run all attacks on it."""
    for cell in task["cells"]:
        yield capture(cell["key"], partial(_attacked, task, cache, memory))


def _attacked(task: Mapping[str, Any], cache: WorkerCache, memory: int) -> CellValue:
    tables = _tables(task, cache)
    rules = EvidenceRules(
        int(stream(task["seed"], f"attacks {task['number']}").integers(1 << 32)),
        permutations=task["permutations"],
        figures=False,
    )
    found = assess(tables, arsenal_of(task["attacks"]), rules, Budget(memory, 1)).evidence
    worst = max(found.findings, key=lambda finding: (finding.grade, finding.lower or 0.0))
    return 0.0 if worst.leak is None else worst.leak.value, {"outside": task["outside"], **describe_attacks(found)}


def _tables(task: Mapping[str, Any], cache: WorkerCache) -> tuple[Table, Table, Table]:
    table = cache.table(task["data"])
    if "synthesizer" not in task:
        return take_parts(table)
    members, outside = deal(table, task)
    return members, outside, release_of(members, task)
