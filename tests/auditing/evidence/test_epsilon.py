"""The bound of epsilon from an audit set: nothing without coins, nothing without a leak, much of a copy."""

import numpy as np
import pytest
from scipy.stats import binomtest

from seethrough.auditing.evidence.battery import AttackAnswers
from seethrough.auditing.evidence.people.epsilon import epsilon_bound
from seethrough.auditing.evidence.pool import make_pool
from seethrough.data.release import PeopleDesign
from seethrough.data.split.audit_set import draw_audit_set
from seethrough.kernels.budget import Budget
from seethrough.kernels.statistics.one_run_epsilon import naming_grid
from seethrough.results.evidence import LeakFamily


def split(table, seed, share=0.5, persons=None):
    """Give the training table, the holdout, and the design that a card tells."""
    persons = np.arange(len(table)) if persons is None else persons
    drawn = draw_audit_set(persons, share, seed)
    inside, outside = np.flatnonzero(drawn.is_in), np.flatnonzero(~drawn.is_in)
    numbers = (persons[inside], persons[outside]) if len(np.unique(persons)) < len(persons) else (None, None)
    return table.take(inside), table.take(outside), PeopleDesign(*numbers, drawn.audited[inside])


def ratings(pool, scores):
    everybody = np.ones(pool.size, bool)
    return AttackAnswers("any", (LeakFamily.MEMBERSHIP,), scores, False, "", everybody, 0.0)


def test_a_copy_reaches_nearly_its_ceiling(sample, evidence_on):
    real, outside, design = split(sample(600, 1), 3)
    found = evidence_on(real, outside, real, design=design)
    bound = found.epsilon
    assert found.is_designed
    assert bound.low > 0.8 * bound.ceiling > 2
    assert bound.grid == naming_grid(bound.people)
    told = found.to_dict()["evidence"]
    assert told["exchangeability"] == "designed"
    assert told["epsilon"]["low"] == bound.low


def test_without_coins_there_is_no_epsilon(sample, evidence_on):
    real, outside, _ = split(sample(300, 1), 3)
    found = evidence_on(real, outside, real)
    assert found.epsilon is None
    assert found.to_dict()["evidence"]["exchangeability"] == "assumed"


def test_only_people_of_the_audit_set_are_named_and_none_of_the_reference(sample):
    real, outside, design = split(sample(600, 1), 3)
    pool = make_pool((real, outside, sample(100, 9)), 0, Budget(threads=1), design)
    counted = np.flatnonzero(pool.coined)
    inside = counted[pool.members[counted]]
    assert design.audited[pool.rows[inside]].all()
    assert (pool.coined[~pool.members]).all()
    assert (~pool.members).sum() + len(pool.reference) == len(outside)


def counts(sample, runs):
    """Members and people outside among those who are counted, over many splits."""
    everybody = sample(400, 1)
    for seed in range(runs):
        real, outside, design = split(everybody, seed)
        pool = make_pool((real, outside, everybody.take(np.arange(50))), seed, Budget(threads=1), design)
        yield pool


def test_coins_of_those_who_are_counted_are_fair_though_a_reference_was_taken(sample):
    found = [(int((pool.coined & pool.members).sum()), int(pool.coined.sum())) for pool in counts(sample, 200)]
    inside, people = np.sum(found, axis=0)
    assert binomtest(int(inside), int(people)).pvalue > 0.001
    # And they are independent coins: members vary as the binomial does.
    z = [(members - size / 2) / np.sqrt(size / 4) for members, size in found]
    assert np.var(z) == pytest.approx(1, abs=0.35)


def test_coins_are_fair_where_not_all_of_the_audit_set_can_be_rated(sample):
    everybody, found = sample(1200, 1), []
    for seed in range(100):
        real, outside, design = split(everybody, seed, share=1.0)
        tables = real, outside, everybody.take(np.arange(50))
        pool = make_pool(tables, seed, Budget(threads=1), design, most=300)
        assert pool.members.sum() == (~pool.members).sum() == 300
        found.append((int((pool.coined & pool.members).sum()), int(pool.coined.sum())))
    inside, people = np.sum(found, axis=0)
    assert people > 100 * 250
    assert binomtest(int(inside), int(people)).pvalue > 0.001
    z = [(members - size / 2) / np.sqrt(size / 4) for members, size in found]
    assert np.var(z) == pytest.approx(1, abs=0.45)


def test_ratings_that_know_nothing_give_a_bound_in_at_most_five_runs_of_a_hundred(sample):
    rng, above, runs = np.random.default_rng(0), 0, 400
    for pool in counts(sample, runs):
        bound = epsilon_bound(ratings(pool, rng.random(pool.size)), pool, rng, 0.95)
        above += bound.low > 0
    assert binomtest(above, runs, 0.05, alternative="greater").pvalue > 0.001


def test_with_several_rows_a_person_people_are_named(sample):
    persons = np.repeat(np.arange(300), 3)
    real, outside, design = split(sample(300, 1).take(persons), 3, persons=persons)
    pool = make_pool((real, outside, sample(50, 9)), 0, Budget(threads=1), design)
    known = ratings(pool, pool.member_people.astype(float))
    bound = epsilon_bound(known, pool, np.random.default_rng(0), 0.95)
    assert bound.people == pool.of_people(pool.coined).sum() < 150
    assert bound.low == bound.ceiling
    assert bound.right == bound.named


@pytest.mark.slow
def test_leak_free_releases_have_a_bound_in_at_most_five_of_a_hundred(sample, evidence_on):
    above, runs = 0, 100
    for seed in range(runs):
        real, outside, design = split(sample(300, 2 * seed), seed)
        found = evidence_on(real, outside, sample(200, 2 * seed + 1), seed=seed, design=design)
        above += found.epsilon is not None and found.epsilon.low > 0
    assert binomtest(above, runs, 0.05, alternative="greater").pvalue > 0.005
