"""Folds of people, with as many members each: all rows of a person stand in one.

Labels are used to deal, which is harmless: given the folds as sets of people, exchanging two people of one fold leaves
the joint law unchanged, so that within a fold labels are uniform with fixed counts, and independent between folds.
"""

import numpy as np

from seethrough.auditing.evidence.pool import Pool
from seethrough.kernels.arrays import Ints
from seethrough.seeds import stream

FOLDS = 5


def deal_folds(pool: Pool, seed: int) -> Ints:
    """Deal members and others each into folds whose sizes differ by one at most; one number a person.

    The attack and the blind control get the same folds.
    """
    rng = stream(seed, "folds")
    folds = np.empty(pool.size, np.int64)
    for group in (pool.member_people, ~pool.member_people):
        folds[group] = rng.permutation(np.arange(int(group.sum())) % FOLDS)
    return folds
