"""Permutation tests against enumeration of all labels, and against Fisher's exact test."""

from itertools import combinations

import numpy as np
import pytest
from scipy.stats import fisher_exact, kstest

from seethrough.kernels.statistics.permutation import permutation_test, permuted_labels


def labels(members, people):
    found = np.zeros(people, bool)
    found[list(members)] = True
    return found


def exhaustive_p(vector, members):
    """Share of all sets of as many people whose sum is at least as large."""
    count = int(members.sum())
    sums = [vector[list(chosen)].sum() for chosen in combinations(range(len(vector)), count)]
    return np.mean(np.array(sums) >= vector[members].sum() - 1e-9)


def test_p_is_that_of_all_permutations():
    rng = np.random.default_rng(3)
    vectors = np.column_stack([rng.normal(size=10), rng.integers(0, 3, 10).astype(float), np.arange(10.0)])
    members = labels([5, 7, 8, 9], 10)
    found = permutation_test(vectors, members, rng, 20_000).p_values()
    wanted = [exhaustive_p(vector, members) for vector in vectors.T]
    np.testing.assert_allclose(found, wanted, atol=0.012)


def test_shares_of_right_answers_give_fishers_exact_p():
    hits = np.r_[np.ones(9), np.zeros(3), np.ones(4), np.zeros(8)]
    members = labels(range(12), 24)
    found = permutation_test(hits[:, None], members, np.random.default_rng(1), 20_000).p_values()[0]
    wanted = fisher_exact([[9, 3], [4, 8]], alternative="greater").pvalue
    assert found == pytest.approx(wanted, abs=0.01)


def test_adjusted_p_is_the_share_of_maxima_and_never_falls_along_the_ranks():
    rng = np.random.default_rng(5)
    vectors = rng.normal(size=(60, 6))
    vectors[:20, 0] += 1.5
    members = labels(range(20), 60)
    test = permutation_test(vectors, members, rng, 4_999)
    adjusted = test.adjust(np.arange(6))
    first = int(np.argmax(test.observed))
    beyond = (test.permuted.max(axis=1) >= test.observed[first] - 1e-9).sum()
    assert adjusted[first] == pytest.approx((1 + beyond) / 5_000)
    order = np.argsort(-test.observed)
    assert (np.diff(adjusted[order]) >= 0).all()
    assert (adjusted >= test.p_values() - 1e-12).all()
    assert test.p_of_maximum(np.arange(6)) == adjusted[first]


def test_what_is_told_twice_is_not_paid_for_twice():
    rng = np.random.default_rng(6)
    vector = rng.normal(size=(80, 1))
    vector[:40] += 0.5
    members = labels(range(40), 80)
    alone = permutation_test(vector, members, np.random.default_rng(1), 999)
    often = permutation_test(np.repeat(vector, 50, axis=1), members, np.random.default_rng(1), 999)
    assert often.adjust(np.arange(50))[0] == alone.p_values()[0]


def test_a_constant_vector_has_no_evidence():
    members = labels(range(5), 12)
    test = permutation_test(np.column_stack([np.full(12, 0.3), np.arange(12.0)]), members, np.random.default_rng(0), 99)
    assert test.p_values()[0] == 1.0
    assert test.adjust(np.arange(2))[0] == 1.0
    assert test.p_of_maximum(np.array([0])) == 1.0


def test_every_set_of_members_is_drawn_alike():
    drawn = np.concatenate(list(permuted_labels(6, 2, 30_000, np.random.default_rng(4))))
    assert (drawn.sum(axis=1) == 2).all()
    counts = np.unique(drawn @ (1 << np.arange(6)), return_counts=True)[1]
    assert len(counts) == 15
    assert np.abs(counts / 30_000 - 1 / 15).max() < 0.006  # four standard errors


def test_the_quantile_is_that_of_the_largest_statistic():
    rng = np.random.default_rng(2)
    test = permutation_test(rng.normal(size=(300, 1)), labels(range(150), 300), rng, 9_999)
    assert test.quantile(0.95) == pytest.approx(1.645, abs=0.08)


@pytest.mark.slow
def test_under_exchangeable_labels_p_is_uniform_or_larger():
    rng = np.random.default_rng(8)
    found = []
    for _ in range(400):
        vectors = np.column_stack([rng.normal(size=50), rng.exponential(size=50) ** 3, rng.random(50) < 0.1])
        members = labels(rng.permutation(50)[:20], 50)
        found.append(permutation_test(vectors, members, rng, 199).adjust(np.arange(3)).min())
    assert kstest(found, "uniform", alternative="greater").pvalue > 0.001


def test_two_sides_count_large_and_small_alike():
    values = np.array([0.0, 1.0, 2.0, 4.0, 8.0, 16.0])
    members = np.array([True, True, False, False, False, False])  # the smallest sum of all 15
    test = permutation_test(values[:, None], members, np.random.default_rng(0), 4999)
    assert test.p_values()[0] == 1.0
    sums = np.array([values[list(some)].sum() for some in combinations(range(6), 2)])
    far = np.abs(sums - sums.mean()) >= abs(values[:2].sum() - sums.mean()) - 1e-9
    assert test.two_sided().p_values()[0] == pytest.approx(far.mean(), abs=0.02)
    flat = permutation_test(np.ones((6, 1)), members, np.random.default_rng(0), 99).two_sided()
    assert flat.p_values()[0] == 1.0
