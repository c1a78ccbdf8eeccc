"""Cells of the calibration: what one audit concludes about a release whose leak is known.

    [[calibration]]
    data = ["acs", "adult"]     # tables that people are drawn from, anew for every audit
    sizes = ["1000/300"]        # members / people outside
    releases = ["independent", "copied-5"]      # all kinds where none are named; releases.py says what they are
    audits = 20                 # of each kind of release, on each table at each size
    preset = "full"             # or "fast": without the slow attacks
    permutations = 9999

Members, people outside and as many other people as members are drawn without overlap; the release has as many rows as
there are members. Metrics are not measured. The value of a cell is 1 where the verdict is a leak, else 0.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from seethrough.auditing.evidence.assess import EvidenceRules, assess
from seethrough.auditing.evidence.pool import FEWEST_OUTSIDE
from seethrough.data.table import Table
from seethrough.errors import ConfigError
from seethrough.kernels.budget import Budget
from seethrough.kernels.statistics.permutation import PERMUTATIONS
from seethrough.results.evidence import LeakFamily, ReleaseEvidence
from seethrough.seeds import stream
from seethrough.study.cells.capture import CellValue, capture
from seethrough.study.cells.cell import Cell, CellGroup, Result, canonical, keys_of
from seethrough.study.cells.worker_cache import WorkerCache
from seethrough.study.kinds.calibration.releases import KINDS, MadeRelease, secret_of
from seethrough.study.kinds.evidence_attacks import PRESETS, arsenal_of, attack_names, one_of
from seethrough.study.reading.fields import Fields, at

VERSION = 2
"""Grows whenever the same audit may come to another result."""


@dataclass(frozen=True)
class PoolSize:
    """Members and people outside."""

    members: int
    outside: int

    @property
    def label(self) -> str:
        """Write it as plans do."""
        return f"{self.members}/{self.outside}"


@dataclass(frozen=True)
class Calibration:
    """One [[calibration]] of a plan."""

    where: str
    data: tuple[str, ...]
    sizes: tuple[PoolSize, ...]
    releases: tuple[str, ...]
    audits: int
    preset: str
    permutations: int

    @property
    def described(self) -> str:
        """Say how much is asked for."""
        sizes = ", ".join(size.label for size in self.sizes)
        return f"{self.audits} audits of each of {len(self.releases)} kinds of release, {', '.join(self.data)}: {sizes}"

    def groups(self, name: str, digest: str, table: Table, seed: int) -> Iterator[CellGroup]:
        """Expand into one group of one cell for each audit."""
        self._refuse(name, table)
        rules = {"data": digest, "seed": seed, "preset": self.preset, "permutations": self.permutations}
        roles = {"secrets": table.schema.secrets, "keys": table.schema.keys}
        deciding = {"kind": "calibration", "version": VERSION, **rules, **roles, "attacks": attack_names(self.preset)}
        for number in range(self.audits):
            for size in self.sizes:
                for release in self.releases:
                    own = {"members": size.members, "outside": size.outside, "release": release, "number": number}
                    (key,) = keys_of({**deciding, **own}, [canonical({})])
                    cell = Cell(key, release, size.members, number, "audit", size.label, {})
                    yield CellGroup("calibration", name, self.where, {**rules, **own}, (cell,))

    def _refuse(self, name: str, table: Table) -> None:
        for size in self.sizes:
            if (needed := 2 * size.members + size.outside) > len(table):
                asked = f"{size.label} needs {needed} people, as many others as members among them"
                raise ConfigError(f"{self.where}.sizes: {asked}; {name} has {len(table)} records")
        if any(KINDS[release].needs_secret for release in self.releases):
            with at(f"{self.where}.releases, {name}"):
                secret_of(table)


def read(fields: Fields) -> Calibration:
    """Read one [[calibration]]."""
    fields.only("data", "sizes", "releases", "audits", "preset", "permutations")
    return Calibration(
        fields.where,
        fields.texts("data"),
        tuple(_size(text, fields.place("sizes")) for text in fields.texts("sizes")),
        one_of(fields.texts("releases", tuple(KINDS)), tuple(KINDS), fields.place("releases")),
        fields.count("audits"),
        one_of((fields.text("preset", "full"),), PRESETS, fields.place("preset"))[0],
        fields.count("permutations", PERMUTATIONS, least=99),
    )


def _size(text: str, where: str) -> PoolSize:
    members, _, outside = text.partition("/")
    if not (members.isdigit() and outside.isdigit()) or min(int(members), int(outside)) < FEWEST_OUTSIDE:
        expected = f"members / people outside, as '1000/300', at least {FEWEST_OUTSIDE} of each"
        raise ConfigError(f"{where} has {text!r}; {expected}, are expected")
    return PoolSize(int(members), int(outside))


def compute(task: Mapping[str, Any], cache: WorkerCache, memory: int) -> Iterator[Result]:
    """Draw people, make the release and audit it."""
    for cell in task["cells"]:
        yield capture(cell["key"], partial(_audited, task, cache, memory))


def _audited(task: Mapping[str, Any], cache: WorkerCache, memory: int) -> CellValue:
    table, budget = cache.table(task["data"]), Budget(memory, 1)
    rng = stream(task["seed"], " ".join(str(task[key]) for key in ("release", "members", "outside", "number")))
    ends = np.cumsum([task["members"], task["outside"], task["members"]])
    drawn = rng.permutation(len(table))[: ends[-1]]
    members, outside, others = (table.take(part) for part in np.split(drawn, ends[:-1]))
    made = KINDS[task["release"]].make(members, others, rng, budget)
    rules = EvidenceRules(int(rng.integers(1 << 32)), permutations=task["permutations"], figures=False)
    found = assess((members, outside, made.table), arsenal_of(task["preset"]), rules, budget).evidence
    return float(found.verdict.grade.is_leak), {"outside": task["outside"], **_summary(found), **_listed(found, made)}


def _summary(found: ReleaseEvidence) -> dict[str, Any]:
    """Give grades, p-values and the leak that decided."""
    ps = [attack.p_adjusted for attack in found.attacks if attack.p_adjusted is not None]
    worst = max(found.findings, key=lambda finding: (finding.grade, finding.lower or 0.0))
    told: dict[str, Any] = {
        "grade": found.verdict.grade.value,
        "p_verdict": min(ps, default=None),
        "decided_by": found.verdict.decided_by,
        "leak": None if worst.leak is None else worst.leak.value,
        "population_p": found.population_p,
        "attack_failures": "; ".join(found.failed),
    }
    for family in LeakFamily:
        told[f"grade_{family.value}"] = found[family].grade.value
        told[f"p_{family.value}"] = found[family].p
    return told


def _listed(found: ReleaseEvidence, made: MadeRelease) -> dict[str, Any]:
    """Count the members on the list of people, and those of them who were copied; in all and by family."""
    told: dict[str, Any] = {}
    for suffix, families in (("", tuple(LeakFamily)), *((f"_{family.value}", (family,)) for family in LeakFamily)):
        rows = np.unique([person.row - 1 for person in found.people if person.family in families]).astype(np.int64)
        told[f"listed{suffix}"] = len(rows)
        told[f"listed_copied{suffix}"] = None if made.copied is None else int(made.copied[rows].sum())
    return told
