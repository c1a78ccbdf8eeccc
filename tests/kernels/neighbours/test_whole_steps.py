"""Lower bounds in whole steps lose no pair that is within a limit, and keep few that are not."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from seethrough.kernels.neighbours.lists.step_boxes import StepBoxes
from seethrough.kernels.neighbours.whole_steps import NEVER, whole_steps
from seethrough.kernels.points import Norm, Points, block_totals


def mixed(rng, rows, columns, far):
    numbers = rng.normal(size=(rows, 3)) * np.where(rng.random((rows, 1)) < 0.1, far, 1.0)
    codes = rng.integers(0, 3, (columns, rows)).astype(np.uint8)
    return Points(numbers, codes, np.ones(columns), Norm.MANHATTAN)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32 - 1), st.sampled_from([0, 4, 300]), st.sampled_from([1.0, 50.0, 1e100]))
def test_every_pair_within_its_limit_is_found(seed, columns, far):
    rng = np.random.default_rng(seed)
    mine, others = mixed(rng, 20, columns, far), mixed(rng, 30, columns, far)
    who, places = rng.permutation(20)[:12], rng.permutation(30)[:25]
    totals = block_totals(mine.take(who), others.take(places))
    limits = np.quantile(totals, 0.2, axis=1, method="inverted_cdf")
    steps = whole_steps(mine, others)
    rows, columns, differing = steps.pairs_within(limits, who, places)
    assert np.array_equal(differing, (mine.codes[:, who[rows]] != others.codes[:, places[columns]]).sum(axis=0))
    found = set(zip(rows.tolist(), columns.tolist(), strict=True))
    assert found >= {(int(i), int(j)) for i, j in np.argwhere(totals <= limits[:, None])}
    if far == 1.0:
        slack = 2 * (mine.numbers.shape[1] + 2) / steps.unit
        assert all(totals[i, j] <= limits[i] + slack for i, j in found)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32 - 1), st.sampled_from([0, 4]), st.sampled_from([1.0, 1e100]), st.sampled_from([1, 500]))
def test_clusters_are_compared_as_their_members_are_and_bounded_from_below(seed, columns, far, apart):
    rng = np.random.default_rng(seed)
    mine, others = (
        Points(some.numbers, some.codes.astype(np.uint32) * apart, some.weights, some.norm)
        for some in (mixed(rng, 20, columns, far), mixed(rng, 30, columns, far))
    )
    steps = whole_steps(mine, others)
    members = np.split(rng.permutation(30), [4, 5, 17])
    boxes, everyone = StepBoxes(steps, members), np.arange(20)
    bounds, most = boxes.bounds(everyone), np.full(1, np.inf)
    assert boxes.nearest(bounds, 2).shape == (20, 2)
    np.testing.assert_array_equal(np.take_along_axis(bounds, boxes.nearest(bounds, 1), 1)[:, 0], bounds.min(axis=1))
    for box, places in enumerate(members):
        found = boxes.compare(everyone, np.full(20, box))
        differing = (mine.codes[:, :, None] != others.codes[:, None, places]).sum(axis=0)
        np.testing.assert_array_equal(found.unequal[:, : len(places)], differing)
        assert (found.steps[:, len(places) :] == NEVER).all()
        assert (bounds[:, [box]] <= found.steps[:, : len(places)]).all()
        assert (found.steps[:, : len(places)] <= steps.border(most)).all()
        within = steps.border(block_totals(mine, others.take(places)))
        assert (found.steps[:, : len(places)] <= within).all()
        assert (boxes.box_of[places] == box).all()


@pytest.mark.parametrize("norm", list(Norm))
def test_nothing_to_gain_from(norm):
    weighted = Points(np.zeros((2, 1)), np.zeros((2, 2), np.uint8), np.full(2, 0.5), norm)
    assert whole_steps(weighted, weighted) is None
