"""How far a computation is, and what an audit cost: seconds of checks, shared computations, steps, and in all."""

from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True)
class EndedAttack:
    """One attack of the evidence that has ended: its name with the secret, its seconds, and why it gave no answer."""

    name: str
    seconds: float
    said: str = ""


@dataclass(frozen=True)
class Progress:
    """How far a computation is, as `progress` of the public API gets it: steps done of all, and what is being done.

    `attacks` are those behind the verdict that have ended so far, in an audit.
    """

    done: float
    steps: int
    doing: str
    attacks: tuple[EndedAttack, ...] = ()


ShowProgress = Callable[[Progress], None]


def ignore_progress(progress: Progress) -> None:
    """Show the progress to nobody."""


@dataclass(frozen=True)
class CheckCost:
    """The seconds of a check on a release and on both controls, without the computations that it shares with others."""

    check: str
    synthetic: str
    release: float
    copy: float
    independent: float

    @property
    def seconds(self) -> float:
        """Give the seconds of the check in all."""
        return self.release + self.copy + self.independent


@dataclass(frozen=True)
class SharedCost:
    """The seconds of one kind of shared computation on the tables named, without others that it asked for in turn.

    Nothing was computed twice if `computed`, the number of computations, is the number of `different` requests.
    """

    request: str
    tables: tuple[str, ...]
    different: int
    computed: int
    asked: int
    seconds: float


@dataclass(frozen=True)
class StepCost:
    """The seconds of what is done once for a synthetic table besides checks, without shared computations."""

    step: str
    synthetic: str
    seconds: float


@dataclass(frozen=True)
class Timings:
    """Where the time went, slowest first; `reading` is part of the `total`.

    `processor` is the time of all cores together, without reading, and `threads` how many could be used; both are 0
    where that is not known, as in a report that was read back.
    """

    total: float = 0.0
    reading: float = 0.0
    checks: tuple[CheckCost, ...] = ()
    shared: tuple[SharedCost, ...] = ()
    steps: tuple[StepCost, ...] = ()
    processor: float = 0.0
    threads: int = 0

    @property
    def rest(self) -> float:
        """Give what neither reading nor any of the items took: making and naming tables."""
        parts: tuple[tuple[CheckCost | SharedCost | StepCost, ...], ...] = self.checks, self.shared, self.steps
        return self.total - self.reading - sum(cost.seconds for part in parts for cost in part)

    def to_dict(self) -> dict[str, Any]:
        """Give the JSON form as plain values, with seconds rounded to milliseconds."""
        return {
            "total": round(self.total, 3),
            "reading": round(self.reading, 3),
            "checks": [_rounded(asdict(cost) | {"seconds": cost.seconds}) for cost in self.checks],
            "shared": [_rounded(asdict(cost)) for cost in self.shared],
            "steps": [_rounded(asdict(cost)) for cost in self.steps],
        }


def _rounded(values: dict[str, Any]) -> dict[str, Any]:
    """Round to milliseconds; zero has no sign, whatever rounding took from a time that was read back."""
    return {name: round(value, 3) + 0.0 if isinstance(value, float) else value for name, value in values.items()}
