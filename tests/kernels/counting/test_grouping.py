"""Group numbers against sets of tuples."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from seethrough.kernels.counting import grouping


@settings(max_examples=100, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(1, 12), st.sampled_from([2, 7, 2**16]))
def test_equal_rows_and_only_they_share_a_number(seed, width, levels):
    rng = np.random.default_rng(seed)
    columns = [rng.integers(0, levels, 40).astype(np.uint32) for _ in range(width)]
    columns = [np.concatenate([column, column[:10]]) for column in columns]
    found = grouping.combine(columns)
    rows = list(zip(*(column.tolist() for column in columns), strict=True))
    assert len(set(zip(rows, found.tolist(), strict=True))) == len(set(rows)) == len(set(found.tolist()))


def test_all_missing_numbers_are_one_value():
    found = grouping.dense_codes(np.array([np.nan, 1.0, np.nan, 0.5]))
    assert found.tolist() == [2, 1, 2, 0]


def test_place_values_are_refused_where_they_would_overflow():
    wide = [np.array([2**20])] * 4
    assert grouping.radices(wide) is None
    assert grouping.radices([np.array([0, 9]), np.array([3, 0])]).tolist() == [1, 10]


def test_counts_of_sums_weights():
    found = grouping.counts_of(np.array([5, 7, 9]), np.array([7, 5, 7]), np.array([1, 2, 3]))
    assert found.tolist() == [2, 4, 0]
