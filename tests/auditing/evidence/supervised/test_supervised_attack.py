"""The supervised attack in an audit: what it finds, when it is skipped, and how its p joins the others."""

from dataclasses import replace

import numpy as np
import pytest

from seethrough.attacks.membership.log_ratio import LogRatio
from seethrough.attacks.membership.nearness import Nearness
from seethrough.auditing.evidence.assess import Arsenal, EvidenceRules, assess
from seethrough.auditing.evidence.battery import AttackAnswers
from seethrough.auditing.evidence.grading import attack_evidence, grade_of
from seethrough.auditing.evidence.pool import make_pool
from seethrough.auditing.evidence.significance import compare_groups
from seethrough.auditing.evidence.supervised.attack import FEWEST, supervised_answers
from seethrough.auditing.evidence.supervised.folds import FOLDS, deal_folds
from seethrough.data.release import PeopleDesign
from seethrough.data.rows import stack_tables
from seethrough.errors import NotApplicable
from seethrough.kernels.budget import Budget
from seethrough.kernels.statistics.roc import placements
from seethrough.results.evidence import Grade, GradeLimits, LeakFamily

RULES = EvidenceRules(0, permutations=199)
ARSENAL = Arsenal((Nearness(), LogRatio()), (), is_supervised=True)


def pool_of(real, outside, release, threads=1, design=None):
    more = () if design is None else (design,)
    return make_pool((real, outside, release), 0, Budget(threads=threads), *more)


def several_rows_each(table, times):
    """Every person comes so many times, with the same values each time."""
    return stack_tables([table] * times), np.tile(np.arange(len(table)), times)


@pytest.fixture(scope="module")
def copied(sample):
    """A third of the release is copied from the members."""
    real = sample(300, 0)
    return real, sample(400, 1), stack_tables([real.take(np.arange(100)), sample(200, 2)])


@pytest.fixture(scope="module")
def with_leak(copied):
    return assess(copied, ARSENAL, RULES, Budget(threads=1))


def test_folds_have_as_many_members_each_and_keep_people_together(sample):
    real, mine = several_rows_each(sample(43, 0), 3)
    outside, others = several_rows_each(sample(61, 1), 2)
    pool = pool_of(real, outside, sample(50, 2), design=PeopleDesign(real=mine, outside=others))
    folds = deal_folds(pool, 0)
    assert len(folds) == pool.size
    for group in (pool.member_people, ~pool.member_people):
        assert np.ptp(np.bincount(folds[group], minlength=FOLDS)) <= 1


def test_it_finds_copies_and_its_p_has_a_tenth_of_the_error(with_leak):
    found = {attack.label: attack for attack in with_leak.evidence.attacks}["supervised"]
    assert found.families == (LeakFamily.MEMBERSHIP,)
    assert found.auc.value > 0.6
    assert found.p < 0.001
    assert found.p_adjusted == pytest.approx(10 * found.p)
    assert found.tpr["0.1"].value > 0.25
    assert "forward test" in found.notes[0]


def test_where_it_was_skipped_the_others_have_all_of_the_error(copied, with_leak):
    alone = assess(copied, replace(ARSENAL, is_supervised=False), RULES, Budget(threads=1)).evidence
    joined = {attack.label: attack.p_adjusted for attack in with_leak.evidence.attacks}
    for attack in alone.attacks:
        assert joined[attack.label] == pytest.approx(min(1.0, attack.p_adjusted / 0.9))


def test_answers_that_saw_labels_are_not_handed_on_to_be_permuted(with_leak):
    assert {answer.name for answer in with_leak.answers} == {"nearness", "log-ratio"}


def test_too_few_people_are_said(sample):
    few = FEWEST - 1
    release = sample(100, 2)
    with pytest.raises(NotApplicable, match=f"{few} members are too few to learn from"):
        supervised_answers(pool_of(sample(few, 0), sample(600, 1), release), 0)
    with pytest.raises(NotApplicable, match="198 people outside are too few"):
        supervised_answers(pool_of(sample(300, 0), sample(220, 1), release), 0)
    evidence = assess((sample(few, 0), sample(600, 1), release), ARSENAL, RULES, Budget(threads=1)).evidence
    assert "supervised" not in {attack.name for attack in evidence.attacks}
    assert any(f"supervised: {few} members" in reason for reason in evidence[LeakFamily.MEMBERSHIP].cannot_tell)


