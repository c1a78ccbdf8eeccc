"""What-if: what each change of a release does to its leak and to what it is good for. Frozen values, no record in them.

Leaks, changes and utilities are shares of people or of 1; a change is after minus before, so that a leak that shrinks
has a negative one.
"""

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from seethrough.results.estimate import Estimate
from seethrough.results.evidence import Grade, LeakFamily

FORMAT = 1
"""Grows whenever a reader of the JSON form has to change."""


@dataclass(frozen=True)
class FamilyLeak:
    """What the attacks of one family find: the leak of the one that shows most, the grade, and the paired change.

    No leak and no change where the family could not be tested, or not before.
    """

    family: LeakFamily
    grade: Grade
    attack: str | None = None
    leak: Estimate | None = None
    change: Estimate | None = None

    def to_dict(self) -> dict[str, Any]:
        """Give the JSON form."""
        return {**asdict(self), "family": self.family.value, "grade": self.grade.value}


@dataclass(frozen=True)
class UtilityFigures:
    """What a release is good for: errors of 3-way counts, and the success of models that learnt from it.

    `models` is the mean over the columns that are predicted for people outside. `kept` is the share of utility that is
    left, between that of the real table (1) and that of values drawn evenly (0), the mean over the three.
    """

    mre: float | None
    tvd: float | None
    models: float | None
    kept: float

    def to_dict(self) -> dict[str, Any]:
        """Give the JSON form."""
        return asdict(self)


@dataclass(frozen=True)
class LeverRow:
    """One lever, applied and attacked again.

    `leak` is the largest over families, or that of the family which was asked for, `change` its paired change.
    `near_copies` is the share of released rows that are a real row in all columns or all but one. `per_utility` is leak
    removed per utility lost. `helps` says that the leak surely shrinks, `is_remedy` that it may be recommended at all,
    `is_dominated` that another lever removes as much for less. `place` is the rank, from 1 on. A lever that could not
    be applied says why in `reason` and has nothing else.
    """

    lever: str
    reason: str = ""
    families: tuple[FamilyLeak, ...] = ()
    family: LeakFamily | None = None
    grade: Grade = Grade.CANNOT_TELL
    leak: Estimate | None = None
    change: Estimate | None = None
    utility: UtilityFigures | None = None
    utility_change: float | None = None
    rows: int = 0
    near_copies: float | None = None
    per_utility: float | None = None
    helps: bool = False
    is_remedy: bool = True
    is_dominated: bool = False
    place: int | None = None
    seconds: float = 0.0
    notes: tuple[str, ...] = ()

    @property
    def is_measured(self) -> bool:
        """Tell whether the lever could be applied and the leak be told."""
        return self.change is not None and self.utility is not None

    def __getitem__(self, family: LeakFamily) -> FamilyLeak:
        """Find what one family shows."""
        return next(each for each in self.families if each.family is family)

    def to_dict(self) -> dict[str, Any]:
        """Give the JSON form."""
        plain = asdict(self)
        return {
            **plain,
            "family": self.family.value if self.family else None,
            "grade": self.grade.value,
            "families": [each.to_dict() for each in self.families],
            "seconds": round(self.seconds, 3),
        }


@dataclass(frozen=True)
class WhatIf:
    """All levers in the order of their ranks, beside the release as it is (`baseline`).

    `ranked_by` is a family, or "the worst family". `command` is the beginning of a command line that repeats one lever.
    `screened` are levers that a quick pass tried and that were not worth the whole, with what it expected of them.
    """

    baseline: LeverRow
    rows: tuple[LeverRow, ...]
    ranked_by: str
    seed: int
    preset: str
    targets: tuple[str, ...]
    tables: Mapping[str, str] = field(default_factory=dict)
    screened: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    version: str = ""

    @property
    def recommended(self) -> LeverRow | None:
        """Give the first lever that surely helps; None where none does."""
        return next((row for row in self.rows if row.is_measured and row.helps and row.is_remedy), None)

    def __iter__(self) -> Iterator[LeverRow]:
        """Walk over the levers."""
        return iter(self.rows)

    def __getitem__(self, lever: str) -> LeverRow:
        """Find a lever by its line."""
        for row in self.rows:
            if row.lever == lever:
                return row
        raise KeyError(lever)

    def to_dict(self) -> dict[str, Any]:
        """Give the JSON form."""
        found = self.recommended
        return {
            "format": FORMAT,
            "seethrough": self.version,
            "seed": self.seed,
            "preset": self.preset,
            "ranked_by": self.ranked_by,
            "targets": list(self.targets),
            "tables": dict(self.tables),
            "recommended": found.lever if found else None,
            "baseline": self.baseline.to_dict(),
            "levers": [row.to_dict() for row in self.rows],
            "screened": list(self.screened),
            "notes": list(self.notes),
        }
