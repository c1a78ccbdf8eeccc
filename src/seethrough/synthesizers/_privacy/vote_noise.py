"""Votes under noise: what many answers from noisy vote counts cost together, and how much noise they need.

Gaussian noise of standard deviation s on something that one record moves by at most D in Euclidean length costs
rho = D^2 / (2 s^2) (`kernels/zcdp.py`): its Renyi divergence of order a is a times that. Costs of answers add up,
whatever was asked after seeing earlier answers. Two vote counts of which a record takes one vote from the one to the
other move by D = sqrt(2): 1 / s^2 for each answer.

References
----------
Mironov 2017, Renyi differential privacy, propositions 1 and 7; Canonne, Kamath, Steinke 2020, The discrete Gaussian for
differential privacy, proposition 12.
"""

from dataclasses import dataclass

import numpy as np

from seethrough.errors import ConfigError
from seethrough.kernels.arrays import Bools, Ints
from seethrough.synthesizers._privacy.zcdp import epsilon_of, rho_of

VOTE_COST = 1.0
"""Cost of one answer from two vote counts under noise of standard deviation 1: (sqrt 2)^2 / 2."""


def noise_for_votes(queries: int, epsilon: float, delta: float) -> float:
    """Find the standard deviation of the noise on both vote counts with which so many answers keep to the budget."""
    if queries < 1:
        raise ConfigError(f"{queries} answers have no noise scale; at least one is needed")
    # A little more than the division says, so that rounding cannot overspend when the answers are added up again.
    return float(np.sqrt(VOTE_COST * queries / rho_of(epsilon, delta)) * (1 + 1e-9))


@dataclass
class VoteLedger:
    """Answers from vote counts under noise of one standard deviation; refuses the answer that would overspend."""

    noise: float
    epsilon: float
    delta: float
    answers: int = 0

    def __post_init__(self) -> None:
        """Refuse what cannot be accounted for."""
        self._limit = rho_of(self.epsilon, self.delta)
        if not self.noise > 0:
            raise ConfigError(f"answers under noise of {self.noise} are not private; the noise has to be above 0")

    def charge(self, answers: int) -> None:
        """Pay for answers before they are given."""
        if answers < 0:
            raise ValueError("a number of answers is not negative")
        if self._cost(self.answers + answers) > self._limit:
            cost = epsilon_of(self._cost(self.answers + answers), self.delta)
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
        return epsilon_of(self._cost(self.answers), self.delta)

    def _cost(self, answers: int) -> float:
        return VOTE_COST * answers / self.noise**2
