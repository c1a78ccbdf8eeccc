"""Numbers with their intervals, one by one and over a growing number of tables."""

from collections.abc import Mapping
from dataclasses import dataclass

from seethrough.kernels.statistics.intervals import difference


@dataclass(frozen=True)
class Estimate:
    """A number with its confidence interval; for a risk, all three are in [0, 1]."""

    value: float
    low: float
    high: float
    confidence: float = 0.95

    def minus(self, other: "Estimate") -> "Estimate":
        """Give the difference with its interval.

        The two are put together as if they were independent. Risks that were measured on the same real rows are not,
        which makes their difference more certain than that.
        """
        low, high = difference((self.value, (self.low, self.high)), (other.value, (other.low, other.high)))
        return Estimate(self.value - other.value, low, high, self.confidence)


@dataclass(frozen=True)
class Curve:
    """One quantity over the number of synthetic tables, 1 to all: on the release, and on what it is held against."""

    name: str
    said: str
    values: Mapping[str, tuple[Estimate, ...]]


@dataclass(frozen=True)
class Growth:
    """What a check finds when an attacker has more and more of the synthetic tables; it rests on `n` records."""

    check: str
    n: int
    curves: tuple[Curve, ...]
