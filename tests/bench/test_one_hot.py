"""Matrices for learners, by hand."""

import numpy as np

from seethrough.bench.one_hot import FAR, MOST_LEVELS, OneHotMatrices, one_hot
from seethrough.data.release import Part

BOTH = OneHotMatrices((Part.TRAIN, Part.SYNTHETIC))


def test_numbers_are_scaled_by_the_real_range_and_levels_are_indicators(bench_of):
    real, synthetic = {"v": [0, 10, 5], "c": ["a", "b", "a"]}, {"v": [20], "c": ["c"]}
    mine, others = bench_of(real, synthetic).get(BOTH)
    assert mine.tolist() == [[0, 1, 0, 0], [1, 0, 1, 0], [0.5, 1, 0, 0]]
    assert others.tolist() == [[2, 0, 0, 1]]
    assert mine.dtype == np.float32


def test_a_missing_number_is_the_real_median_with_an_indicator(bench_of):
    mine, others = bench_of({"v": [0, None, 10, 2]}, {"v": [None, 10]}).get(BOTH)
    assert mine.tolist() == [[0, 0], [np.float32(0.2), 1], [1, 0], [np.float32(0.2), 0]]
    assert others.tolist() == [[np.float32(0.2), 1], [1, 0]]


def test_two_levels_share_an_indicator_and_constant_columns_have_none(bench_of):
    real, synthetic = {"c": ["a", "b"], "k": ["x", "x"], "v": [1, 1]}, {"c": ["b"], "k": ["x"], "v": [1]}
    mine, others = bench_of(real, synthetic).get(BOTH)
    assert mine.tolist() == [[0], [1]]
    assert others.tolist() == [[1]]


def test_a_missing_category_is_a_level(bench_of):
    mine, _ = bench_of({"c": ["a", None, "b"]}, {"c": ["a"]}).get(BOTH)
    assert mine.sum(axis=1).tolist() == [1, 1, 1]
    assert mine.shape == (3, 3)


def test_rare_levels_of_many_share_an_indicator():
    frequent = np.repeat(np.arange(MOST_LEVELS), 2)
    rare = np.arange(MOST_LEVELS, MOST_LEVELS + 50)
    matrix = one_hot(np.empty((len(frequent) + 50, 0)), [np.concatenate([rare, frequent])])
    assert matrix.shape[1] == MOST_LEVELS + 1
    assert matrix.sum(axis=1).tolist() == [1] * len(matrix)
    assert matrix[:50, MOST_LEVELS].all()
    assert not matrix[50:, MOST_LEVELS].any()


def test_far_numbers_stay_finite():
    matrix = one_hot(np.array([[0.0], [1.0], [1e300], [-np.inf]]), [])
    assert matrix.tolist() == [[0], [1], [FAR], [-FAR]]
