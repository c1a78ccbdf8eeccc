"""The one ledger of every generator that promises differential privacy: what it may spend, and what it has spent.

Whoever looks at records spends first; what would exceed the budget is refused before anything was seen. Costs add up,
whatever was asked after seeing earlier answers. What a cost is, and which (epsilon, delta) a sum of costs comes to, is
the accountant's business:

* `PURE`: a cost is an epsilon, and so is the sum (sequential composition). Laplace noise of scale b on something that
  one record moves by at most D in L1 costs D / b; a choice by the exponential mechanism costs its parameter.
* `ZCDP`: a cost is a rho, and the sum is converted at the best order (`zcdp`). Gaussian noise of sd s on something that
  one record moves by at most D in L2 costs D^2 / (2 s^2): its Renyi divergence of order a is a times that, so adding up
  Renyi divergences order by order, as is usual for the votes of teachers, gives the same numbers.

Sums are exact before they are rounded once, so the order and the number of the costs do not matter.
"""

from collections import Counter
from dataclasses import dataclass, field
from fractions import Fraction
from math import isfinite
from typing import ClassVar, Protocol

from seethrough.errors import ConfigError, Overspent
from seethrough.synthesizers._privacy import zcdp

ROUNDING = 1e-12
"""Share of the budget by which a sum may exceed it, because each part of a whole budget is rounded by itself."""


class Accountant(Protocol):
    """What a cost is, and what a sum of costs means."""

    unit: ClassVar[str]

    def budget(self, epsilon: float, delta: float) -> float:
        """Give the largest sum of costs that is sure to be (epsilon, delta)-differentially private."""
        ...

    def epsilon(self, cost: float, delta: float) -> float:
        """Give the smallest epsilon for which a sum of costs is sure to be (epsilon, delta)-differentially private."""
        ...


@dataclass(frozen=True)
class PureEpsilon:
    """Pure differential privacy under sequential composition, where delta is 0."""

    unit: ClassVar[str] = "epsilon"

    def budget(self, epsilon: float, delta: float = 0.0) -> float:
        """Give epsilon itself."""
        return epsilon

    def epsilon(self, cost: float, delta: float = 0.0) -> float:
        """Give the sum itself."""
        return cost


@dataclass(frozen=True)
class ZeroConcentrated:
    """Zero-concentrated differential privacy, and Renyi's where the divergence is in proportion to the order."""

    unit: ClassVar[str] = "rho"

    def budget(self, epsilon: float, delta: float) -> float:
        """Convert the other way round."""
        return zcdp.rho_of(epsilon, delta)

    def epsilon(self, cost: float, delta: float) -> float:
        """Convert at the best order."""
        return zcdp.epsilon_of(cost, delta)


PURE, ZCDP = PureEpsilon(), ZeroConcentrated()


@dataclass
class PrivacyLedger:
    """A budget in the unit of an accountant, and how often each purpose was paid for at which cost."""

    budget: float
    accountant: Accountant = PURE
    entries: Counter[tuple[str, float]] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        """Refuse a budget that is none."""
        if not (isfinite(self.budget) and self.budget > 0):
            raise ConfigError(f"{self.accountant.unit} is {self.budget!r}; a finite number above 0 is expected")

    @property
    def spent(self) -> float:
        """The sum of all costs so far."""
        return float(self._total())

    def epsilon(self, delta: float = 0.0) -> float:
        """Say what was spent so far as an epsilon, for a given delta."""
        return self.accountant.epsilon(self.spent, delta)

    def times(self, purpose: str) -> int:
        """Count how often a purpose was paid for."""
        return sum(count for (paid, _), count in self.entries.items() if paid == purpose)

    def spend(self, cost: float, purpose: str, times: int = 1) -> float:
        """Pay a cost, once or several times, and give it back, or raise `Overspent` and pay nothing."""
        if times < 0:
            raise ValueError("a number of looks at the records is not negative")
        if not cost > 0:
            raise Overspent(f"a cost of {cost!r} for {purpose} is none; it has to be above 0")
        # An infinite cost has no exact value, and no budget for it either.
        if not isfinite(cost) or self._total() + times * Fraction(cost) > Fraction(self.budget * (1 + ROUNDING)):
            raise Overspent(
                f"{purpose if times == 1 else f'{times} times {purpose}'} would cost {self.accountant.unit} = "
                f"{cost * times:g}, but {self.spent:g} of {self.budget:g} are spent already"
            )
        self.entries[purpose, cost] += times
        return cost

    def _total(self) -> Fraction:
        return sum((count * Fraction(cost) for (_, cost), count in self.entries.items()), Fraction())
