"""Mode-specific encoding: what goes in comes out, modes are where they should be, missing is a choice."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import norm

from seethrough.data.schema import Column, Kind, Schema
from seethrough.data.table import Table
from seethrough.synthesizers._models.domains import declared_domain
from seethrough.synthesizers._models.modes import LevelCoding, Modes, declared_encoding, observed_encoding


def there_and_back(table, encoding):
    return encoding.decode(encoding.encode(table, np.random.default_rng(3)))


def numbers(values, **more):
    known = values[~np.isnan(values)]
    column = Column("x", Kind.NUMERIC, low=float(known.min()), high=float(known.max()), **more)
    return Table(Schema((column,)), (values,))


@pytest.fixture
def mixed(tables_of):
    rng = np.random.default_rng(0)
    number = np.where(rng.random(600) < 0.5, rng.normal(0, 1, 600), rng.normal(50, 2, 600))
    columns = {
        "a": ["x", "y", None] * 200,
        "b": [None if place % 10 == 0 else float(value) for place, value in enumerate(number)],
        "c": [7.0] * 600,
    }
    return tables_of(columns, columns)[0]


def test_a_table_comes_back_as_it_was(mixed):
    found = there_and_back(mixed, observed_encoding(mixed, np.random.default_rng(0)))
    np.testing.assert_array_equal(found.column("a"), mixed.column("a"))
    assert found.column("a").dtype == mixed.column("a").dtype
    np.testing.assert_allclose(found.column("b"), mixed.column("b"), rtol=1e-5, atol=1e-3)
    np.testing.assert_array_equal(found.column("c"), mixed.column("c"))


def test_two_hills_are_two_modes(mixed):
    encoding = observed_encoding(mixed, np.random.default_rng(0))
    modes = encoding.columns[1]
    order = np.argsort(modes.centres)
    np.testing.assert_allclose(modes.centres[order][[0, -1]], [0, 50], atol=1)
    assert modes.optional
    picks = encoding.encode(mixed, np.random.default_rng(0)).picks[:, 1]
    gaps = np.isnan(mixed.column("b"))
    assert (picks[gaps] == modes.size - 1).all()
    assert (picks[~gaps] < modes.size - 1).all()
    assert encoding.width == 2 + 3 + modes.size + 1


def test_a_mode_is_drawn_in_proportion_to_its_density():
    modes = Modes(np.array([0.0, 3.0]), np.array([1.0, 2.0]), np.array([0.3, 0.7]), optional=False)
    picks, places = modes.encode(np.full(40_000, 1.0), np.random.default_rng(0))
    first, second = 0.3 * norm.pdf(1, 0, 1), 0.7 * norm.pdf(1, 3, 2)
    assert np.mean(picks == 0) == pytest.approx(first / (first + second), abs=0.01)
    assert set(places[picks == 0]) == {np.float32(1 / 4)}
    assert set(places[picks == 1]) == {np.float32(-2 / 8)}


def test_values_out_of_reach_count_as_the_end():
    modes = Modes(np.array([0.0]), np.array([1.0]), np.ones(1), optional=False)
    assert modes.encode(np.array([9.0, -5.0]), np.random.default_rng(0))[1].tolist() == [1.0, -1.0]


def test_nothing_but_missing(tables_of):
    columns = {"a": ["x", "y"], "b": [None, None]}
    table = tables_of(columns, columns)[0]
    found = there_and_back(table, observed_encoding(table, np.random.default_rng(0)))
    assert np.isnan(found.column("b")).all()


def test_only_levels_that_occur_have_a_place():
    schema = Schema((Column("a", Kind.CATEGORICAL, levels=("p", "q", "r")),))
    table = Table(schema, (np.array([3, 1, 3], np.uint8),))
    encoding = observed_encoding(table, np.random.default_rng(0))
    assert isinstance(encoding.columns[0], LevelCoding)
    assert encoding.columns[0].codes.tolist() == [1, 3]


@settings(max_examples=30, deadline=None)
@given(st.lists(st.floats(-1e9, 1e9, width=32) | st.just(float("nan")), min_size=1, max_size=40), st.integers(0, 99))
def test_any_column_comes_back_with_its_gaps_and_within_its_modes(values, seed):
    column = Column("x", Kind.NUMERIC, low=0.0, high=1.0)
    table = Table(Schema((column,)), (np.array(values, float),))
    encoding = observed_encoding(table, np.random.default_rng(seed))
    rows = encoding.encode(table, np.random.default_rng(seed))
    found = encoding.decode(rows).columns[0]
    np.testing.assert_array_equal(np.isnan(found), np.isnan(table.columns[0]))
    assert (np.abs(rows.numbers) <= 1).all()
    inside = ~np.isnan(found) & (np.abs(rows.numbers[:, 0]) < 1)
    scale = np.nanmax(np.abs(values)) if inside.any() else 1
    np.testing.assert_allclose(found[inside], table.columns[0][inside], atol=1e-5 * max(scale, 1e-30))


def test_a_stated_encoding_does_not_depend_on_the_values():
    schema = Schema(
        (
            Column("a", Kind.CATEGORICAL, levels=("p", "q", "r"), declared=True, optional=True),
            Column("x", Kind.NUMERIC, low=0.0, high=10.0, declared=True),
        )
    )
    one = Table(schema, (np.array([1, 1], np.uint8), np.array([5.0, 12.0])))
    other = Table(schema, (np.array([0, 3], np.uint8), np.array([0.0, 10.0])))
    encodings = [declared_encoding(declared_domain(table)) for table in (one, other)]
    assert encodings[0].sizes.tolist() == encodings[1].sizes.tolist() == [4, 1]
    for encoding in encodings:
        assert encoding.columns[1].centres.tolist() == [5.0]
        assert there_and_back(one, encoding).columns[1].tolist() == [5.0, 10.0]
        np.testing.assert_array_equal(there_and_back(other, encoding).columns[0], [0, 3])
