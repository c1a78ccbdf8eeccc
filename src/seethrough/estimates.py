"""Numbers with their intervals, one by one and over a growing number of tables."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Estimate:
    """A number between 0 and 1 with its confidence interval; the interval's ends are in [0, 1] too."""

    value: float
    low: float
    high: float
    confidence: float = 0.95


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