def test_threads_and_order_of_rows_change_nothing(copied):
    real, outside, release = copied
    found = supervised_answers(pool_of(real, outside, release), 0)
    threaded = supervised_answers(pool_of(real, outside, release, threads=3), 0)
    np.testing.assert_array_equal(threaded.scores, found.scores)
    assert threaded.p_forward == found.p_forward
    shuffled = [table.take(np.random.default_rng(9).permutation(len(table))) for table in copied]
    again = supervised_answers(pool_of(*shuffled), 0)
    np.testing.assert_array_equal(np.sort(again.scores), np.sort(found.scores))
    assert again.p_forward == found.p_forward


def test_a_release_of_others_is_no_leak(sample):
    evidence = assess((sample(300, 0), sample(400, 1), sample(300, 2)), ARSENAL, RULES, Budget(threads=1)).evidence
    found = {attack.label: attack for attack in evidence.attacks}["supervised"]
    assert abs(found.auc.value - 0.5) < 0.1
    assert grade_of(found, GradeLimits()) is Grade.NO_LEAK_FOUND


def test_rows_of_one_person_do_not_tell_on_each_other(sample):
    """Were a person's rows in several folds, trees would know each by the person's own values."""
    real, mine = several_rows_each(sample(250, 0), 4)
    outside, others = several_rows_each(sample(300, 1), 4)
    pool = pool_of(real, outside, sample(300, 2), design=PeopleDesign(real=mine, outside=others))
    found = supervised_answers(pool, 0)
    area = placements(found.scores[pool.members], found.scores[~pool.members]).mean()
    assert abs(area - 0.5) < 0.1
    assert found.p_forward > 0.001


def test_scores_that_tell_everybody_apart_do_not_grade_without_a_forward_p():
    """Cross-fitted scores may look like a leak by chance; the forward test decides."""
    members = np.arange(400) < 200
    rng = np.random.default_rng(0)
    everybody = np.ones(400, bool)
    telling = AttackAnswers(
        "supervised", (LeakFamily.MEMBERSHIP,), members + 0.0, False, "", everybody, 0.0, p_forward=0.03
    )
    other = AttackAnswers("nearness", (LeakFamily.MEMBERSHIP,), rng.normal(size=400), False, "", everybody, 0.0)
    grades = []
    for p in (0.006, 0.004):
        answers = (replace(telling, p_forward=p), other)
        significance = compare_groups(answers, members, np.random.default_rng(1), 199)
        found = attack_evidence(answers, members, significance, 0.95)[0]
        assert found.lower > 0.1
        assert (found.p, found.p_adjusted) == (p, pytest.approx(10 * p))
        grades.append(grade_of(found, GradeLimits()))
    assert grades == [Grade.NO_LEAK_FOUND, Grade.SEVERE]


def test_the_lower_end_allows_for_what_cross_fitting_adds():
    members = np.arange(400) < 200
    scores = members * 0.5 + np.random.default_rng(0).normal(size=400)
    told = AttackAnswers(
        "supervised", (LeakFamily.MEMBERSHIP,), scores, False, "", np.ones(400, bool), 0.0, p_forward=0.01
    )
    blind = replace(told, name="nearness", p_forward=None)
    significance = compare_groups((told, blind), members, np.random.default_rng(1), 999)
    # The permuted attacks have nine tenths of the error, the supervised one a tenth, and it is held to both.
    critical = significance.critical(1, 0.95)
    assert critical == significance.test.quantile(0.955)
    assert significance.critical(0, 0.95) == pytest.approx(2.575829)  # of a normal deviate, once in 200
    mine, other = attack_evidence((told, blind), members, significance, 0.95)
    assert mine.auc == other.auc
    assert mine.lower < other.lower
    power = 0.841621  # of a normal deviate, in 80 %
    assert mine.detectable / other.detectable == pytest.approx(2**0.5 * (2.575829 + power) / (critical + power))


def test_the_supervised_attack_alone_can_be_judged():
    members = np.arange(400) < 200
    told = AttackAnswers(
        "supervised", (LeakFamily.MEMBERSHIP,), members + 0.0, False, "", np.ones(400, bool), 0.0, p_forward=0.01
    )
    significance = compare_groups((told,), members, np.random.default_rng(1), 99)
    assert (significance.p(0), significance.p_adjusted(0)) == (0.01, pytest.approx(0.1))
    assert significance.critical(0, 0.95) == pytest.approx(2.575829)
