"""Evidence: how members fare beside people outside on the same release, and what follows from it.

An attack answers for members and for people outside without being told who is who. What it gets right about members
beyond what it gets right about people outside is the leak. `Finding` sums up the attacks of one family,
`ReleaseVerdict` the findings of one release. Plain frozen values; nothing here holds a value of a record.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from enum import Enum
from functools import total_ordering
from typing import Any

import numpy as np
import numpy.typing as npt

from seethrough.results.attribute.figures import AttributeFigures
from seethrough.results.estimate import Estimate

FALSE_ALARM_RATES = ("0.1", "0.01", "0.001")
"""Rates of false alarms at which the report shows what a rating finds, as it names them."""
PREVALENCES = ("0.01", "0.1", "0.5")
"""Shares of members among those whom an attacker rates, for which the report says how many of those named are."""


class LeakFamily(Enum):
    """What an attack is after."""

    MEMBERSHIP = "membership"
    ATTRIBUTE = "attribute"
    IDENTITY = "identity"


@total_ordering
class Grade(Enum):
    """What the evidence comes to; grades are ordered, and `CANNOT_TELL` is below all others."""

    CANNOT_TELL = "cannot tell"
    NO_LEAK_FOUND = "no leak found"
    SLIGHT = "slight"
    CLEAR = "clear"
    SEVERE = "severe"

    def __lt__(self, other: "Grade") -> bool:
        """Order grades by how bad they are."""
        grades = list(Grade)
        return grades.index(self) < grades.index(other)

    @property
    def is_leak(self) -> bool:
        """Tell whether a leak was found."""
        return self > Grade.NO_LEAK_FOUND


@dataclass(frozen=True)
class GradeLimits:
    """Lower ends of a leak from which on it is clear, and severe; and who set them."""

    clear: float = 0.01
    severe: float = 0.10
    set_by: str = "default"


@dataclass(frozen=True)
class Precision:
    """Share of members among the people called members, and what it is at least."""

    value: float
    low: float


@dataclass(frozen=True)
class TruePositives:
    """Share of members called members, at a stated share of false alarms among people outside.

    The interval from `low` to `high` speaks of members at this threshold; that of the false alarm rate says how
    uncertain the threshold is. `precision` is by prevalence; it has no value where nobody was called a member.
    """

    value: float
    low: float
    high: float
    false_alarms: int
    false_alarm_low: float = 0.0
    false_alarm_high: float = 1.0
    precision: Mapping[str, Precision | None] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """Give the JSON form."""
        given = {share: asdict(found) if (found := self.precision.get(share)) else None for share in PREVALENCES}
        return {**asdict(self), "precision": given}


@dataclass(frozen=True)
class AttackEvidence:
    """One attack on one release, its answers for members beside those for people outside.

    `members` and `outsiders` are shares of people (in pairs, for a rating that is graded by its ranks), `leak` is their
    difference with the interval to show; `lower` is its lower end simultaneously over all statistics of the audit,
    which grades. `p` is that of the attack alone, `p_adjusted` is adjusted over all attacks of the audit. `measure`
    says what the shares count. `detectable` is the leak that would have been found with a chance of 80 %.
    """

    name: str
    families: tuple[LeakFamily, ...]
    measure: str
    members: float
    outsiders: float
    leak: Estimate
    lower: float
    p: float | None
    p_adjusted: float | None
    detectable: float
    auc: Estimate | None = None
    tpr: Mapping[str, TruePositives | None] = field(default_factory=dict)
    n_members: int = 0
    n_outsiders: int = 0
    secret: str | None = None
    seconds: float = 0.0
    notes: tuple[str, ...] = ()

    @property
    def label(self) -> str:
        """Name the attack, with the column that it is after."""
        return f"{self.name} ({self.secret})" if self.secret else self.name

    @property
    def smallest_rate(self) -> float:
        """Give the smallest false alarm rate that so many people outside resolve."""
        return 1 / (self.n_outsiders + 1)

    def to_dict(self) -> dict[str, Any]:
        """Give the JSON form."""
        return {
            "name": self.name,
            "family": self.families[0].value,
            "families": [family.value for family in self.families],
            "secret": self.secret,
            "measure": self.measure,
            "members": self.members,
            "outsiders": self.outsiders,
            "leak": asdict(self.leak),
            "lower": self.lower,
            "p": self.p,
            "p_adjusted": self.p_adjusted,
            "detectable": self.detectable,
            "auc": None if self.auc is None else asdict(self.auc),
            "tpr": {rate: found.to_dict() if (found := self.tpr.get(rate)) else None for rate in FALSE_ALARM_RATES},
            "smallest_rate": self.smallest_rate if self.tpr else None,
            "n_members": self.n_members,
            "n_outsiders": self.n_outsiders,
            "seconds": round(self.seconds, 3),
            "notes": list(self.notes),
        }


@dataclass(frozen=True)
class Finding:
    """What the attacks of one family found: the grade, the attack that shows most, what could not be told and why.

    `headline` is the attack that leads the family by a rule made before anybody looked; None where it was not run.
    """

    family: LeakFamily
    grade: Grade
    attack: str | None = None
    measure: str = ""
    members: float | None = None
    outsiders: float | None = None
    leak: Estimate | None = None
    lower: float | None = None
    p: float | None = None
    detectable: float | None = None
    attacks: int = 0
    cannot_tell: tuple[str, ...] = ()
    headline: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """Give the JSON form."""
        return {
            "family": self.family.value,
            "grade": self.grade.value,
            "attack": self.attack,
            "measure": self.measure or None,
            "members": self.members,
            "outsiders": self.outsiders,
            "leak": None if self.leak is None else asdict(self.leak),
            "lower": self.lower,
            "p": self.p,
            "detectable": self.detectable,
            "attacks": self.attacks,
            "headline": self.headline,
            "cannot_tell": list(self.cannot_tell),
        }


@dataclass(frozen=True)
class ReleaseVerdict:
    """The worst grade, one sentence that begins with the fact that decided it, and where that fact is from."""

    grade: Grade
    sentence: str
    decided_by: str

    def to_dict(self) -> dict[str, Any]:
        """Give the JSON form."""
        return {"grade": self.grade.value, "sentence": self.sentence, "decided_by": self.decided_by}


@dataclass(frozen=True)
class ExposedPerson:
    """A member on the list of exposed people: the real row, the released row that gives it away, both from 1 on."""

    row: int
    family: LeakFamily
    attack: str
    p: float
    released_row: int | None


@dataclass(frozen=True, eq=False)
class PeopleAtRisk:
    """For one family: the conformal p of every row of the real table (NaN if not rated), and who is listed."""

    family: LeakFamily
    attack: str
    p: npt.NDArray[np.float64]
    listed: npt.NDArray[np.bool_]


@dataclass(frozen=True)
class PoolSizes:
    """How many members and people outside were rated, and how many people outside were the reference."""

    members: int = 0
    outsiders: int = 0
    reference: int = 0


@dataclass(frozen=True)
class EpsilonBound:
    """A lower bound of epsilon (delta = 0) from one release, by coins that decided who of an audit set was in the data.

    Of the `named` people rated highest by `attack` `right` are members; `people` could have been named. `grid` are all
    numbers that were tried and paid for, `ceiling` is what naming members only would have given.
    """

    low: float
    ceiling: float
    confidence: float
    named: int
    right: int
    people: int
    grid: tuple[int, ...]
    attack: str


@dataclass(frozen=True, eq=False)
class ReleaseEvidence:
    """All that members against people outside came to for one release.

    `untestable` are reasons why something could not be tested, `warnings` what a reader has to know about the
    comparison itself. `false_discovery_rate` is the share of the list of people that is there by chance, at most.
    `secrets` has figures on guesses of secrets that stand beside the leak. `listed` counts people where the list itself
    is not at hand: in a report that was read back.
    `is_designed` says that coins made members and people outside exchangeable, so that it need not be assumed.
    """

    verdict: ReleaseVerdict
    findings: tuple[Finding, ...]
    attacks: tuple[AttackEvidence, ...] = ()
    people: tuple[ExposedPerson, ...] = ()
    at_risk: tuple[PeopleAtRisk, ...] = ()
    people_needed: int | None = None
    false_discovery_rate: float = 0.10
    permutations: int = 0
    sizes: PoolSizes = field(default_factory=PoolSizes)
    limits: GradeLimits = field(default_factory=GradeLimits)
    population_p: float | None = None
    warnings: tuple[str, ...] = ()
    failed: tuple[str, ...] = ()
    is_designed: bool = False
    epsilon: EpsilonBound | None = None
    secrets: AttributeFigures | None = None
    listed: int | None = None

    @property
    def exposed_people(self) -> int | None:
        """Count the people on the list; None where nobody could be rated."""
        if self.listed is not None or not (self.people or self.at_risk):
            return self.listed
        return len({person.row for person in self.people})

    def __getitem__(self, family: LeakFamily) -> Finding:
        """Find the finding of a family."""
        return next(finding for finding in self.findings if finding.family is family)

    def to_dict(self) -> dict[str, Any]:
        """Give the JSON form of everything but the list of people, which is `people` of the report."""
        return {
            "verdict": self.verdict.to_dict(),
            "findings": [finding.to_dict() for finding in self.findings],
            "attacks": [attack.to_dict() for attack in self.attacks],
            "evidence": {
                "permutations": self.permutations,
                **asdict(self.sizes),
                "grades": asdict(self.limits),
                "population_p": self.population_p,
                "exchangeability": "designed" if self.is_designed else "assumed",
                "epsilon": None if self.epsilon is None else {**asdict(self.epsilon), "grid": list(self.epsilon.grid)},
                "false_discovery_rate": self.false_discovery_rate,
                "exposed_people": self.exposed_people,
                "outsiders_needed_for_a_list": self.people_needed,
                "secrets": None if self.secrets is None else self.secrets.to_dict(),
                "warnings": list(self.warnings),
                "failed": list(self.failed),
            },
        }
