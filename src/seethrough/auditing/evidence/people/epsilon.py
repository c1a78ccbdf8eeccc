"""A lower bound of epsilon, where fair coins decided who of an audit set was in the data.

Only people whose coin is fair given everything that attacks were shown are counted: those of the audit set who are
neither in the reference nor in the part of the members that is left out in its stead. They are ranked by one rating
named in advance; ties are broken by chance.
"""

import numpy as np

from seethrough.auditing.evidence.battery import AttackAnswers
from seethrough.auditing.evidence.pool import Pool
from seethrough.kernels.statistics.one_run_epsilon import naming_grid, one_run_epsilon
from seethrough.results.evidence import EpsilonBound


def epsilon_bound(
    answer: AttackAnswers, pool: Pool, rng: np.random.Generator, confidence: float
) -> EpsilonBound | None:
    """Bound epsilon by how many of the people rated highest are members; None where too few can be named."""
    if pool.coined is None:
        return None
    people = np.flatnonzero(pool.of_people(pool.coined))
    grid = naming_grid(len(people))
    if not grid:
        return None
    order = np.lexsort((rng.random(len(people)), -answer.scores[people]))
    is_member = pool.member_people[people[order]]
    found = one_run_epsilon(is_member, grid, confidence)
    return EpsilonBound(
        found.epsilon, found.ceiling, confidence, found.named, found.right, len(people), grid, answer.name
    )
