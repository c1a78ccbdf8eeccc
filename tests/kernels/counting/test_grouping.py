"""Group numbers against sets of tuples."""

from math import isnan

import numpy as np
import pytest
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


KINDS = [np.int8, np.uint8, np.int64, np.uint64, np.float32, np.float64]


@settings(max_examples=200, deadline=None)
@given(
    st.lists(st.integers(-9, 9), min_size=1, max_size=12),
    st.sampled_from([0.0, 0.5, 1e-20, -(2.0**40), 2.0**52, np.nan, np.inf]),
    st.sampled_from(KINDS),
)
def test_distinct_values_are_numbered_in_their_order(whole, odd, kind):
    values = np.array(whole) % 17 if np.dtype(kind).kind == "u" else np.array(whole)
    values = values.astype(kind) if np.dtype(kind).kind != "f" else np.append(values, odd).astype(kind)
    distinct = sorted(each for each in set(values.tolist()) if not isnan(each))
    expected = [len(distinct) if isnan(each) else distinct.index(each) for each in values.tolist()]
    assert grouping.dense_codes(values).tolist() == expected


def test_values_that_differ_by_less_than_a_sum_shows_stay_apart():
    found = grouping.dense_codes(np.array([-4.0, 1e-20, 0.0, 3.0]))
    assert found.tolist() == [0, 2, 1, 3]
    assert grouping.dense_codes(np.array([0.1, 1.1, np.nextafter(1.1, 2)])).tolist() == [0, 1, 2]
    assert grouping.dense_codes(np.array([-128, 127, -128], np.int8)).tolist() == [0, 1, 0]


def test_place_values_are_refused_where_they_would_overflow():
    wide = [np.array([2**20])] * 4
    assert grouping.radices(wide) is None
    assert grouping.radices([np.array([0, 9]), np.array([3, 0])]).tolist() == [1, 10]


def test_counts_of_sums_weights():
    found = grouping.counts_of(np.array([5, 7, 9]), np.array([7, 5, 7]), np.array([1, 2, 3]))
    assert found.tolist() == [2, 4, 0]


@pytest.mark.parametrize(("rows", "columns"), [(1, 1), (200, 2), (50, 1), (300, 3)])
def test_distinct_rows_are_those_of_numpy(rows, columns):
    values = np.random.default_rng(rows).integers(-3, 4, (rows, columns)) / 3
    found, counts = grouping.distinct_rows(values)
    expected, often = np.unique(values, axis=0, return_counts=True)
    np.testing.assert_array_equal(found, expected)
    np.testing.assert_array_equal(counts, often)
