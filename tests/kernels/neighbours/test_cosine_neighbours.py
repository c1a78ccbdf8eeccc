"""The nearest rows by equal categories and the cosine of numbers, against every pair measured one by one."""

import numpy as np
import pytest

from seethrough.kernels.budget import Budget
from seethrough.kernels.neighbours import cosine_neighbours as kernel
from seethrough.kernels.neighbours.cosine_neighbours import MixedRows, cosine_neighbours


def rows_of(rng, size, categories=3, numbers=2, levels=4):
    return MixedRows(rng.integers(0, levels, (categories, size)), np.round(rng.random((size, numbers)), 1))


def by_hand(rows, k):
    """Measure all pairs by the definition."""
    found = []
    categories, numbers = len(rows.codes), rows.numbers.shape[1]
    for i in range(len(rows)):
        distances = []
        for j in range(len(rows)):
            if i == j:
                continue
            equal = sum(rows.codes[c, i] == rows.codes[c, j] for c in range(categories))
            lengths = np.linalg.norm(rows.numbers[i]) * np.linalg.norm(rows.numbers[j])
            cosine = rows.numbers[i] @ rows.numbers[j] / lengths if lengths else 0.0
            distances.append((categories - equal + numbers * (1 - cosine)) / (categories + numbers))
        found.append(sorted(distances)[:k])
    return np.array(found)


@pytest.mark.parametrize(("categories", "numbers", "levels"), [(3, 2, 4), (4, 0, 3), (0, 3, 1), (2, 2, 500)])
def test_lists_are_those_of_all_pairs(categories, numbers, levels):
    rows = rows_of(np.random.default_rng(5), 80, categories, numbers, levels)
    found = cosine_neighbours(rows, rows, np.arange(80), 5, Budget())
    assert np.abs(found - by_hand(rows, 5)).max() < 1e-9


def test_blocks_threads_and_memory_change_no_bit(monkeypatch):
    rows = rows_of(np.random.default_rng(6), 300)
    whole = cosine_neighbours(rows, rows, np.arange(300), 5, Budget(threads=1))
    assert np.array_equal(whole, cosine_neighbours(rows, rows, np.arange(300), 5, Budget(memory=1 << 16, threads=3)))
    monkeypatch.setattr(kernel, "PAIRS", 1000)
    assert np.array_equal(whole, cosine_neighbours(rows, rows, np.arange(300), 5, Budget(threads=2)))


def test_equal_rows_are_at_distance_0_and_a_row_of_zeros_has_no_direction():
    rows = MixedRows(np.zeros((2, 4), np.int64), np.array([[1.0, 0.0], [1.0, 0.0], [0.0, 0.0], [0.0, 2.0]]))
    found = cosine_neighbours(rows, rows, np.arange(4), 3, Budget())
    assert found[0].tolist() == [0.0, 0.5, 0.5]
    assert found[2].tolist() == [0.5, 0.5, 0.5]
    assert found[3].tolist() == [0.5, 0.5, 0.5]


def test_a_row_that_is_not_among_the_others_has_no_place_of_its_own():
    rows = MixedRows(np.array([[1, 1, 2]]), np.empty((3, 0)))
    one = MixedRows(np.array([[1]]), np.empty((1, 0)))
    assert cosine_neighbours(one, rows, np.array([-1]), 3, Budget()).tolist() == [[0.0, 0.0, 1.0]]
    assert cosine_neighbours(one, rows, np.array([1]), 3, Budget()).tolist() == [[0.0, 1.0]]
