"""Which attack leads, and which points the wrong way."""

from dataclasses import replace

import numpy as np
import pytest

from seethrough.auditing.evidence.battery import AttackAnswers
from seethrough.auditing.evidence.grading import attack_evidence
from seethrough.auditing.evidence.headlines import headline_of, turned_round
from seethrough.auditing.evidence.significance import compare_groups
from seethrough.kernels.statistics.intervals import clopper_pearson
from seethrough.results.evidence import LeakFamily, Precision


def answers(people, *named):
    scores = np.random.default_rng(0).normal(size=people)
    everybody = np.ones(people, bool)
    told = AttackAnswers("", (LeakFamily.MEMBERSHIP,), scores, False, "", everybody, 0.0)
    return [replace(told, name=name, p_forward=0.5 if name == "supervised" else None) for name in named]


def evidence(given, members, permutations=99):
    significance = compare_groups(given, members, np.random.default_rng(1), permutations)
    return attack_evidence(given, members, significance, 0.95), significance


@pytest.mark.parametrize(("people", "leads"), [(2000, "supervised"), (1998, "log-ratio")])
def test_log_ratio_leads_until_there_are_a_thousand_of_each_kind(people, leads):
    found, _ = evidence(answers(people, "nearness", "log-ratio", "supervised"), np.arange(people) < people // 2)
    assert headline_of(LeakFamily.MEMBERSHIP, found) == leads
    assert headline_of(LeakFamily.ATTRIBUTE, found) is None


def test_nothing_leads_that_was_not_run():
    found, _ = evidence(answers(100, "nearness"), np.arange(100) < 50)
    assert headline_of(LeakFamily.MEMBERSHIP, found) is None


def test_ratings_that_find_people_outside_are_told():
    members = np.arange(200) < 100
    right, wrong, worse = answers(200, "nearness", "log-ratio", "density")
    wrong = replace(wrong, scores=-1.5 * members + wrong.scores)
    worse = replace(worse, scores=-3.0 * members + worse.scores)
    _, significance = evidence([right, wrong, worse], members)
    (said,) = turned_round([right, wrong, worse], significance)
    assert said.startswith("density and 1 more ratings put people outside above members, far beyond chance (z -")
    _, significance = evidence([right], members)
    assert turned_round([right], significance) == ()


def test_precision_has_a_lower_bound_by_both_intervals():
    members = np.arange(2000) < 1000
    (told,) = answers(2000, "nearness")
    told = replace(told, scores=told.scores + 1.5 * members)
    (found,), _ = evidence([told], members)
    rate = found.tpr["0.1"]
    tpr_low = clopper_pearson(round(1000 * rate.value), 1000, 0.95)[0]
    fpr_high = clopper_pearson(rate.false_alarms, 1000, 0.95)[1]
    assert (rate.low, rate.false_alarm_high) == (tpr_low, fpr_high)
    fpr = rate.false_alarms / 1000
    assert rate.precision["0.1"] == Precision(
        pytest.approx(rate.value * 0.1 / (rate.value * 0.1 + fpr * 0.9)),
        pytest.approx(tpr_low * 0.1 / (tpr_low * 0.1 + fpr_high * 0.9)),
    )


def test_where_nobody_outside_is_named_the_rate_is_one_in_all_and_one_more():
    members = np.arange(398) < 199
    (told,) = answers(398, "nearness")
    (found,), _ = evidence([replace(told, scores=members * 1.0)], members)
    rate = found.tpr["0.01"]
    assert (rate.value, rate.false_alarms) == (1.0, 0)
    assert rate.precision["0.01"].value == pytest.approx(0.01 / (0.01 + 0.99 / 200))
    assert found.smallest_rate == 1 / 200


def test_where_nobody_is_found_there_is_no_precision():
    members = np.arange(400) < 200
    (told,) = answers(400, "nearness")
    (found,), _ = evidence([replace(told, scores=np.zeros(400))], members)
    assert found.tpr["0.1"].value == 0
    assert set(found.tpr["0.1"].precision.values()) == {None}
