"""Tables of counts by group and value, against counting one by one."""

from collections import Counter

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from seethrough.kernels.counting.value_counts import add_counts, count_keys, keys_of, median_of_counts
from seethrough.kernels.neighbours.all_nearest import median_of_known

NUMBERS = st.lists(st.tuples(st.integers(0, 3), st.sampled_from([0.0, 0.5, 1.0, 7.0, np.nan])), max_size=40)


def counted(pairs):
    group = np.array([group for group, _ in pairs], np.int64)
    return count_keys(4, group, keys_of(np.array([value for _, value in pairs], float)), np.ones(len(pairs), np.int64))


@settings(max_examples=60, deadline=None)
@given(NUMBERS, NUMBERS)
def test_counts_add_up_and_give_the_medians_of_all(first, second):
    added = add_counts([counted(second), counted(first)])
    for group, (numbers, counts) in enumerate(added.numbers()):
        mine = np.array([value for place, value in (*first, *second) if place == group])
        expected = Counter("missing" if np.isnan(value) else value for value in mine.tolist())
        found = ["missing" if np.isnan(value) else value for value in numbers.tolist()]
        assert dict(zip(found, counts.tolist(), strict=True)) == dict(expected)
        np.testing.assert_equal(median_of_counts(numbers, counts), median_of_known(mine) if len(mine) else np.nan)


def test_the_most_frequent_codes_by_hand():
    codes = np.array([1, 1, 2, 2, 0, 3], np.uint8)
    found = count_keys(3, np.array([0, 0, 0, 0, 1, 1]), keys_of(codes), np.array([1, 1, 1, 1, 5, 2]))
    assert found.most_frequent(4).astype(int).tolist() == [[0, 1, 1, 0], [1, 0, 0, 0], [1, 1, 1, 1]]
    assert found.dense(4).tolist() == [[0, 2, 2, 0], [5, 0, 0, 2], [0, 0, 0, 0]]
    assert found.of_groups(np.array([False, True, True])).counts.tolist() == [5, 2]
