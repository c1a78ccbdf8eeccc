"""A person who joins a table: against the textbook formula for the table with that person in it."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from seethrough.kernels.budget import Budget
from seethrough.kernels.solvers.bordered import ReleasedShares, border_table

FLOOR = 0.01


def random_case(seed, members=15, outside=6, sets=4, levels=3):
    """People as cells (people x sets), and what a release says about these; some members are alike."""
    rng = np.random.default_rng(seed)
    codes = rng.integers(0, levels, (members + outside, sets)) + levels * np.arange(sets)
    codes[1], codes[members] = codes[0], codes[2]  # twins inside, and one outside who equals a member
    shares, variances = rng.random(sets * levels), rng.uniform(0, 0.3, sets * levels)
    return codes[:members], codes[members:], shares, variances


def merged(people, shares, variances):
    rows, sizes = np.unique(people, axis=0, return_counts=True)
    matrix = np.zeros((len(shares), len(rows)))
    for place, cells in enumerate(rows):
        matrix[cells[cells >= 0], place] = 1
    return rows, ReleasedShares(sparse.csr_array(matrix), sizes.astype(float), shares, variances, FLOOR)


def by_textbook(people, shares, variances, mean, variance):
    """Everybody on their own, the covariance by inversion."""
    matrix = np.zeros((len(shares), len(people)))
    for place, cells in enumerate(people):
        matrix[cells[cells >= 0], place] = 1
    records = matrix.sum(axis=1)
    weights = 1 / (records**2 * variances + FLOOR)
    precision = matrix.T @ (weights[:, None] * matrix) + np.eye(len(people)) / variance
    covariance = np.linalg.inv(precision)
    return covariance @ (matrix.T @ (weights * shares * records) + mean / variance), np.diag(covariance)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32 - 1), st.sampled_from([2, 5]), st.sampled_from([None, 0.0]))
def test_each_person_joins_alone(seed, classes, none):
    inside, outside, shares, variances = random_case(seed)
    if none is not None:  # some cells are not asked about
        rng = np.random.default_rng(seed)
        inside, outside = (np.where(rng.random(some.shape) < 0.2, -1, some) for some in (inside, outside))
    mean, variance = 1 / classes, (1 - 1 / classes) / classes
    rows, released = merged(inside, shares, variances)
    table = border_table(released, (mean, variance))
    found = table.joined_by(outside, Budget(threads=1))
    for place, person in enumerate(outside):
        means, spread = by_textbook(np.vstack([inside, person]), shares, variances, mean, variance)
        assert found.means[place] == pytest.approx(means[-1], abs=1e-10)
        assert found.variances[place] == pytest.approx(spread[-1], abs=1e-10)
    means, spread = by_textbook(inside, shares, variances, mean, variance)
    mine = table.members()
    for cells, one, other in zip(inside, means, spread, strict=True):
        [row] = np.flatnonzero((rows == cells).all(axis=1))
        assert (mine.means[row], mine.variances[row]) == pytest.approx((one, other), abs=1e-10)


def test_one_member_by_hand():
    # One cell, one member, a half is of the class with variance 0: alone 0.5 * 1 weighs 1 / 0.01. With a second person
    # the answer is 1, the weight 100, and x + y = 1 with a prior of 1/2 and precision 4 each: 1/2, variance
    # 1/4 - (1/4)^2 / (0.01 + 1/2).
    released = ReleasedShares(sparse.csr_array([[1.0]]), np.ones(1), np.array([0.5]), np.zeros(1), FLOOR)
    found = border_table(released, (0.5, 0.25)).joined_by(np.array([[0]]), Budget(threads=1))
    assert found.means == pytest.approx([0.5])
    assert found.variances == pytest.approx([0.25 - 0.0625 / 0.51])


def test_a_person_in_no_cell_keeps_the_prior():
    inside, _, shares, variances = random_case(0)
    _, released = merged(inside, shares, variances)
    found = border_table(released, (0.2, 0.16)).joined_by(np.full((2, 4), -1), Budget(threads=1))
    assert found.means == pytest.approx([0.2, 0.2])
    assert found.variances == pytest.approx([0.16, 0.16])


def test_a_person_alone_in_all_cells_sees_these_alone():
    # Cells that no member has: the answers p with variances e + floor, and the prior.
    inside, _, shares, variances = random_case(1, levels=3)
    shares, variances = np.append(shares, [0.9, 0.1]), np.append(variances, [0.2, 0.0])
    _, released = merged(inside, shares, variances)
    found = border_table(released, (0.5, 0.25)).joined_by(np.array([[12, 13, -1, -1]]), Budget(threads=1))
    weights = np.array([1 / 0.21, 1 / 0.01, 4])
    assert found.means == pytest.approx([weights @ [0.9, 0.1, 0.5] / weights.sum()])
    assert found.variances == pytest.approx([1 / weights.sum()])


@pytest.mark.parametrize("memory", [1, 40_000, 200_000])
@pytest.mark.parametrize("threads", [1, 2])
def test_memory_and_threads_change_nothing(memory, threads):
    inside, outside, shares, variances = random_case(3, members=80, outside=150, sets=6, levels=12)
    _, released = merged(inside, shares, variances)
    table = border_table(released, (0.5, 0.25))
    plenty = table.joined_by(outside, Budget(threads=1))
    little = table.joined_by(outside, Budget(memory=memory, threads=threads))
    np.testing.assert_allclose(little.means, plenty.means, rtol=0, atol=1e-13)
    np.testing.assert_allclose(little.variances, plenty.variances, rtol=0, atol=1e-13)
