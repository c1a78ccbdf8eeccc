"""Marginals chosen and measured under differential privacy: the private half of `rap-softmax`.

Every look at the true answers is one of `choose` and `measure`, and both are entered in the ledger before they look.
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import sqrt

import numpy as np

from seethrough.kernels.arrays import Ints
from seethrough.synthesizers._models.relaxed.queries import Matrix, ThreeWayQueries
from seethrough.synthesizers._privacy.ledger import ZCDP, PrivacyLedger
from seethrough.synthesizers._privacy.mechanisms import exponential_mechanism

SPARED = 1e-9
"""Share of the budget that is never spent, so that rounding cannot make thousands of costs exceed it."""


@dataclass(frozen=True)
class BudgetSplit:
    """A budget rho of zCDP for `choices` marginals; `alpha` weighs choosing against measuring."""

    rho: float
    choices: int
    alpha: float = 0.5

    @property
    def unit(self) -> float:
        """Give eps0, for which `choices` pairs of a choice and a measurement cost rho together."""
        rho = self.rho * (1 - SPARED)
        return sqrt(2 * rho / (self.choices * (self.alpha**2 + (1 - self.alpha) ** 2)))

    @property
    def parameter(self) -> float:
        """Give the parameter of the exponential mechanism."""
        return 2 * self.alpha * self.unit

    @property
    def choosing(self) -> float:
        """Give the cost of a choice."""
        return (self.alpha * self.unit) ** 2 / 2

    @property
    def measuring(self) -> float:
        """Give the cost of a measurement."""
        return ((1 - self.alpha) * self.unit) ** 2 / 2

    def noise(self, records: int) -> float:
        """Give the sd of the noise: a record that is replaced moves a marginal by sqrt(2) / records in L2."""
        return sqrt(2) / records / ((1 - self.alpha) * self.unit)


class NoisyMarginals:
    """What is known of the marginals of a table so far."""

    def __init__(self, three_way: ThreeWayQueries, truth: Matrix, records: int, split: BudgetSplit) -> None:
        """Begin knowing nothing."""
        self.ledger = PrivacyLedger(split.rho, ZCDP)
        self.measured = np.zeros(three_way.count, bool)
        self.values: Matrix = np.zeros(three_way.count, np.float32)
        self._three_way, self._truth, self._records, self.split = three_way, truth, records, split
        self._sums, self._times = np.zeros(three_way.count), np.zeros(len(three_way.columns), np.int64)

    @property
    def marginals(self) -> int:
        """Count the different marginals that have been measured."""
        return int(np.count_nonzero(self._times))

    def choose(self, answers: Matrix, count: int, rng: np.random.Generator) -> list[int]:
        """Choose different marginals, those with large errors more likely; each choice has its cost."""
        return self.choose_by(lambda: self._three_way.largest(self._truth - answers), count, rng)

    def choose_by(self, look: Callable[[], Matrix], count: int, rng: np.random.Generator) -> list[int]:
        """Do the same where the largest error of each marginal was found elsewhere; it is looked at once paid for."""
        self.ledger.spend(self.split.choosing, "a choice", count)
        scores = look().astype(np.float64)
        chosen: list[int] = []
        for _ in range(count):
            chosen.append(exponential_mechanism(scores, 1 / self._records, self.split.parameter, rng))
            scores[chosen[-1]] = -np.inf
        return chosen

    def measure(self, marginal: int, rng: np.random.Generator) -> Ints:
        """Measure a marginal with noise, and name its queries; measured before, it has the mean of its measurements."""
        self.ledger.spend(self.split.measuring, "a measurement")
        cells = self._three_way.queries(marginal)
        noise = rng.normal(0, self.split.noise(self._records), len(cells))
        self._sums[cells] += self._truth[cells] + noise
        self._times[marginal] += 1
        self.values[cells] = np.clip(self._sums[cells] / self._times[marginal], 0, 1)
        self.measured[cells] = True
        return cells

    def errors(self, answers: Matrix) -> Matrix:
        """Compare answers with what is known; 0 where nothing is."""
        return np.where(self.measured, answers - self.values, np.float32(0))
