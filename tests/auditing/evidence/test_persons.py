"""Several rows a person: drawn, combined, permuted and counted by person."""

import numpy as np
import pytest
from scipy.stats import binomtest

from seethrough.auditing.evidence.battery import AttackAnswers, Battery
from seethrough.auditing.evidence.people.persons import by_person
from seethrough.auditing.evidence.pool import make_pool, rated_at_most
from seethrough.auditing.evidence.significance import compare_groups
from seethrough.data.release import PeopleDesign
from seethrough.kernels.budget import Budget
from seethrough.results.evidence import Grade, LeakFamily

VISITS = 5


def visits(table, each=VISITS):
    """Give everybody several rows that are alike."""
    return table.take(np.repeat(np.arange(len(table)), each))


def design_of(members, outsiders, each=VISITS):
    return PeopleDesign(np.repeat(np.arange(members), each), np.repeat(np.arange(members, members + outsiders), each))


def pool_of(sample, members=40, outsiders=40, seed=0):
    tables = visits(sample(members, 1)), visits(sample(outsiders, 2)), sample(60, 3)
    return make_pool(tables, seed, Budget(threads=1), design_of(members, outsiders))


def test_all_rows_of_a_person_go_one_way(sample):
    pool = pool_of(sample)
    assert len(pool.members) == VISITS * (40 + 30)
    assert (pool.size, pool.reference_people, len(pool.reference)) == (70, 10, 10 * VISITS)
    assert (np.bincount(pool.persons) == VISITS).all()
    for person in range(pool.size):
        assert len(set(pool.members[pool.persons == person])) == 1
    # Person numbers of the real table: rows 0 to 4 are one person, and so on.
    owners = {frozenset(pool.rows[pool.persons == person] // VISITS) for person in range(pool.size)}
    assert all(len(owner) == 1 for owner in owners)


def test_a_person_is_rated_with_all_rows_or_not_at_all(sample):
    tables = visits(sample(40, 1)), visits(sample(40, 2)), sample(60, 3)
    pool = make_pool(tables, 0, Budget(threads=1), design_of(40, 40), most=48)
    assert pool.members.sum() == (~pool.members).sum() == 45
    assert (np.bincount(pool.persons) == VISITS).all()


def answers(scores, asked, secret=None, exposure=None):
    return AttackAnswers(
        "any", (LeakFamily.MEMBERSHIP,), scores, False, "", asked, 0.0, secret=secret, exposure=exposure
    )


def test_guesses_are_averaged_and_ratings_are_the_largest(sample):
    pool = pool_of(sample)
    scores = np.random.default_rng(0).random(len(pool.members))
    asked = np.ones(len(scores), bool)
    asked[pool.persons == 3] = False
    first = np.flatnonzero(pool.persons == 5)[0]
    asked[first] = False
    rated, guessed = by_person(Battery((answers(scores, asked), answers(scores, asked, "ill", scores))), pool).answers
    for person in range(pool.size):
        mine = scores[(pool.persons == person) & asked]
        assert rated.asked[person] == guessed.asked[person] == (person != 3)
        if len(mine):
            assert rated.scores[person] == mine.max() == guessed.exposure[person]
            assert guessed.scores[person] == pytest.approx(mine.mean())


def test_one_row_each_is_left_as_it_is(sample):
    pool = make_pool((sample(40, 1), sample(40, 2), sample(60, 3)), 0, Budget(threads=1))
    battery = Battery((answers(np.zeros(len(pool.members)), np.ones(len(pool.members), bool)),))
    assert by_person(battery, pool) is battery
    assert (pool.persons == np.arange(70)).all()


def test_permuting_people_holds_its_level_where_permuting_rows_does_not(sample):
    """Rows of a person are alike: rows permuted one by one would reject far more often than one time in twenty."""
    rng, runs, pool = np.random.default_rng(4), 150, pool_of(sample)
    by_people, by_rows = 0, 0
    for _ in range(runs):
        own = rng.normal(size=pool.size)
        answer = answers(own[pool.persons] + 0.1 * rng.normal(size=len(pool.persons)), np.ones(len(pool.persons), bool))
        combined = by_person(Battery((answer,)), pool).answers
        by_people += compare_groups(combined, pool.member_people, rng, 199).p_adjusted(0) <= 0.05
        by_rows += compare_groups((answer,), pool.members, rng, 199).p_adjusted(0) <= 0.05
    assert binomtest(by_people, runs, 0.05, alternative="greater").pvalue > 0.001
    assert binomtest(by_people, runs, 0.05, alternative="less").pvalue > 0.001
    assert by_rows > runs / 4


def test_sizes_intervals_and_lists_count_people(sample, evidence_on):
    real, outside = visits(sample(100, 1)), visits(sample(100, 2))
    found = evidence_on(real, outside, real, design=design_of(100, 100))
    assert found.verdict.grade is Grade.SEVERE
    assert (found.sizes.members, found.sizes.outsiders, found.sizes.reference) == (100, 80, 20)
    assert {attack.n_members for attack in found.attacks} == {100}
    listed = [person.row for person in found.people if person.family is LeakFamily.IDENTITY]
    assert len(listed) == len({(row - 1) // VISITS for row in listed}) == 100
    for each in found.at_risk:
        assert (each.p.reshape(100, VISITS) == each.p.reshape(100, VISITS)[:, :1]).all()


def test_the_order_of_rows_and_the_numbers_of_people_change_nothing(sample, evidence_on):
    real, outside, release = visits(sample(60, 1)), visits(sample(60, 2)), sample(60, 4)
    design = design_of(60, 60)
    rng = np.random.default_rng(0)
    mine, others = rng.permutation(len(real)), rng.permutation(len(outside))
    shuffled = PeopleDesign(design.real[mine], design.outside[others])
    first = evidence_on(real, outside, release, design=design)
    second = evidence_on(real.take(mine), outside.take(others), release, design=shuffled)
    assert [attack.leak for attack in first.attacks] == [attack.leak for attack in second.attacks]
    assert [attack.p_adjusted for attack in first.attacks] == [attack.p_adjusted for attack in second.attacks]


def test_fewer_than_30_people_outside_cannot_tell_however_many_rows_they_have(sample, evidence_on):
    found = evidence_on(visits(sample(60, 1)), visits(sample(29, 2)), sample(60, 3), design=design_of(60, 29))
    assert found.verdict.grade is Grade.CANNOT_TELL
    assert "29 people; at least 30 are needed" in found.verdict.sentence


@pytest.mark.slow
def test_leak_free_visits_are_called_leaking_in_at_most_one_of_twenty(sample, evidence_on):
    design = design_of(80, 80)
    found = [
        evidence_on(
            *(visits(sample(80, 3 * seed + part)) for part in range(3)), seed=seed, design=design
        ).verdict.grade.is_leak
        for seed in range(100)
    ]
    assert binomtest(sum(found), len(found), 0.05, alternative="greater").pvalue > 0.005


@pytest.mark.parametrize(("released", "rated"), [(100, 100_000), (100_000, 40_000), (1_000_000, 4_000), (10**8, 2_000)])
def test_the_larger_the_release_the_fewer_people_are_rated_against_all_of_it(released, rated):
    assert rated_at_most(released) == rated


def test_so_many_of_either_kind_are_drawn_and_the_release_is_whole(sample):
    pool = make_pool((sample(90, 1), sample(80, 2), sample(60, 3)), 0, Budget(threads=1), most=30)
    assert (int(pool.members.sum()), int((~pool.members).sum()), len(pool.release)) == (30, 30, 60)
