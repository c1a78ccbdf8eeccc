"""Conditions: frequencies by the formula, rows that meet them."""

import numpy as np
import pytest

from seethrough.synthesizers._models.conditions import conditions_of

# Column 0 has levels with 90, 9 and 1 rows, column 1 two with 50 each.
PICKS = np.column_stack([np.repeat([0, 1, 2], [90, 9, 1]), np.tile([0, 1], 50)])
DRAWS = 60_000


@pytest.fixture
def conditions():
    return conditions_of(PICKS, np.array([3, 2]))


def shares(columns, levels):
    assert np.mean(columns == 0) == pytest.approx(0.5, abs=0.01)
    return np.bincount(levels, minlength=5) / len(levels)


def test_levels_are_trained_by_the_logarithm_of_their_counts(conditions):
    weights = np.log([91, 10, 2])
    expected = np.concatenate([weights / weights.sum(), [0.5, 0.5]]) / 2
    found = shares(*conditions.draw_for_training(DRAWS, np.random.default_rng(0)))
    np.testing.assert_allclose(found, expected, atol=0.01)


def test_levels_are_asked_for_by_their_counts(conditions):
    found = shares(*conditions.draw_as_observed(DRAWS, np.random.default_rng(0)))
    np.testing.assert_allclose(found, np.array([0.9, 0.09, 0.01, 0.5, 0.5]) / 2, atol=0.01)


def test_rows_meet_their_conditions_and_all_of_them_come(conditions):
    rng = np.random.default_rng(0)
    columns, levels = conditions.draw_for_training(DRAWS, rng)
    rows = conditions.draw_rows(columns, levels, rng)
    np.testing.assert_array_equal(PICKS[rows, columns], levels - np.array([0, 3])[columns])
    assert len(np.unique(rows)) == 100
    asked = rows[levels == 1]
    assert np.bincount(asked - 90, minlength=9).min() > 0.08 * len(asked)


def test_a_column_with_one_level_and_no_columns_at_all():
    one = conditions_of(np.zeros((4, 1), int), np.array([1]))
    assert set(one.draw_for_training(10, np.random.default_rng(0))[1]) == {0}
    none = conditions_of(np.zeros((4, 0), int), np.empty(0, int))
    assert (none.columns, none.width) == (0, 0)
