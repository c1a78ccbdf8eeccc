"""Hamming neighbours against the double loop."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from seethrough.kernels.budget import Budget
from seethrough.kernels.neighbours.keys import hamming


def brute(keys, other_keys, secret, other_secret):
    """The definition: all nearest rows, with multiplicity."""
    found = []
    for key, value in zip(keys.T, secret, strict=True):
        distance = [int((key != other).sum()) for other in other_keys.T]
        nearest = [j for j, d in enumerate(distance) if d == min(distance)]
        found.append((len(nearest), sum(int(other_secret[j] == value) for j in nearest), min(distance)))
    return found


@st.composite
def instances(draw):
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    width, levels = draw(st.integers(1, 5)), draw(st.sampled_from([1, 2, 4, 200]))
    n, m = draw(st.integers(1, 30)), draw(st.integers(1, 30))
    keys = rng.integers(0, levels, (width, n)).astype(np.uint8), rng.integers(0, levels, (width, m)).astype(np.uint8)
    return keys, (rng.integers(0, 3, n), rng.integers(0, 3, m))


@pytest.mark.parametrize("start_cost", [-1e12, 0.0, 1e12], ids=["compare", "choose", "join"])
def test_equals_the_definition(start_cost, monkeypatch):
    monkeypatch.setattr(hamming, "START_NS", start_cost)

    @settings(max_examples=80, deadline=None)
    @given(instances())
    def check(instance):
        (keys, other_keys), (secret, other_secret) = instance
        budget = Budget(memory=16 * 16 * 48, threads=1)
        found = hamming.nearest_agreement((keys, other_keys), (secret, other_secret), budget)
        assert list(zip(*(part.tolist() for part in found), strict=True)) == brute(
            keys, other_keys, secret, other_secret
        )

    check()


def test_keys_too_wide_for_one_code():
    rng = np.random.default_rng(0)
    keys = rng.integers(0, 200, (12, 20)).astype(np.uint8), rng.integers(0, 200, (12, 25)).astype(np.uint8)
    keys[1][:, :5] = keys[0][:, :5]
    secrets = rng.integers(0, 2, 20), rng.integers(0, 2, 25)
    found = hamming.nearest_agreement(keys, secrets, Budget(threads=2))
    assert list(zip(*(part.tolist() for part in found), strict=True)) == brute(*keys, *secrets)


@pytest.mark.parametrize("start_cost", [-1e12, 0.0, 1e12], ids=["compare", "choose", "join"])
def test_counts_by_label_equal_the_definition(start_cost, monkeypatch):
    monkeypatch.setattr(hamming, "START_NS", start_cost)

    @settings(max_examples=80, deadline=None)
    @given(instances())
    def check(instance):
        (keys, other_keys), (_, labels) = instance
        budget = Budget(memory=16 * 16 * 48, threads=1)
        counts, distance = hamming.nearest_labels((keys, other_keys), labels, 3, budget)
        equal, at = hamming.nearest_labels((keys, other_keys), labels, 3, budget, equal=True)
        for label in range(3):
            asked = np.full(keys.shape[1], label)
            found = brute(keys, other_keys, asked, labels)
            assert [(int(row.sum()), int(row[label]), int(d)) for row, d in zip(counts, distance, strict=True)] == found
        assert np.array_equal(equal, np.where((distance == 0)[:, None], counts, 0))
        assert np.array_equal(at, np.where(distance == 0, 0, -1))

    check()
