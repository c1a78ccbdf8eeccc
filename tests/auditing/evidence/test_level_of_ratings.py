"""Where members and people outside are exchangeable, each rating's test rejects as often as it says, and so do all.

A release of other people tells nothing, so that labels could be anybody's. A new rating joins by itself.
"""

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import binom

from seethrough.auditing.evidence.battery import run_battery
from seethrough.auditing.evidence.pool import make_pool
from seethrough.auditing.evidence.significance import compare_groups
from seethrough.bench.bench import Bench
from seethrough.bench.pool import Seen
from seethrough.kernels.budget import Budget
from seethrough.plugins import catalog
from seethrough.plugins.testing.populations import people

# All but the one that fits two models a column, which takes seconds for each of hundreds of audits.
RATINGS = [rating for rating in catalog.ratings().values() if rating.name != "error-profile"]
LEVEL = 0.05
SURE = 1e-4
"""Chance that a sound rating rejects more often than the test allows."""


def p_values(n, seed):
    """Audit a release of other people: n members, n people outside of whom some are the reference."""
    tables = people(n, 3 * seed), people(n, 3 * seed + 1), people(200, 3 * seed + 2)
    pool = make_pool(tables, seed, Budget(threads=1))
    found = run_battery(pool, RATINGS, [], seed)
    assert not found.failed
    test = compare_groups(found.answers, pool.members, np.random.default_rng(seed), 199)
    single = {answer.name: test.p(place) for place, answer in enumerate(found.answers)}
    return {**single, "all": min(test.p_adjusted(place) for place in range(len(found.answers)))}


def holds(n, audits):
    """Compare the number of rejections with what chance gives at most."""
    found = [p_values(n, seed) for seed in range(audits)]
    most = binom.ppf(1 - SURE, audits, LEVEL)
    rejected = {name: sum(each[name] <= LEVEL for each in found) for name in found[0]}
    assert all(count <= most for count in rejected.values()), (most, rejected)
    return rejected


def test_few_audits_reject_no_more_than_chance():
    assert set(holds(100, 8)) >= {*(rating.name for rating in catalog.arsenal().ratings), "share-of-release", "all"}


@pytest.mark.slow
@pytest.mark.parametrize(("n", "audits"), [(100, 300), (300, 150)])
def test_the_level_is_five_in_a_hundred(n, audits):
    rejected = holds(n, audits)
    # A test that never rejects would be of no use: mid-ranks of continuous ratings reach the level.
    assert rejected["log-ratio"] >= binom.ppf(SURE, audits, LEVEL)


def test_scores_do_not_know_the_labels():
    tables = people(120, 1), people(120, 2), people(90, 3)
    pool = make_pool(tables, 0, Budget(threads=1))
    shuffled = pool.members[np.random.default_rng(5).permutation(len(pool.members))]
    fresh = Bench({part: pool.bench.table(part) for part in Seen}, Budget(threads=1))
    pools = pool, replace(pool, bench=fresh, members=shuffled)
    usual, other = (run_battery(each, RATINGS, [], 0).answers for each in pools)
    for mine, theirs in zip(usual, other, strict=True):
        np.testing.assert_array_equal(mine.scores, theirs.scores)
