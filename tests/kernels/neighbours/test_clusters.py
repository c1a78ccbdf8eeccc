"""Groups of points and the bounds between them, against all pairs."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from seethrough.kernels.neighbours.clusters import clusters, lower_bounds
from seethrough.kernels.points import Norm, Points, block_totals


@st.composite
def points(draw):
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    n, numbers, codes = draw(st.integers(1, 60)), draw(st.integers(0, 2)), draw(st.integers(0, 3))
    return Points(
        rng.normal(size=(n, numbers)).round(1),
        rng.integers(0, draw(st.sampled_from([1, 2, 9])), (codes, n)).astype(np.uint8),
        rng.random(codes),
        draw(st.sampled_from(Norm)),
    )


@settings(max_examples=150, deadline=None)
@given(points(), st.integers(1, 20))
def test_every_point_is_in_one_group_of_at_most_the_size_asked_for(found, size):
    groups = clusters(found, np.arange(len(found)), size)
    assert sorted(np.concatenate(groups).tolist()) == list(range(len(found)))
    assert max(len(group) for group in groups) <= size


@settings(max_examples=150, deadline=None)
@given(points(), st.integers(1, 20))
def test_no_pair_is_nearer_than_the_bound_of_its_groups(found, size):
    groups = clusters(found, np.arange(len(found)), size)
    bounds = lower_bounds(found, groups, found, groups)
    totals = block_totals(found, found)
    for i, mine in enumerate(groups):
        for j, other in enumerate(groups):
            assert totals[np.ix_(mine, other)].min() >= bounds[i, j]


def test_groups_of_different_levels_are_known_to_be_apart():
    codes = np.repeat(np.array([[0, 1], [0, 1]], np.uint8), 8, axis=1)
    found = Points(np.empty((16, 0)), codes, np.ones(2))
    groups = clusters(found, np.arange(16), 8)
    assert sorted(lower_bounds(found, groups, found, groups).round(9).ravel().tolist()) == [0, 0, 2, 2]
