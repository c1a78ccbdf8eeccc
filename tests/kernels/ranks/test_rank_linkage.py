"""Linkage in rank space against the definition, pair by pair, with all ties."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from seethrough.errors import ConfigError, NotApplicable
from seethrough.kernels.budget import Budget
from seethrough.kernels.ranks import linkage as rank_linkage
from seethrough.kernels.ranks.criteria import nearest_by, nearest_in_one
from seethrough.kernels.ranks.linkage import nearest_by_ranks, nearest_by_ranks_in_turn
from seethrough.kernels.ranks.scale import doubled_ranks

ONE = Budget(threads=1)
COMBINED = {"sum": np.sum, "max": np.max, "min": np.min}
SEARCH = {
    "sum": nearest_by_ranks,
    "max": lambda a, b, budget: nearest_by_ranks(a, b, budget, largest=True),
    "min": nearest_in_one,
}


def definition(rows, columns, combine):
    """The double loop of the paper: the distance of each row, and all columns that attain it."""
    best, linked = [], []
    for row in rows / 2:
        distances = [combine(np.abs(row - column)) for column in columns / 2]
        best.append(min(distances))
        linked.append([place for place, distance in enumerate(distances) if distance == best[-1]])
    return best, linked


def links_of(found):
    groups = [found.links.indices[a:b] for a, b in zip(found.links.indptr[:-1], found.links.indptr[1:], strict=True)]
    return [np.flatnonzero(np.isin(found.column_groups, groups[group])).tolist() for group in found.row_groups]


def ranked(values):
    return np.column_stack([doubled_ranks(column) for column in values.T])


@st.composite
def two_tables(draw, most=25):
    """Two tables of one size, some columns with few values, some constant."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    rows, width = draw(st.integers(1, most)), draw(st.integers(1, 4))
    values = draw(st.lists(st.sampled_from([1, 2, 4, 1000]), min_size=width, max_size=width))
    return tuple(ranked(rng.integers(0, values, (rows, width)).astype(float)) for _ in range(2))


@pytest.mark.parametrize("criterion", COMBINED)
@settings(max_examples=120, deadline=None)
@given(two_tables())
def test_links_and_distances_equal_the_definition(criterion, tables):
    best, linked = definition(*tables, COMBINED[criterion])
    found = SEARCH[criterion](*tables, ONE)
    assert found.distances.tolist() == best
    assert links_of(found) == linked


@settings(max_examples=60, deadline=None)
@given(two_tables())
def test_a_criterion_of_ones_own_is_asked_for_every_pair(tables):
    weights = np.arange(1, tables[0].shape[1] + 1)
    best, linked = definition(*tables, lambda apart: float((apart * weights).sum()))
    found = nearest_by(lambda apart: (apart * weights).sum(axis=2), *tables, Budget(memory=3000, threads=1))
    assert found.distances.tolist() == best
    assert links_of(found) == linked


@pytest.mark.parametrize("criterion", ["sum", "max"])
@pytest.mark.parametrize("values", [5, 10**6])
def test_coarse_ranks_and_leaves_lose_nothing(criterion, values):
    # Large enough for many leaves and for ranks that do not fit in 16 bits as they are.
    rng = np.random.default_rng(1)
    real, other = (ranked(rng.integers(0, values, (9000, 6)).astype(float)) for _ in range(2))
    found = SEARCH[criterion](real[:300], other, ONE)
    distances = COMBINED[criterion](np.abs(real[:300, None, :] - other[None, :, :]), axis=2) / 2
    assert found.distances.tolist() == distances.min(axis=1).tolist()
    nearest = [np.flatnonzero(row == row.min()).tolist() for row in distances]
    assert links_of(found) == nearest


def test_neither_threads_nor_groups_change_a_link(monkeypatch):
    rng = np.random.default_rng(2)
    real, other = (ranked(rng.integers(0, 50, (3000, 5)).astype(float)) for _ in range(2))
    found = nearest_by_ranks(real, other, ONE)
    monkeypatch.setattr(rank_linkage, "TOGETHER", 7)
    monkeypatch.setattr(rank_linkage, "LEAF", 33)
    again = nearest_by_ranks(real, other, Budget(threads=3))
    assert (found.links != again.links).nnz == 0
    assert found.distances.tolist() == again.distances.tolist()


@settings(max_examples=60, deadline=None)
@given(two_tables(), st.integers(0, 2**32 - 1))
def test_columns_left_out_in_turn_equal_the_definition_without_them(tables, seed):
    rng, width = np.random.default_rng(seed), tables[0].shape[1]
    turns = [rng.permutation(width)[: rng.integers(0, width)] for _ in range(3)]
    for out, found in zip(turns, nearest_by_ranks_in_turn(*tables, turns, ONE), strict=True):
        best, linked = definition(*(np.delete(table, out, axis=1) for table in tables), np.sum)
        assert found.distances.tolist() == best
        assert links_of(found) == linked


def test_coarse_ranks_and_leaves_lose_nothing_in_any_turn():
    rng = np.random.default_rng(5)
    values = [3, 10**6, 40, 10**6, 2, 10**6]
    real, other = (ranked(rng.integers(0, values, (9000, 6)).astype(float)) for _ in range(2))
    turns = [np.array([column]) for column in (0, 1, 5)]
    for out, found in zip(turns, nearest_by_ranks_in_turn(real[:200], other, turns, Budget(threads=2)), strict=True):
        apart = np.abs(real[:200, None, :] - other[None, :, :])
        distances = (apart.sum(axis=2) - apart[:, :, out].sum(axis=2)) / 2
        assert found.distances.tolist() == distances.min(axis=1).tolist()
        assert links_of(found) == [np.flatnonzero(row == row.min()).tolist() for row in distances]


def test_turns_whose_links_do_not_fit_together_are_searched_one_by_one():
    rng = np.random.default_rng(6)
    real, other = (ranked(np.column_stack([rng.normal(size=40), np.arange(40) % 2])) for _ in range(2))
    turns = [np.array([0]), np.array([], int)]
    small = Budget(memory=64 * 830, threads=1)  # without the first column 800 links, and 40 more with both
    for out, found in zip(turns, nearest_by_ranks_in_turn(real, other, turns, small), strict=True):
        best, linked = definition(*(np.delete(table, out, axis=1) for table in (real, other)), np.sum)
        assert found.distances.tolist() == best
        assert links_of(found) == linked


def test_a_table_is_linked_to_itself_at_distance_zero():
    ranks = ranked(np.random.default_rng(3).normal(size=(500, 3)))
    found = nearest_by_ranks(ranks, ranks, ONE)
    assert links_of(found) == [[place] for place in range(500)]
    assert not found.distances.any()


def test_too_many_ties_for_the_memory_are_a_reason():
    rng = np.random.default_rng(4)
    # All differ in the first column, and half of all rows are at distance 0 in the second.
    real, other = (ranked(np.column_stack([rng.normal(size=400), np.arange(400) % 2])) for _ in range(2))
    with pytest.raises(NotApplicable, match="more than 1,000 links"):
        nearest_in_one(real, other, Budget(memory=64_000, threads=1))


def test_a_criterion_that_gives_something_else_is_refused():
    ranks = ranked(np.arange(6.0).reshape(3, 2))
    with pytest.raises(ConfigError, match="are expected"):
        nearest_by(lambda apart: apart.sum(), ranks, ranks, ONE)
    with pytest.raises(ConfigError, match="finite numbers"):
        nearest_by(lambda apart: apart.sum(axis=2) * np.nan, ranks, ranks, ONE)
