"""What a check returns and what a report holds: plain frozen values, JSON out.

Data flows from `Measurement` (one check on one set of tables) through `Measured` (with its
controls) to `Report` (everything a renderer needs). Nothing here holds a record: per-record
risks are an array that never enters the JSON form.
"""

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from seethrough.cards import Card as Card
from seethrough.cards import Category as Category
from seethrough.cards import Evidence as Evidence
from seethrough.cards import Need as Need
from seethrough.cards import Verdict as Verdict
from seethrough.estimates import Curve as Curve
from seethrough.estimates import Estimate as Estimate
from seethrough.estimates import Growth as Growth
from seethrough.exhibits import Exhibits
from seethrough.provenance import Provenance
from seethrough.timings import Timings

FORMAT = 1
"""Grows whenever a reader of the JSON form has to change."""

Value = float | int | str | bool | None
"""What a parameter or a detail of a check may be."""


@dataclass(frozen=True, eq=False)
class Measurement:
    """What a check found on one set of tables.

    `risk` runs from 0 (complete privacy) to 1 (none), `raw` is in the unit the card names (None: infinite), `n`
    counts the records it rests on, `base_rate` is the risk that guessing without the release
    gives, `per_record` has one risk for each row of the real table, NaN where it was not asked about. A check that
    chose among several questions names in `settled` the check that asks the chosen one alone; the controls are
    measured with it.
    """

    risk: Estimate
    raw: float | None
    n: int
    base_rate: float | None = None
    per_record: npt.NDArray[np.float64] | None = None
    details: Mapping[str, Value] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()
    settled: object | None = None


@dataclass(frozen=True)
class Unavailable:
    """A control that could not be measured, and why."""

    reason: str


Control = Estimate | Unavailable


@dataclass(frozen=True)
class Controls:
    """The same check, by the same code, on a copy of the real table and on an independent table.

    `matched` is what it says of as many rows of the release as the independent table has, where it has fewer: an attack
    does better on more rows.
    """

    copy: Control
    independent: Control
    matched: Estimate | None = None


@dataclass(frozen=True, eq=False)
class Measured:
    """A check that ran.

    `lead` is how far the risk goes beyond that of people who were not in the data, where that was settled before, on
    numbers that are not shown.
    """

    card: Card
    measurement: Measurement
    controls: Controls
    seconds: float
    params: Mapping[str, Value]
    lead: Estimate | None = None

    @property
    def check(self) -> str:
        """Name the check."""
        return self.card.name

    @property
    def risk(self) -> Estimate:
        """Give the risk with its interval."""
        return self.measurement.risk


@dataclass(frozen=True)
class Skipped:
    """A check that does not apply to this release."""

    card: Card
    reason: str

    @property
    def check(self) -> str:
        """Name the check."""
        return self.card.name


@dataclass(frozen=True)
class Failed:
    """A check that broke: a defect of the check, not of the data."""

    card: Card
    error: str

    @property
    def check(self) -> str:
        """Name the check."""
        return self.card.name


Outcome = Measured | Skipped | Failed


@dataclass(frozen=True)
class Source:
    """A table that took part: its name, its size and what identifies its content."""

    name: str
    rows: int
    digest: str


@dataclass(frozen=True)
class ColumnNote:
    """What is said about a column: how it was read and why; no value of it."""

    name: str
    kind: str
    role: str
    levels: int | None
    missing: int
    reason: str


@dataclass(frozen=True, eq=False)
class TableAudit:
    """The outcomes for one synthetic table, and what is shown of it besides.

    `levels` has the level of each kind of attack where it was decided before, on numbers that are not shown.
    """

    synthetic: Source
    outcomes: tuple[Outcome, ...]
    exhibits: Exhibits = field(default_factory=Exhibits)
    levels: Mapping[Category, str] = field(default_factory=dict)

    def __getitem__(self, check: str) -> Outcome:
        """Find an outcome by the name of its check."""
        for outcome in self.outcomes:
            if outcome.check == check:
                return outcome
        raise KeyError(check)

    def __iter__(self) -> Iterator[Outcome]:
        """Walk over the outcomes."""
        return iter(self.outcomes)


@dataclass(frozen=True, eq=False)
class Report:
    """Everything a renderer needs. `independent` says in words what the negative control is."""

    version: str
    seed: int
    real: Source
    holdout: Source | None
    independent: str
    columns: tuple[ColumnNote, ...]
    tables: tuple[TableAudit, ...]
    notes: tuple[str, ...]
    timings: Timings = field(default_factory=Timings)
    growth: tuple[Growth | Skipped | Failed, ...] = ()
    provenance: Provenance = field(default_factory=Provenance)

    def __getitem__(self, check: str) -> Outcome:
        """Find an outcome of the first synthetic table by the name of its check."""
        return self.tables[0][check]

    def to_dict(self) -> dict[str, Any]:
        """Give the JSON form as plain values; see docs/report-format.md."""
        first, *more = self.tables
        return {
            "format": FORMAT,
            "seethrough": self.version,
            "release": {
                "real": asdict(self.real),
                "holdout": asdict(self.holdout) if self.holdout else None,
                "synthetic": [asdict(table.synthetic) for table in self.tables],
                "independent": self.independent,
            },
            "schema": {"columns": [asdict(column) for column in self.columns]},
            "seed": self.seed,
            "notes": list(self.notes),
            **_table_dict(first),
            "further": [{"synthetic": table.synthetic.name, **_table_dict(table)} for table in more],
            "growth": [growth_dict(growth) for growth in self.growth],
            "timings": self.timings.to_dict(),
            "record": self.provenance.to_dict(),
        }


def _table_dict(table: TableAudit) -> dict[str, Any]:
    return {"outcomes": [outcome_dict(outcome) for outcome in table], "exhibits": table.exhibits.to_dict()}


def growth_dict(growth: Growth | Skipped | Failed) -> dict[str, Any]:
    """Give what several tables show together as plain values."""
    match growth:
        case Growth():
            return {"status": "measured", **asdict(growth)}
        case _:
            return outcome_dict(growth)


def outcome_dict(outcome: Outcome) -> dict[str, Any]:
    """Give one outcome as plain values."""
    head = {"check": outcome.check, "category": outcome.card.category.value, "evidence": outcome.card.evidence.value}
    match outcome:
        case Skipped(reason=reason):
            return {**head, "status": "skipped", "reason": reason}
        case Failed(error=error):
            return {**head, "status": "failed", "error": error}
        case Measured(measurement=found):
            return {
                **head,
                "status": "measured",
                "risk": asdict(found.risk),
                "raw": found.raw,
                "unit": outcome.card.raw_unit,
                "n": found.n,
                "base_rate": found.base_rate,
                "controls": {name: asdict(each) for name, each in vars(outcome.controls).items() if each},
                "details": dict(found.details),
                "seconds": round(outcome.seconds, 3),
                "params": dict(outcome.params),
                "warnings": list(found.warnings),
            }
