"""The forward test: by hand, and its level beside that of cross-fitted scores whose labels are permuted."""

import numpy as np
import pytest

from seethrough.auditing.evidence.supervised.forward import forward_p, stouffer


def test_four_p_by_hand():
    # z = 1, 2, 1/2 and 3/2 add up to 5; over the root of 4 that is Z = 2.5.
    assert stouffer([0.158655, 0.022750, 0.308538, 0.066807]) == pytest.approx(0.006210, abs=5e-7)


def test_nothing_tested_is_no_evidence():
    assert stouffer([]) == 1.0
    same = np.zeros(50), np.arange(50) < 25
    assert forward_p([same] * 4, np.random.default_rng(0)) == 1.0


def test_a_fold_of_equal_scores_is_left_out():
    rng = np.random.default_rng(0)
    members = np.arange(100) < 50
    telling = members + rng.normal(size=100), members
    same = np.zeros(100), members
    alone = forward_p([telling], np.random.default_rng(1))
    assert forward_p([same, telling, same], np.random.default_rng(1)) == alone < 0.01


def test_one_hopeless_fold_does_not_outweigh_three_that_tell():
    members = np.arange(200) < 100
    worst, best = (1 - members) * 1.0, members * 1.0
    assert stouffer([1.0, 0.001, 0.001, 0.001]) < 0.01
    assert forward_p([(worst, members), *[(best, members)] * 3], np.random.default_rng(0)) < 0.01


def test_scores_that_know_nothing_have_uniform_p():
    members = np.arange(60) < 30
    found = [forward_p([(rng.normal(size=60), members)] * 4, rng) for rng in map(np.random.default_rng, range(30))]
    assert 0.3 < np.mean(found) < 0.7
