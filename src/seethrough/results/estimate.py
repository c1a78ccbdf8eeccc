"""Numbers with their intervals, one by one and over a growing number of tables."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import hypot


@dataclass(frozen=True)
class Estimate:
    """A number with its confidence interval; for a risk, all three are in [0, 1]."""

    value: float
    low: float
    high: float
    confidence: float = 0.95

    def minus(self, other: "Estimate") -> "Estimate":
        """Give the difference with its interval.

        The two are put together as if they were independent (kernels/intervals.py). Risks that were measured on the
        same real rows are not, which makes their difference more certain than that.
        """
        value = self.value - other.value
        below, above = (
            hypot(self.value - self.low, other.high - other.value),
            hypot(self.high - self.value, other.value - other.low),
        )
        return Estimate(value, value - below, value + above, self.confidence)


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
