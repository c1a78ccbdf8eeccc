"""Sums of torch, on the processor, against NumPy and by hand."""

import numpy as np

from seethrough.kernels.budget import Budget
from seethrough.kernels.statistics.class_success import class_success
from seethrough.kernels.statistics.kernel_sums import TOLERANCE, log_kernel_sums
from seethrough.kernels.statistics.permutation import permutation_test


def test_density_sums_by_hand_and_as_on_the_processor(device):
    by_hand = log_kernel_sums(np.array([[0.0, 1.0], [3.0, 3.0]]), 0.6, device)
    np.testing.assert_allclose(by_hand, [np.log(1 + np.exp(-1 / 0.6)), np.log(2) - 5], rtol=1e-14)
    distances = np.sort(np.random.default_rng(1).exponential(50, (300, 20)), axis=1)
    here, there = (log_kernel_sums(distances, 0.3, budget) for budget in (Budget(), device))
    assert np.all(np.abs(here - there) <= TOLERANCE * np.maximum(1, np.abs(here)))


def test_equal_lists_have_equal_sums(device):
    rng = np.random.default_rng(2)
    lists = np.sort(rng.exponential(1, (40, 7)), axis=1)
    who = rng.integers(0, 40, 900)
    sums = log_kernel_sums(lists[who], 0.3, device)
    np.testing.assert_array_equal(sums, log_kernel_sums(lists, 0.3, device)[who])


def test_permuted_labels_are_the_same_and_so_are_statistics_to_their_last_digit(device):
    rng = np.random.default_rng(3)
    members = np.arange(400) < 170
    vectors = np.column_stack([rng.normal(size=(400, 3)), rng.integers(0, 2, 400), np.ones(400)])
    vectors[:, 0] += members
    here, there = (
        permutation_test(vectors, members, np.random.default_rng(5), 500, name) for name in ("cpu", device.device)
    )
    known = np.isfinite(here.permuted)
    np.testing.assert_array_equal(known, np.isfinite(there.permuted))
    assert np.abs(here.permuted[known] - there.permuted[known]).max() < 1.5e-4
    np.testing.assert_allclose(there.observed[:4], here.observed[:4], atol=1.5e-4)
    np.testing.assert_allclose(there.p_values(), here.p_values(), atol=2 / 501)
    assert there.p_values()[0] == 1 / 501
    assert there.p_values()[4] == 1


def test_success_by_rarity_is_the_same(device):
    rng = np.random.default_rng(6)
    members, truth = rng.random(300) < 0.6, rng.integers(0, 5, 300)
    hits = [(rng.random(300) < 0.3 + 0.2 * members).astype(float), rng.random(300)]
    here, there = (
        class_success(hits, truth, members, np.random.default_rng(7), 200, name) for name in ("cpu", device.device)
    )
    assert here == there
    assert 1 / 201 <= there[0].p < 0.05
