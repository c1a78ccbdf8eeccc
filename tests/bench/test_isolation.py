"""Isolation by hand, against all pairs, and the ten most isolated people of a known table."""

import csv
import gzip

import numpy as np
import pytest

from seethrough.bench.isolation import Isolation, most_isolated
from seethrough.data.schema import Column, Kind, Schema
from seethrough.data.table import Table
from seethrough.errors import ConfigError, NotApplicable
from seethrough.kernels.budget import Budget

NUMBERS = ("age", "fnlwgt", "education-num", "capital-gain", "capital-loss", "hours-per-week")


def table_of(**columns):
    made, values = [], []
    for name, given in columns.items():
        if isinstance(given[0], str):
            levels, codes = np.unique(given, return_inverse=True)
            made.append(Column(name, Kind.CATEGORICAL, levels=tuple(levels)))
            values.append((codes + 1).astype(np.uint8))
        else:
            numbers = np.array(given, float)
            made.append(Column(name, Kind.NUMERIC, low=float(np.nanmin(numbers)), high=float(np.nanmax(numbers))))
            values.append(numbers)
    return Table(Schema(tuple(made)), tuple(values))


def measured(table, **how):
    return Isolation(**how).measure(table, Budget(), np.random.default_rng(0))


def test_by_hand_in_standard_deviations():
    # Mean 1.5, standard deviation 1.5: in its units the numbers are 0, 0, 2, 2.
    table = table_of(a=["x", "x", "x", "y"], b=[0.0, 0.0, 3.0, 3.0])
    assert measured(table, neighbours=2).tolist() == [1.0, 1.0, 1.5, 2.0]


def test_by_hand_with_the_cosine():
    # One category and one number: cosine 1 where both are above the least, 0 with a row of zeros.
    table = table_of(a=["x", "x", "x", "y"], b=[1.0, 1.0, 3.0, 3.0])
    assert measured(table, distance="cosine", neighbours=1).tolist() == [0.5, 0.5, 0.5, 0.5]
    other = table_of(a=["x", "x", "x", "y"], b=[2.0, 2.0, 3.0, 1.0])
    assert measured(other, distance="cosine", neighbours=2).tolist() == [0.0, 0.0, 0.0, 1.0]


@pytest.mark.parametrize("distance", ["standard", "cosine"])
def test_equal_rows_count_and_the_order_of_rows_does_not(distance):
    rng = np.random.default_rng(3)
    table = table_of(a=list(rng.choice(list("pqr"), 60)), b=list(rng.integers(1, 6, 60).astype(float)))
    found = measured(table, distance=distance)
    order = rng.permutation(60)
    assert np.array_equal(measured(table.take(order), distance=distance), found[order])
    six = table.take(np.repeat(np.arange(60), 6))
    assert (measured(six, distance=distance) == 0).sum() >= 6 * (table.column("b") > 1).sum()


def test_a_large_table_is_measured_against_a_sample_that_does_not_depend_on_the_order():
    rng = np.random.default_rng(4)
    table = table_of(b=list(rng.random(2100)))
    found = measured(table, most_pairs=1)
    assert found.min() > 0
    order = rng.permutation(2100)
    assert np.array_equal(measured(table.take(order), most_pairs=1), found[order])


def test_missing_values_are_a_category_of_their_own():
    table = table_of(a=["x", "x", "x"], b=[1.0, 2.0, np.nan])
    for distance in ("standard", "cosine"):
        assert np.isfinite(measured(table, distance=distance)).all()


def test_who_ties_with_the_last_is_isolated_too():
    assert most_isolated(np.array([3.0, 1.0, 2.0, 2.0, 0.0]), 0.4, fewest=1).tolist() == [
        True,
        False,
        True,
        True,
        False,
    ]
    assert most_isolated(np.arange(100.0), 0.01).sum() == 20


def test_what_cannot_be_measured_is_refused():
    with pytest.raises(NotApplicable):
        measured(table_of(b=[1.0]))
    with pytest.raises(ConfigError):
        Isolation(neighbours=0)


@pytest.mark.slow
def test_the_ten_most_isolated_people_of_a_census(shared_folder):
    with gzip.open(shared_folder / "data" / "adult.csv.gz", "rt") as file:
        head, *rows = [[value.strip() for value in row] for row in csv.reader(file) if row]
    kept = [row for row in rows if "?" not in row]
    columns = dict(zip(head, zip(*kept, strict=True), strict=True))
    table = table_of(**{name: list(map(float, v)) if name in NUMBERS else list(v) for name, v in columns.items()})
    assert len(table) == 45_222
    found = measured(table, distance="cosine", most_pairs=10**10)
    first = np.argsort(-found, kind="stable")[:11]
    assert first.tolist() == [39435, 36838, 6066, 1678, 27566, 43082, 35988, 16525, 5918, 16249, 14731]
    said = [0.2812, 0.2767, 0.2725, 0.2711, 0.2611, 0.2580, 0.2533, 0.2507, 0.2502, 0.2489, 0.2438]
    assert np.abs(found[first] - said).max() < 2e-4
