"""Are the people outside like the members? A learner that sees people's own values, and no release, tries to tell.

Boosted trees learn who is a member from people's own values. Everybody is dealt into five folds with as many members
each; fold k is rated by a model of folds 1 to k - 1. Given the earlier folds the model is fixed, and labels in the fold
are exchangeable if both groups are draws of one population (all rows of a person stand in one fold, and their scores
are averaged): the p of each fold, by permutation of its labels, is valid
given the past, and the four are joined as independent (Stouffer). Cross-fitted scores, each fold rated by a model of
all others, must not be permuted: every pair of people then counts twice with the same sign, and a test at 5 % rejects
12 % of the time.

Where this test rejects, members and people outside differ without any release, and nothing that tells them apart on the
release is evidence of a leak.
"""

from math import sqrt

import numpy as np
from scipy.special import ndtr, ndtri
from scipy.stats import rankdata

from seethrough.auditing.evidence.people.persons import mean_of
from seethrough.auditing.evidence.pool import Pool
from seethrough.auditing.evidence.significance import top
from seethrough.data.table import Table
from seethrough.kernels.arrays import Bools, Floats, Ints
from seethrough.kernels.learning.membership_trees import membership_log_odds
from seethrough.kernels.statistics.permutation import permutation_test

FOLDS = 5
PERMUTATIONS = 999
DIFFERENT = 0.01
"""p below which the two groups are called different."""
MOST = 20_000
"""People who are looked at; of more, so many are drawn."""


def population_p(pool: Pool, rng: np.random.Generator) -> float:
    """Give the p of the hypothesis that members and people outside are draws of one population."""
    drawn = np.sort(rng.permutation(pool.size)[:MOST])
    fold_of_person = np.full(pool.size, FOLDS)
    fold_of_person[drawn] = _folds(pool.member_people[drawn], rng)
    features, folds = own_values(pool.people), fold_of_person[pool.persons]
    z = []
    for fold in range(1, FOLDS):
        before, here = np.flatnonzero(folds < fold), np.flatnonzero(folds == fold)
        log_odds = membership_log_odds(features[before], pool.members[before], features[here], rng)
        people = fold_of_person == fold
        scores = mean_of(log_odds, pool.persons[here], pool.size)[people]
        z.append(float(ndtri(1 - _fold_p(scores, pool.member_people[people], rng))))
    return float(1 - ndtr(sum(z) / sqrt(len(z))))


def own_values(people: Table) -> Floats:
    """Give people's own values as numbers: codes of categories, numbers as they are, missing ones as NaN."""
    return np.column_stack([values.astype(np.float64) for values in people.columns])


def _folds(members: Bools, rng: np.random.Generator) -> Ints:
    """Deal members and others each into folds whose sizes differ by one at most."""
    folds = np.empty(len(members), np.int64)
    for group in (members, ~members):
        folds[group] = rng.permutation(np.arange(int(group.sum())) % FOLDS)
    return folds


def _fold_p(scores: Floats, members: Bools, rng: np.random.Generator) -> float:
    vectors = np.column_stack([rankdata(scores), top(scores, -(-len(scores) // 10))])
    # Either group may be the one that stands out, but the model has learnt which: one side is enough.
    return permutation_test(vectors, members, rng, PERMUTATIONS).p_of_maximum(np.arange(2))
