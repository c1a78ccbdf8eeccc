"""Success by rarity: values by hand, a loop as the oracle, a constant guess, levels."""

import numpy as np
import pytest
from scipy import stats

from seethrough.kernels.statistics.class_success import class_success, class_vector
from seethrough.kernels.statistics.permutation import permutation_test, permuted_labels


def one(hits, truth, members, permutations=99, seed=0):
    return class_success([hits], truth, members, np.random.default_rng(seed), permutations)[0]


def by_loop(hits, truth, members):
    """Mean over classes of five in both groups, counted class by class."""
    mine, others, left_out = [], [], 0
    for each in set(truth.tolist()):
        inside, outside = hits[(truth == each) & members], hits[(truth == each) & ~members]
        if min(len(inside), len(outside)) < 5:
            left_out += 1
            continue
        mine.append(inside.mean())
        others.append(outside.mean())
    return (np.mean(mine), np.mean(others), len(mine), left_out) if mine else (np.nan, np.nan, 0, left_out)


def test_values_by_hand():
    # Class 0: members 5 of 10 right, outside 1 of 5; class 1: members 5 of 5, outside 2 of 5; class 2 has no outsider.
    truth = np.array([0] * 10 + [1] * 5 + [2] * 6 + [0] * 5 + [1] * 5)
    hits = np.array([1.0] * 5 + [0] * 5 + [1] * 5 + [1] * 6 + [1, 0, 0, 0, 0] + [1, 1, 0, 0, 0])
    members = np.arange(31) < 21
    found = one(hits, truth, members)
    assert (found.members, found.outsiders) == pytest.approx((0.75, 0.3))
    assert (found.classes, found.left_out) == (2, 1)
    assert found.leak == pytest.approx(0.45)


@pytest.mark.parametrize("guess", [0, 1, 2])
def test_a_constant_guess_scores_one_of_the_classes_exactly(guess):
    rng = np.random.default_rng(1)
    truth = rng.choice(3, 400, p=[0.9, 0.06, 0.04])
    members = rng.random(400) < 0.5
    found = one((truth == guess) * 1.0, truth, members)
    assert (found.members, found.outsiders, found.classes) == (1 / 3, 1 / 3, 3)
    assert found.p == 1
    assert not class_vector((truth == guess) * 1.0, truth).any()


def test_it_is_the_success_with_weights_by_rarity():
    rng = np.random.default_rng(2)
    truth, hits, members = rng.integers(0, 4, 300), rng.random(300), rng.random(300) < 0.4
    weights = len(truth[members]) / np.bincount(truth[members])[truth[members]]
    expected = (hits[members] * weights).sum() / weights.sum()
    assert one(hits, truth, members).members == pytest.approx(expected)


def test_p_recounts_classes_under_every_permutation():
    rng = np.random.default_rng(3)
    truth, members = rng.choice(5, 120, p=[0.5, 0.3, 0.1, 0.06, 0.04]), np.arange(120) < 60
    hits = (rng.random(120) < np.where(members, 0.6, 0.4)) * 1.0
    leaks = []
    for labels in permuted_labels(120, 60, 199, np.random.default_rng(7)):
        leaks += [mine - others for mine, others, *_ in (by_loop(hits, truth, each) for each in labels)]
    mine, others, classes, left_out = by_loop(hits, truth, members)
    found = one(hits, truth, members, 199, seed=7)
    assert (found.members, found.outsiders) == pytest.approx((mine, others))
    assert (found.classes, found.left_out) == (classes, left_out)
    assert found.p == pytest.approx((1 + np.sum(np.array(leaks) >= mine - others - 1e-9)) / 200)


def test_classes_may_be_too_small_for_any_figure():
    truth = np.repeat(np.arange(10), 4)
    assert one(np.ones(40), truth, np.arange(40) % 2 == 0) is None


def test_the_order_of_people_and_the_names_of_classes_do_not_matter():
    rng = np.random.default_rng(4)
    truth, hits, members = rng.integers(0, 4, 200), rng.random(200), rng.random(200) < 0.5
    order = rng.permutation(200)
    a, b = one(hits, truth, members), one(hits[order], 7 - truth[order], members[order])
    assert (a.members, a.outsiders, a.classes) == pytest.approx((b.members, b.outsiders, b.classes))
    assert class_vector(hits[order], truth[order]) == pytest.approx(class_vector(hits, truth)[order])


@pytest.mark.slow
@pytest.mark.parametrize("people", [100, 300])
def test_both_tests_hold_their_level_where_hits_depend_on_the_class_alone(people):
    rng = np.random.default_rng(people)
    recounted, linear = [], []
    for _ in range(600):
        truth = rng.choice(4, people, p=[0.7, 0.15, 0.1, 0.05])
        hits = (rng.random(people) < np.array([0.9, 0.4, 0.2, 0.1])[truth]) * 1.0
        members = np.zeros(people, bool)
        members[rng.permutation(people)[: people // 2]] = True
        found = one(hits, truth, members, 199, seed=int(rng.integers(1 << 31)))
        recounted.append(found is not None and found.p <= 0.05)
        vectors = np.column_stack([hits, class_vector(hits, truth)])
        test = permutation_test(vectors, members, rng, 199)
        linear.append(test.p_of_maximum(np.arange(2)) <= 0.05)
    for rejected in (recounted, linear):
        # No more than chance would give with probability .999 if the level were 5 %.
        assert np.sum(rejected) <= stats.binom.ppf(0.999, 600, 0.05)
