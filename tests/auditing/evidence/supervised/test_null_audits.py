"""Without a leak p is not below uniform: battery, forward test, their join; of permuted cross-fitted scores it is.

`SEETHROUGH_NULL_AUDITS=1000` runs as many audits as the proof asks for; by default there are as many as a few minutes
allow. From 400 on the test can see what permuting cross-fitted scores does, which the second test, with features of
noise and fewer trees, always shows.
"""

import os

import numpy as np
import pytest
from scipy.stats import kstest

from seethrough.auditing.evidence.battery import run_battery
from seethrough.auditing.evidence.pool import Pool, make_pool
from seethrough.auditing.evidence.significance import compare_groups, rating_vectors
from seethrough.auditing.evidence.supervised.attack import fit_folds, supervised_answers
from seethrough.auditing.evidence.supervised.folds import deal_folds
from seethrough.auditing.evidence.supervised.forward import forward_p
from seethrough.bench.bench import Bench
from seethrough.bench.pool import Seen
from seethrough.kernels.budget import Budget
from seethrough.kernels.learning import membership_trees
from seethrough.kernels.statistics.permutation import permutation_test
from seethrough.plugins import catalog

AUDITS = int(os.environ.get("SEETHROUGH_NULL_AUDITS", "40"))
NOISE_RUNS, NOISE_FEATURES, NOISE_TREES = 1_600, 20, 30
PEOPLE = 200
PERMUTATIONS = 499
ENOUGH_TO_SEE = 400


def too_small(p):
    """The chance to see so many small p if they are uniform or larger."""
    return kstest(p, "uniform", alternative="greater").pvalue


def permuted_p(scores, members, rng):
    vectors = np.column_stack(rating_vectors(scores))
    return permutation_test(vectors, members, rng, PERMUTATIONS).p_of_maximum(np.arange(vectors.shape[1]))


def one_audit(sample, seed):
    """Members, people outside and a release, all of one population and independent; 200 of each are rated."""
    tables = (sample(PEOPLE, 3 * seed), sample(PEOPLE + 22, 3 * seed + 1), sample(PEOPLE, 3 * seed + 2))
    pool = make_pool(tables, seed, Budget(threads=1))
    battery = run_battery(pool, catalog.arsenal("fast").ratings, (), seed, learner=supervised_answers)
    *single, told = battery.answers
    rng = np.random.default_rng(seed)
    tested = compare_groups(battery.answers, pool.member_people, rng, PERMUTATIONS)
    alone = compare_groups(single, pool.member_people, np.random.default_rng(seed), PERMUTATIONS)
    return {
        "battery": min(alone.p_adjusted(number) for number in range(len(single))),
        "forward": told.p_forward,
        "joined": min(tested.p_adjusted(number) for number in range(len(battery.answers))),
        "cross-fit, permuted": permuted_p(told.scores, pool.member_people, rng),
    }


@pytest.mark.slow
def test_null_audits_have_p_that_are_not_below_uniform(sample):
    found = [one_audit(sample, seed) for seed in range(1, AUDITS + 1)]
    p = {name: np.array([each[name] for each in found]) for name in found[0]}
    np.testing.assert_allclose(p["joined"], np.minimum(1, np.minimum(p["battery"] / 0.9, p["forward"] / 0.1)))
    for name in ("battery", "forward", "joined"):
        assert too_small(p[name]) > 0.01, name
    if AUDITS >= ENOUGH_TO_SEE:
        assert too_small(p["cross-fit, permuted"]) < 0.01


@pytest.mark.slow
def test_forward_holds_its_level_where_permuted_cross_fitted_scores_do_not(sample, monkeypatch):
    monkeypatch.setattr(membership_trees, "ROUNDS", NOISE_TREES)
    table = sample(2 * PEOPLE, 0)
    bench = Bench(dict.fromkeys(Seen, table), Budget(threads=1))
    everybody = np.arange(2 * PEOPLE)
    forward, crossed = [], []
    for seed in range(NOISE_RUNS):
        rng = np.random.default_rng(seed)
        members = rng.permutation(everybody < PEOPLE)
        pool = Pool(bench, members, everybody, everybody, reference_people=0)
        folds = deal_folds(pool, seed)
        scores, ahead = fit_folds(pool, rng.normal(size=(2 * PEOPLE, NOISE_FEATURES)), folds, seed)
        forward.append(forward_p([(each, members[rows]) for rows, each in ahead], rng))
        crossed.append(permuted_p(scores, members, rng))
    assert too_small(forward) > 0.01
    assert too_small(crossed) < 0.01
    assert np.mean(np.array(forward) <= 0.05) < 0.067  # three standard errors of 1,600 runs
