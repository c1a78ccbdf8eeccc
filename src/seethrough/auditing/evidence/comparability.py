"""Are the people outside like the members? A learner that sees people's own values, and no release, tries to tell.

It is the supervised attack without the release: the same learner, the same folds and the same forward test
(`supervised/forward`), with people's own values as the only features. Where people have several rows their scores are
averaged. Where the test rejects, members and people outside differ without any release, and nothing that tells them
apart on the release is evidence of a leak.
"""

from functools import partial

import numpy as np

from seethrough.auditing.evidence.people.persons import mean_of
from seethrough.auditing.evidence.pool import Pool
from seethrough.auditing.evidence.supervised.folds import FOLDS, deal_folds
from seethrough.auditing.evidence.supervised.forward import forward_p
from seethrough.bench.membership.columns_alone import OwnValues
from seethrough.kernels.arrays import Bools, Floats
from seethrough.kernels.learning.membership_trees import MembershipTrees
from seethrough.seeds import stream

DIFFERENT = 0.01
"""p below which the two groups are called different."""
MOST = 20_000
"""People who are looked at; of more, so many are drawn."""


def population_p(pool: Pool, seed: int) -> float:
    """Give the p of the hypothesis that members and people outside are draws of one population."""
    rng = stream(seed, "comparability")
    folds = deal_folds(pool, seed)
    folds[rng.permutation(pool.size)[MOST:]] = FOLDS
    trees = MembershipTrees(pool.bench.get(OwnValues()))
    tested: list[tuple[Floats, Bools]] = [(np.empty(0), np.empty(0, bool))] * (FOLDS - 1)

    def work(fold: int) -> None:
        of_row, people = folds[pool.persons], folds == fold
        known, here = np.flatnonzero(of_row < fold), np.flatnonzero(of_row == fold)
        fit = stream(seed, f"comparability fit {fold}")
        log_odds = trees.log_odds(pool.members, known, here, fit)
        scores = mean_of(log_odds, pool.persons[here], pool.size)[people]
        tested[fold - 1] = scores, pool.member_people[people]

    pool.bench.budget.run([partial(work, fold) for fold in range(FOLDS - 1, 0, -1)])
    return forward_p(tested, rng, pool.bench.budget.device)
