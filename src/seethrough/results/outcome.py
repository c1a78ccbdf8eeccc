"""What a check returns and what became of it, plain frozen values.

A `Measurement` is one check on one set of tables, `Measured` the same with its controls. Nothing here holds a record:
risks by record are an array that never enters the JSON form.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from seethrough.results.card import Card
from seethrough.results.estimate import Estimate

Value = float | int | str | bool | None
"""What a parameter or a detail of a check may be."""
RISK_BINS = 20
"""Into which the risks of records are counted."""


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


def count_risks(risks: npt.NDArray[np.float64] | None) -> tuple[int, ...]:
    """Count the records by risk, in equal bins from 0 to 1, the last one closed; nothing where there are no risks."""
    known = np.zeros(0) if risks is None else risks[~np.isnan(risks)]
    if not known.size:
        return ()
    counts, _ = np.histogram(np.clip(known, 0.0, 1.0), bins=RISK_BINS, range=(0.0, 1.0))
    return tuple(int(number) for number in counts)


@dataclass(frozen=True)
class Unavailable:
    """A control that could not be measured, and why."""

    reason: str


Control = Estimate | Unavailable


@dataclass(frozen=True)
class Controls:
    """The same check, by the same code, on a copy of the real table and on an independent table."""

    copy: Control
    independent: Control


@dataclass(frozen=True, eq=False)
class Measured:
    """A check that ran.

    `independent_counts` are the risks of the same real records, or of some drawn from them, beside the independent
    table, by equal bins; it is empty where the check has no risk for each record, and stays out of the JSON form.
    """

    card: Card
    measurement: Measurement
    controls: Controls
    seconds: float
    params: Mapping[str, Value]
    independent_counts: tuple[int, ...] = ()

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
                "controls": {name: asdict(each) for name, each in vars(outcome.controls).items()},
                "details": dict(found.details),
                "seconds": round(outcome.seconds, 3),
                "params": dict(outcome.params),
                "warnings": list(found.warnings),
            }
