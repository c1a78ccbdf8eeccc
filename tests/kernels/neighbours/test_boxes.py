"""Boxes against the definition."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from seethrough.kernels.budget import Budget
from seethrough.kernels.neighbours.boxes import within_reach


@settings(max_examples=150, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(0, 3), st.integers(1, 30), st.integers(1, 30))
def test_equals_the_definition(seed, width, n, m):
    rng = np.random.default_rng(seed)
    groups = rng.integers(0, 4, n), rng.integers(0, 4, m)
    places = rng.integers(0, 8, (n, width)) / 2, rng.integers(0, 8, (m, width)) / 2
    expected = [
        any(groups[0][i] == groups[1][j] and bool(np.all(np.abs(places[0][i] - places[1][j]) <= 1)) for j in range(m))
        for i in range(n)
    ]
    assert within_reach(groups, places, Budget(threads=1)).tolist() == expected


def test_the_edge_of_the_box_belongs_to_it_in_spite_of_rounding():
    places = np.array([[0.1 + 0.2]]) * 30, np.array([[0.3 + 1 / 30]]) * 30
    one = np.zeros(1, np.int64)
    assert within_reach((one, one), places, Budget(threads=1)).tolist() == [True]
