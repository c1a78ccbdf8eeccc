"""3-way marginals of relaxed rows, against loops over marginals and queries."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from seethrough.errors import ConfigError
from seethrough.synthesizers._models.relaxed import queries as module
from seethrough.synthesizers._models.relaxed.queries import ThreeWayQueries, pad_sizes


def relaxed_rows(sizes, rows, seed=0):
    rng = np.random.default_rng(seed)
    parts = [rng.dirichlet(np.ones(size), rows).T for size in sizes]
    return np.concatenate(parts).astype(np.float32)


def by_loops(sizes, rows):
    """Every query by itself: the sum of products, by the columns and values asked for."""
    starts, found = np.concatenate([[0], np.cumsum(sizes)]), {}
    for columns in combinations(range(len(sizes)), 3):
        for values in np.ndindex(*(sizes[column] for column in columns)):
            places = tuple(int(starts[column] + value) for column, value in zip(columns, values, strict=True))
            found[places] = float(np.prod(rows[list(places)].astype(float), axis=0).sum())
    return found


@given(st.lists(st.integers(1, 4), min_size=3, max_size=6), st.integers(1, 7), st.integers(0, 99))
@settings(max_examples=40, deadline=None)
def test_sums_are_those_of_every_query_by_itself(sizes, count, seed):
    three_way, rows = ThreeWayQueries(tuple(sizes)), relaxed_rows(sizes, count, seed)
    expected = by_loops(sizes, rows)
    assert three_way.count == len(expected)
    places = list(zip(*(part.tolist() for part in three_way.values(np.arange(three_way.count))), strict=True))
    assert len(set(places)) == len(places)
    np.testing.assert_allclose(three_way.sums(rows), [expected[place] for place in places], rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("at_once", [1, 7, 64])
def test_blocks_change_nothing(monkeypatch, at_once):
    sizes = (3, 2, 4, 3, 2)
    rows = relaxed_rows(sizes, 10)
    whole = ThreeWayQueries(sizes).sums(rows)
    monkeypatch.setattr(module, "PRODUCTS_AT_ONCE", at_once)
    np.testing.assert_allclose(ThreeWayQueries(sizes).sums(rows), whole, rtol=1e-6)


def test_marginals_of_records_are_shares(monkeypatch):
    sizes = (2, 3, 2, 2)
    rng = np.random.default_rng(1)
    cells = np.column_stack([rng.integers(0, size, 50) for size in sizes])
    three_way = ThreeWayQueries(sizes)
    expected = np.empty(three_way.count)
    for number, (i, j, k) in enumerate(three_way.columns):
        table = np.zeros((sizes[i], sizes[j], sizes[k]))
        np.add.at(table, (cells[:, i], cells[:, j], cells[:, k]), 1 / 50)
        expected[three_way.queries(number)] = table.ravel()
    np.testing.assert_allclose(three_way.marginals(cells), expected, rtol=1e-6)
    monkeypatch.setattr(module, "RECORDS_AT_ONCE", 7)
    assert np.array_equal(ThreeWayQueries(sizes).marginals(cells), three_way.marginals(cells))


def test_every_query_belongs_to_one_marginal_and_the_largest_error_is_the_largest_of_its_queries():
    three_way = ThreeWayQueries((2, 3, 1, 4, 2))
    errors = np.random.default_rng(2).normal(size=three_way.count).astype(np.float32)
    parts = [three_way.queries(number) for number in range(len(three_way.columns))]
    assert sorted(three_way.columns) == list(combinations(range(5), 3))
    assert np.array_equal(np.sort(np.concatenate(parts)), np.arange(three_way.count))
    assert np.array_equal(three_way.largest(errors), [np.abs(errors[part]).max() for part in parts])
    for (i, j, k), part in zip(three_way.columns, parts, strict=True):
        columns = [np.searchsorted(three_way.starts, values, side="right") - 1 for values in three_way.values(part)]
        assert [set(column.tolist()) for column in columns] == [{i}, {j}, {k}]


def test_too_few_columns_are_refused_or_padded_and_too_many_queries_are_refused():
    with pytest.raises(ConfigError, match="there are 2"):
        ThreeWayQueries((4, 5))
    assert pad_sizes((4, 5)) == (4, 5, 1)
    assert ThreeWayQueries(pad_sizes((4, 5))).count == 20
    with pytest.raises(ConfigError, match=r"1,000,000,000 combinations of three values.*fewer bins"):
        ThreeWayQueries((1000, 1000, 1000))
