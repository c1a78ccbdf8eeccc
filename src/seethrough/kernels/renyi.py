"""Renyi accounting of noisy counts: what many answers with Gaussian noise cost together, and how much noise they need.

Adding Gaussian noise of standard deviation s to a vector that one record moves by at most D in Euclidean length has
Renyi divergence a D^2 / (2 s^2) of order a. Costs of answers add up order by order, whatever was asked after seeing
earlier answers, so that Q answers cost a times Q D^2 / (2 s^2), a line through the origin whose slope is kept here.
Two vote counts of which a record takes one vote from the one to the other move by D = sqrt(2): a slope of 1 / s^2 each.

A mechanism with divergence slope * a of every order a > 1 is (epsilon, delta)-private for each a with

    epsilon = slope a + log(1 - 1/a) - log(a delta) / (a - 1)

The best order is searched for. Every order is a valid bound, so an order that is not quite the best is safe.

References
----------
Mironov 2017, Renyi differential privacy, propositions 1 and 7; Canonne, Kamath, Steinke 2020, The discrete Gaussian for
differential privacy, proposition 12.
"""

from dataclasses import dataclass
from math import inf, log

import numpy as np
import numpy.typing as npt

from seethrough.errors import ConfigError

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]

VOTE_COST = 1.0
"""Slope of one answer from two vote counts under noise of standard deviation 1: (sqrt 2)^2 / 2."""
LOWEST, HIGHEST = log(1e-6), log(1e12)
"""Logarithms of the orders less one between which the best is searched."""
STEPS = 200
"""Halvings of an interval: more than the digits of a float."""


def epsilon_at(slope: float, delta: float, order: Floats) -> Floats:
    """Convert to epsilon by each of some orders, which have to be above 1."""
    return slope * order + np.log1p(-1 / order) - (np.log(order) + log(delta)) / (order - 1)


def spent_epsilon(slope: float, delta: float) -> float:
    """Convert to the least epsilon that some order gives; 0 where nothing was spent."""
    if slope <= 0:
        return 0.0
    # A coarse look first, because the bound need not fall and rise once only; then the neighbourhood of the best.
    grid, best = np.linspace(LOWEST, HIGHEST, 400), inf
    for _ in range(6):
        found = epsilon_at(slope, delta, 1 + np.exp(grid))
        step, middle = float(grid[1] - grid[0]), float(grid[int(np.argmin(found))])
        best = min(best, float(found.min()))
        grid = np.linspace(max(LOWEST, middle - step), min(HIGHEST, middle + step), 41)
    return max(0.0, best)


def slope_within(epsilon: float, delta: float) -> float:
    """Find the largest slope that may be spent."""
    check_budget(epsilon, delta)
    low, high = 0.0, epsilon
    while spent_epsilon(high, delta) <= epsilon:
        low, high = high, 2 * high
    for _ in range(STEPS):
        middle = (low + high) / 2
        low, high = (middle, high) if spent_epsilon(middle, delta) <= epsilon else (low, middle)
        if high - low <= 1e-12 * high:
            break
    return low


def noise_for_votes(queries: int, epsilon: float, delta: float) -> float:
    """Find the standard deviation of the noise on both vote counts with which so many answers keep to the budget."""
    if queries < 1:
        raise ConfigError(f"{queries} answers have no noise scale; at least one is needed")
    # A little more than the division says, so that rounding cannot overspend when the answers are added up again.
    return float(np.sqrt(VOTE_COST * queries / slope_within(epsilon, delta)) * (1 + 1e-9))


def check_budget(epsilon: float, delta: float) -> None:
    """Refuse a budget that is none."""
    if not 0 < epsilon < inf:
        raise ConfigError(f"epsilon is {epsilon}; a number above 0 is expected")
    if not 0 < delta < 1:
        raise ConfigError(f"delta is {delta}; a number between 0 and 1 is expected")


@dataclass
class VoteLedger:
    """Answers from vote counts under noise of one standard deviation; refuses the answer that would overspend."""

    noise: float
    epsilon: float
    delta: float
    answers: int = 0

    def __post_init__(self) -> None:
        """Refuse what cannot be accounted for."""
        check_budget(self.epsilon, self.delta)
        if not self.noise > 0:
            raise ConfigError(f"answers under noise of {self.noise} are not private; the noise has to be above 0")

    def charge(self, answers: int) -> None:
        """Pay for answers before they are given."""
        if answers < 0:
            raise ValueError("a number of answers is not negative")
        cost = spent_epsilon(self._slope(self.answers + answers), self.delta)
        if cost > self.epsilon:
            raise ConfigError(
                f"{answers} more answers would cost epsilon {cost:.6g} in all, above the budget of {self.epsilon:.6g}"
            )
        self.answers += answers

    def majority(self, votes: Ints, voters: int, rng: np.random.Generator) -> Bools:
        """Say for each question whether most of the voters say yes, after noise on both counts; paid for before."""
        self.charge(len(votes))
        noise = self.noise * rng.standard_normal((2, len(votes)))
        found: Bools = votes + noise[0] > (voters - votes) + noise[1]
        return found

    @property
    def spent(self) -> float:
        """The epsilon of all answers so far."""
        return spent_epsilon(self._slope(self.answers), self.delta)

    def _slope(self, answers: int) -> float:
        return VOTE_COST * answers / self.noise**2
