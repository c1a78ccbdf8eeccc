"""Privacy budgets: what a generator may spend, and what it has spent."""

from dataclasses import dataclass, field
from math import fsum, isfinite

from seethrough.errors import ConfigError, Overspent

ROUNDING = 1e-9
"""Share of the budget by which sums of parts may exceed it, because parts are rounded."""


@dataclass
class PrivacyBudget:
    """A budget of pure differential privacy under sequential composition: costs add up.

    Whoever looks at records spends first; what exceeds the budget is refused before anything was seen.
    """

    epsilon: float
    spent: list[tuple[str, float]] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Refuse a budget that is none."""
        if not (isfinite(self.epsilon) and self.epsilon > 0):
            raise ConfigError(f"epsilon is {self.epsilon!r}; a finite number above 0 is expected")

    @property
    def total(self) -> float:
        """What was spent so far."""
        return fsum(cost for _, cost in self.spent)

    def spend(self, cost: float, purpose: str) -> float:
        """Spend a part and give it back, or raise `Overspent`."""
        if not cost > 0:
            raise Overspent(f"a cost of {cost!r} for {purpose} is none; it has to be above 0")
        if self.total + cost > self.epsilon * (1 + ROUNDING):
            raise Overspent(
                f"{purpose} would cost epsilon = {cost:g}, but {self.total:g} of {self.epsilon:g} are spent already"
            )
        self.spent.append((purpose, cost))
        return cost
