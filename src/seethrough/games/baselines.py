"""Guessing without the release: what every attack has to beat. In the game all of these are right by chance alone.

random
    Any value.
majority
    The most frequent value of the population.
imputation
    What a classifier says that has learnt from records of other people, those of the population outside the table that
    the release was made from (at most 2000 of them); absent where there are none.
"""

from collections.abc import Iterator

import numpy as np

from seethrough.bench.secret_classifier import SecretTask
from seethrough.games.dealing import Deal
from seethrough.games.population import Population
from seethrough.kernels.arrays import Floats
from seethrough.kernels.budget import Budget

MOST_OTHERS = 2000


def baselines(
    population: Population, deal: Deal, rng: np.random.Generator, budget: Budget
) -> Iterator[tuple[str, Floats]]:
    """Score every class for every target, by each baseline in turn."""
    targets, classes = len(deal.targets), len(population.classes)
    yield "random", np.full((targets, classes), 1 / classes)
    counts = np.bincount(population.secrets, minlength=classes + 1)[1 : classes + 1]
    yield "majority", np.tile((counts == counts.max()) / (counts == counts.max()).sum(), (targets, 1))
    if len(deal.others):
        some = rng.permutation(deal.others)[:MOST_OTHERS]
        task = SecretTask(population.secret, population.classes)
        yield "imputation", task.scores(population.table.take(some), deal.known.take(deal.targets), rng, budget)
