"""Votes under noise: what many answers from noisy vote counts cost together, and how much noise they need.

Two vote counts of which a record takes one vote from the one to the other move by D = sqrt(2) in Euclidean length, so
an answer under Gaussian noise of standard deviation s on both costs D^2 / (2 s^2) = 1 / s^2 of zCDP, which is its Renyi
divergence of any order over that order.

References
----------
Mironov 2017, Renyi differential privacy, propositions 1 and 7; Canonne, Kamath, Steinke 2020, The discrete Gaussian for
differential privacy, proposition 12.
"""

from dataclasses import dataclass, field

import numpy as np

from seethrough.errors import ConfigError
from seethrough.kernels.arrays import Bools, Ints
from seethrough.synthesizers._privacy.ledger import ZCDP, PrivacyLedger

VOTE_COST = 1.0
"""Cost of one answer from two vote counts under noise of standard deviation 1: (sqrt 2)^2 / 2."""
PURPOSE = "an answer from the votes"


def noise_for_votes(queries: int, epsilon: float, delta: float) -> float:
    """Find the standard deviation of the noise on both vote counts with which so many answers keep to the budget."""
    if queries < 1:
        raise ConfigError(f"{queries} answers have no noise scale; at least one is needed")
    # A little more than the division says, so that rounding cannot overspend when the answers are added up again.
    return float(np.sqrt(VOTE_COST * queries / ZCDP.budget(epsilon, delta)) * (1 + 1e-9))


@dataclass
class NoisyVotes:
    """Majorities of vote counts under noise of one standard deviation, each paid for before it is given."""

    noise: float
    epsilon: float
    delta: float
    ledger: PrivacyLedger = field(init=False)

    def __post_init__(self) -> None:
        """Refuse what cannot be accounted for."""
        self.ledger = PrivacyLedger(ZCDP.budget(self.epsilon, self.delta), ZCDP)
        if not self.noise > 0:
            raise ConfigError(f"answers under noise of {self.noise} are not private; the noise has to be above 0")

    def majority(self, votes: Ints, voters: int, rng: np.random.Generator) -> Bools:
        """Say for each question whether most of the voters say yes, after noise on both counts."""
        self.ledger.spend(VOTE_COST / self.noise**2, PURPOSE, len(votes))
        noise = self.noise * rng.standard_normal((2, len(votes)))
        is_majority: Bools = votes + noise[0] > (voters - votes) + noise[1]
        return is_majority

    @property
    def answers(self) -> int:
        """How many answers were given."""
        return self.ledger.times(PURPOSE)

    @property
    def epsilon_spent(self) -> float:
        """The epsilon of all answers so far."""
        return self.ledger.epsilon(self.delta)
