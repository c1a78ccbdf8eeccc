"""Supervised attack: boosted trees that learn from labelled people how members look on this release.

    rating = ln odds of "is a member", by trees trained on people of other folds

The auditor knows who was in the data, which no adversary does; one with shadow models learns much the same.
100 trees of 15 leaves, learning rate 0.075, each on half of the features, in 63 bins, and 80 % of the people, both
kinds weighing the same; features are in `features`. Everybody is dealt into five folds with as many members each.

cross-fit
    Each fold is rated by a model of the other four. Area, true positive rates, precision and single people are from
    these scores. Near no leak they vary up to 1.4 times as much as scores that never saw a label (every pair of people
    counts twice), so intervals from them are approximate there, and the lower end that grades is taken with an error
    1.4 times as large.
forward fit
    Fold k is rated by a model of folds 1 to k - 1. The p is from these scores alone (`forward`), and is exact.

The last model serves both, so there are eight fits. All rows of a person stand in one fold. The p is joined with that
of the single attacks by Bonferroni and has a tenth of the error. Below 200 members or 200 people outside nothing is
learnt that single ratings do not find, and the attack is skipped.

What it sees
------------
All that single ratings see, and how they go together in different parts of the table.

What it misses
--------------
Leaks that few people show: with 200 members and 200 people outside it called .64 of four diffusion releases leaking,
the log ratio .94.

Strong against
--------------
Diffusion models. On four releases of one, with 19,900 members, 10,000 people outside and as many in the reference each,
it found 23.1, 11.5 and 6.8 of 100 members at 10, 1 and 0.1 % false alarms, all releases pooled.

References
----------
None: it follows from the ratings and from sample splitting.

Deviations
----------
None, as there is no paper.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import ClassVar

import numpy as np

from seethrough.auditing.evidence.battery import SUPERVISED, AttackAnswers
from seethrough.auditing.evidence.people.persons import largest_of
from seethrough.auditing.evidence.pool import Pool
from seethrough.auditing.evidence.supervised.features import membership_features
from seethrough.auditing.evidence.supervised.folds import FOLDS, deal_folds
from seethrough.auditing.evidence.supervised.forward import forward_p
from seethrough.errors import NotApplicable
from seethrough.kernels.arrays import Bools, Floats, Ints
from seethrough.kernels.learning.membership_trees import MembershipTrees
from seethrough.results.evidence import LeakFamily
from seethrough.seeds import stream

FEWEST = 200
"""Members, and people outside, below which it learns little."""
MOST_LEARNT = 50_000
"""Rows that a model is trained on; of more, so many are drawn. Everybody is rated."""
APPROXIMATE = (
    "trained on labels, which an adversary does not have; scores are cross-fitted, so near no leak the intervals of "
    "area and true positive rates are too narrow by a factor of up to 1.4. The p is exact (forward test)"
)


@dataclass(frozen=True)
class SupervisedAttack:
    """The attack as it is listed among the others; it has no parameters."""

    name: ClassVar[str] = SUPERVISED
    title: ClassVar[str] = "Boosted trees that learn how members look"
    families: ClassVar[tuple[LeakFamily, ...]] = (LeakFamily.MEMBERSHIP,)


def supervised_answers(pool: Pool, seed: int) -> AttackAnswers:
    """Rate everybody by models of other folds, and test by models of earlier ones."""
    inside = int(pool.member_people.sum())
    for count, kind in ((inside, "members"), (pool.size - inside, "people outside")):
        if count < FEWEST:
            raise NotApplicable(
                f"{count} {kind} are too few to learn from; at least {FEWEST} of either kind are needed"
            )
    begun = time.perf_counter()
    folds = deal_folds(pool, seed)
    crossed, ahead = fit_folds(pool, membership_features(pool.bench), folds, seed)
    tested = [
        (largest_of(scores, pool.persons[rows], pool.size)[folds == fold], pool.member_people[folds == fold])
        for fold, (rows, scores) in enumerate(ahead, 1)
    ]
    return AttackAnswers(
        SUPERVISED,
        (LeakFamily.MEMBERSHIP,),
        crossed,
        is_share=False,
        measure="",
        asked=np.ones(len(pool.members), bool),
        seconds=time.perf_counter() - begun,
        notes=(APPROXIMATE,),
        p_forward=forward_p(tested, stream(seed, "forward test"), pool.bench.budget.device),
    )


def fit_folds(pool: Pool, features: Floats, folds: Ints, seed: int) -> tuple[Floats, list[tuple[Ints, Floats]]]:
    """Give the cross-fitted scores of all rows, and rows and scores of the second and each later fold ahead."""
    of_row, trees = folds[pool.persons], MembershipTrees(features)
    crossed = np.empty(len(of_row))
    ahead: list[tuple[Ints, Floats]] = [(np.flatnonzero(of_row == fold), np.empty(0)) for fold in range(1, FOLDS)]

    def work(fold: int, *, looks_ahead: bool) -> None:
        known = of_row < fold if looks_ahead else of_row != fold
        rng = stream(seed, f"supervised fit {fold} {'ahead' if looks_ahead and fold < FOLDS - 1 else 'of all others'}")
        here = np.flatnonzero(of_row == fold)
        scores = trees.log_odds(pool.members, _learnt(known, rng), here, rng)
        if looks_ahead:
            ahead[fold - 1] = here, scores
        if not looks_ahead or fold == FOLDS - 1:  # all folds but the last are all earlier ones
            crossed[here] = scores

    # The largest models first, so that no thread is left alone with one at the end.
    jobs: list[Callable[[], None]] = [partial(work, FOLDS - 1, looks_ahead=True)]
    jobs += [partial(work, fold, looks_ahead=False) for fold in range(FOLDS - 1)]
    jobs += [partial(work, fold, looks_ahead=True) for fold in range(FOLDS - 2, 0, -1)]
    pool.bench.budget.run(jobs)
    return crossed, ahead


def _learnt(known: Bools, rng: np.random.Generator) -> Ints:
    """Give the rows that a model is trained on, in ascending order."""
    rows = np.flatnonzero(known)
    return rows if len(rows) <= MOST_LEARNT else np.sort(rng.permutation(rows)[:MOST_LEARNT])
