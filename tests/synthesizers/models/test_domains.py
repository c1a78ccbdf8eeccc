"""Finite domains: there and back, what is declared and what is read."""

from dataclasses import replace

import numpy as np
import polars as pl
import pytest

import seethrough as st
from seethrough.data.schema import Column, Kind, Schema
from seethrough.data.table import Table
from seethrough.errors import SchemaMismatch
from seethrough.synthesizers._models.domains import declared_domain, observed_domain
from seethrough.synthesizers.privbayes import PrivBayes
from seethrough.synthesizers.random import Random

SEX = Column("sex", Kind.BINARY, levels=("f", "m"))
AGE = Column("age", Kind.NUMERIC, low=0.0, high=100.0, fill=50.0)


def table(sex, age, sex_column=SEX, age_column=AGE):
    return Table(Schema((sex_column, age_column)), (np.array(sex, np.uint8), np.array(age, float)))


def test_cells_by_hand():
    people = table([1, 2, 0, 2], [0.0, 100.0, 49.9, np.nan])
    domain = observed_domain(people, bins=2)
    assert domain.sizes == (3, 3)
    assert domain.cells(people).tolist() == [[0, 0], [1, 1], [2, 0], [1, 2]]
    back = domain.table(domain.cells(people), np.random.default_rng(0))
    assert back.columns[0].tolist() == [1, 2, 0, 2]
    assert 0 <= back.columns[1][0] <= 50 <= back.columns[1][1] <= 100
    assert np.isnan(back.columns[1][3])


def test_edges_of_the_schema_are_the_bins_and_values_beyond_join_the_outermost():
    people = table([1, 1, 1, 1], [-5.0, 17.9, 18.0, 130.0], age_column=replace(AGE, edges=(0.0, 18.0, 65.0, 100.0)))
    assert observed_domain(people).cells(people)[:, 1].tolist() == [0, 0, 1, 2]


def test_uniform_within_a_bin():
    people = table([1] * 4000, [10.0] * 4000)
    drawn = observed_domain(people, bins=2).table(np.zeros((4000, 2), np.int32), np.random.default_rng(0)).columns[1]
    assert drawn.min() < 1
    assert drawn.max() > 49
    assert drawn.mean() == pytest.approx(25, abs=1)


def test_a_declared_domain_does_not_depend_on_the_table():
    declared = replace(SEX, declared=True, optional=True)
    ages = replace(AGE, declared=True)
    some, others = table([1], [3.0], declared, ages), table([0, 2], [99.0, 4.0], declared, ages)
    first, second = declared_domain(some), declared_domain(others)
    assert first.sizes == second.sizes == (3, 20)
    assert first.read_columns == ()
    assert declared_domain(table([1], [3.0], declared)).read_columns == ("age",)


@pytest.mark.parametrize(
    ("sex", "age", "words"),
    [([0], [1.0], "'sex' has missing values"), ([3], [1.0], "not among its 2"), ([1], [np.nan], "'age' has missing")],
)
def test_what_a_declared_domain_does_not_have_is_refused(sex, age, words):
    with pytest.raises(SchemaMismatch, match=words):
        declared_domain(table(sex, age, replace(SEX, declared=True), replace(AGE, declared=True)))


def test_whole_numbers_stay_whole_and_few_have_a_bin_each():
    people = table([1] * 5, [0.0, 1.0, 2.0, 4.0, 4.0], age_column=replace(AGE, high=4.0))
    domain = observed_domain(people)
    assert domain.sizes == (2, 5)
    assert domain.cells(people)[:, 1].tolist() == [0, 1, 2, 4, 4]
    cells = np.column_stack([np.zeros(5, np.int32), np.arange(5, dtype=np.int32)])
    assert domain.table(cells, np.random.default_rng(0)).columns[1].tolist() == [0, 1, 2, 3, 4]


def test_every_whole_number_of_a_bin_is_drawn_alike():
    people = table([1] * 3, [0.0, 7.0, 100.0])
    domain = observed_domain(people, bins=4)
    assert domain.sizes == (2, 4)
    cells = np.tile(np.array([[0, 3]], np.int32), (20000, 1))
    drawn, counts = np.unique(domain.table(cells, np.random.default_rng(0)).columns[1], return_counts=True)
    assert drawn.tolist() == list(range(76, 101))
    assert counts.min() > 650
    assert (domain.cells(table([1] * 101, np.arange(101.0)))[:, 1] == np.arange(101) * 4 // 101).all()


def test_declared_numbers_are_whole_only_where_it_is_declared():
    ages = replace(AGE, declared=True)
    assert not declared_domain(table([1], [3.0], age_column=ages)).axes[1].whole
    assert declared_domain(table([1], [3.5], age_column=replace(ages, whole=True))).axes[1].whole
    edges = replace(ages, whole=True, edges=(0.0, 0.5, 0.7, 100.0))
    assert not declared_domain(table([1], [3.5], age_column=edges)).axes[1].whole


def test_a_column_that_is_all_missing_has_one_cell():
    nothing = table([0, 0], [np.nan, np.nan], sex_column=replace(SEX, levels=()))
    domain = observed_domain(nothing)
    assert domain.sizes == (1, 1)
    assert domain.cells(nothing).tolist() == [[0, 0], [0, 0]]
    back = domain.table(domain.cells(nothing), np.random.default_rng(0))
    assert back.columns[0].tolist() == [0, 0]
    assert np.isnan(back.columns[1]).all()


def test_a_number_without_a_range_is_refused_unless_it_is_all_missing():
    open_ended = replace(AGE, low=None, high=None)
    assert observed_domain(table([1], [np.nan], age_column=open_ended)).sizes == (2, 1)
    with pytest.raises(SchemaMismatch, match="'age' has no range to make bins of"):
        observed_domain(table([1], [3.5], age_column=open_ended))


def test_a_declared_number_that_is_all_missing_keeps_its_bins():
    declared = replace(AGE, declared=True, optional=True)
    assert declared_domain(table([1], [np.nan], age_column=declared), bins=4).sizes == (2, 5)


@pytest.mark.parametrize("name", ["indhist", "baynet:k=1", "rap"])
def test_generators_draw_nothing_where_nothing_was(name):
    frame = pl.DataFrame(
        {"a": ["x", "y"] * 10, "b": ["u", "v", "u", "u"] * 5, "n": pl.Series([None] * 20, dtype=pl.Float64)}
    )
    numeric = Schema((Column("n", Kind.NUMERIC),))
    assert st.synthesize(name, frame, 30, schema=numeric, seed=1).frame["n"].null_count() == 30


@pytest.mark.parametrize("make", [PrivBayes(k=1), Random(form="uniform")])
def test_open_columns_without_a_value_stay_so(make):
    nothing = table([1, 2], [np.nan, np.nan], age_column=replace(AGE, low=None, high=None))
    found = make.fit(nothing, np.random.default_rng(0)).sample(30, np.random.default_rng(0))
    assert np.isnan(found.column("age")).all()
