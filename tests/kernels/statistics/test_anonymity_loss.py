"""The anonymity loss coefficient: the values of its authors' formula, worked out by hand, and the sweep by a loop."""

from math import log10

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from seethrough.kernels.statistics.anonymity_loss import (
    RecallPoint,
    anonymity_loss,
    best_recall,
    precision_recall,
    surest,
)
from seethrough.kernels.statistics.intervals import wilson


@pytest.mark.parametrize(("recall", "factor"), [(1, 1), (0.5, 0.9996), (0.1, 0.9844), (0.01, 0.875), (0.001, 0.5781)])
def test_recall_shrinks_precision(recall, factor):
    assert float(precision_recall(1.0, recall)) == pytest.approx(factor, abs=5e-5)
    assert float(precision_recall(0.6, recall)) == pytest.approx(0.6 * factor, abs=5e-5)


def test_below_the_least_recall_the_recall_itself_counts():
    assert float(precision_recall(0.9, 1e-4)) == 1e-4
    assert float(precision_recall(0.9, 0.0)) == 0


@pytest.mark.parametrize(
    ("base", "attack", "loss"),
    [
        ((0.37, 1), (0.97, 1), 0.9524),
        ((0.68, 1), (0.71, 1), 0.0937),
        ((0.68, 1), (0.95, 0.1), 0.7974),
        ((0.68, 1), (0.95, 0.01), 0.4727),
        ((0.5, 1), (1, 0.001), 0.1562),
    ],
)
def test_loss(base, attack, loss):
    assert anonymity_loss(RecallPoint(*attack), RecallPoint(*base)) == pytest.approx(loss, abs=6e-5)


def test_a_sure_baseline_gives_a_large_negative_number_and_no_error():
    assert anonymity_loss(RecallPoint(0.9, 1), RecallPoint(1.0, 1)) == pytest.approx(-1e7, rel=1e-6)


def test_everybody_right_has_the_middle_of_the_interval():
    found = best_recall(np.ones(500), np.zeros(500, np.int64))
    assert (found.precision, found.recall) == (pytest.approx(0.9962, abs=5e-5), 1.0)


def test_the_sure_half_is_chosen():
    sureness = np.repeat([1, 0], 500)
    hits = np.concatenate([np.ones(500), np.tile([1.0, 0.0], 250)])
    found = best_recall(hits, sureness)
    assert (found.precision, found.recall) == (pytest.approx(0.9962, abs=5e-5), 0.5)


def test_few_people_have_no_point():
    assert best_recall(np.ones(20), np.zeros(20, np.int64)) is None


def by_loop(hits, sureness):
    """The sweep of the published text, person by person; people who tie share their hits."""
    levels = sorted(set(sureness.tolist()), reverse=True)
    shared = [hits[sureness == level].mean() for level in levels for _ in range((sureness == level).sum())]
    of = [level for level in levels for _ in range((sureness == level).sum())]
    best = None
    for n in range(1, len(hits) + 1):
        low, high = wilson(sum(shared[:n]), n, 0.95)
        recall = n / len(hits)
        worth = (low + high) / 2 * (1 - (log10(recall) / -4) ** 3)
        if high - low < 0.1 and (best is None or worth > best[0] + 1e-12):
            best = worth, n
    if best is None:
        return None
    kept = hits[sureness >= of[best[1] - 1]]
    return sum(wilson(kept.sum(), len(kept), 0.95)) / 2, len(kept) / len(hits)


@given(st.integers(0, 10_000), st.integers(1, 300), st.integers(1, 40))
def test_the_sweep_is_that_of_a_loop(seed, people, levels):
    rng = np.random.default_rng(seed)
    sureness = rng.integers(0, levels, people)
    hits = (rng.random(people) < 0.5 + sureness / levels / 2) * 1.0
    expected, found = by_loop(hits, sureness), best_recall(hits, sureness)
    assert (found is None) == (expected is None)
    if found is not None:
        assert (found.precision, found.recall) == pytest.approx(expected)


def test_surest_compares_part_by_part():
    ranking = np.array([[-1, 0.9, 5], [0, 0.1, 1], [0, 0.1, 2], [-1, 0.9, 5 + 1e-12], [-2, 1.0, 9]])
    assert surest(ranking).tolist() == [1, 2, 3, 1, 0]
