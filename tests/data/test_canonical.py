"""Values are identical by meaning, whatever type they are stored in."""

from decimal import Decimal

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from seethrough.data.canonical import by_meaning, canonical, canonical_texts, number, text
from seethrough.data.files.sources import open_source
from seethrough.data.schema import Column, Kind


def canonical_of(values, dtype):
    source = open_source(pl.DataFrame({"a": pl.Series(values, dtype=dtype)}), "t")
    return source.collect(source.frame.select(canonical(text(source, "a")))).to_series().to_list()


@pytest.mark.parametrize(
    ("value", "dtype"),
    [
        (1, pl.Int8),
        (1, pl.UInt64),
        (1.0, pl.Float64),
        (1.0, pl.Float32),
        (Decimal("1.00"), pl.Decimal(10, 2)),
        ("1", pl.String),
        (" 1 ", pl.String),
        ("1.0", pl.String),
        ("+1", pl.String),
        ("1.", pl.String),
        ("1", pl.Categorical),
        ("1", pl.Enum(["1"])),
    ],
)
def test_one_is_one(value, dtype):
    assert canonical_of([value], dtype) == ["1"]


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("007", "007"),
        ("00", "00"),
        ("-0", "0"),
        ("-0.0", "0"),
        (".5", "0.5"),
        ("0.50", "0.5"),
        ("0.10000000000000001", "0.1"),
        ("1e+20", "100000000000000000000"),
        ("1.5e3", "1500"),
        ("1E5", "1E5"),
        ("9007199254740993", "9007199254740993"),
        ("123456789012345678901234567890", "123456789012345678901234567890"),
        ("True", "true"),
        ("FALSE", "false"),
        ("1_000", "1_000"),
        ("inf", "inf"),
        ("x", "x"),
    ],
)
def test_texts_by_meaning(written, meant):
    assert canonical_texts([written]) == [meant]


def test_booleans_are_not_numbers():
    assert canonical_of([True, False], pl.Boolean) == ["true", "false"]


def test_big_integers_stay_exact():
    assert canonical_of([2**60, 2**60 + 1], pl.Int64) == [str(2**60), str(2**60 + 1)]


def test_a_short_float_means_what_it_shows():
    assert canonical_of([0.1], pl.Float32) == ["0.1"]


@given(st.integers(-(2**53), 2**53))
def test_a_whole_number_is_one_level_as_integer_float_and_text(value):
    texts = canonical_texts([str(value), f"{value}.0", repr(float(value))])
    assert [*texts, *canonical_of([value], pl.Int64), *canonical_of([float(value)], pl.Float64)] == [str(value)] * 5


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_float_is_one_level_as_float_and_text(value):
    assert canonical_of([value], pl.Float64) == canonical_texts([repr(value)])


@given(st.text())
def test_canonical_texts_stay_as_they_are(written):
    once = canonical_texts([written])
    assert canonical_texts(once) == once


def test_levels_sort_by_number_where_all_are_numbers():
    assert by_meaning({"10", "9", "-1", "0.5", "0"}) == ["-1", "0", "0.5", "9", "10"]
    assert by_meaning({"10", "9", "x"}) == ["10", "9", "x"]
    assert by_meaning({"10", "009"}) == ["009", "10"]


def numbers_of(values, dtype, missing=()):
    source = open_source(pl.DataFrame({"a": pl.Series(values, dtype=dtype)}), "t")
    return (
        source.collect(source.frame.select(number(source, Column("a", Kind.NUMERIC, missing=missing))))
        .to_series()
        .to_list()
    )


def test_numbers_of_every_type():
    assert numbers_of([1, None], pl.Int32) == [1.0, None]
    assert numbers_of([0.1, None], pl.Float32) == [0.1, None]
    assert numbers_of([Decimal("1.10")], pl.Decimal(10, 2)) == [1.1]
    assert numbers_of([" 1.5 ", "-9", "", "NA", "nan", None, "1e3"], pl.String) == [
        1.5,
        -9,
        None,
        None,
        None,
        None,
        1000,
    ]
    assert numbers_of([1.0, float("nan")], pl.Float64) == [1.0, None]


def test_missing_codes_count_by_meaning():
    assert numbers_of([-9, 1], pl.Int64, ("-9.0",)) == [None, 1]
    assert numbers_of(["-9", "-9.0", "N", "1"], pl.String, ("-9", "N")) == [None, None, None, 1]


def test_what_is_no_finite_number_comes_out_infinite():
    assert numbers_of(["x", "inf", "1e999", "1"], pl.String) == [float("inf")] * 3 + [1.0]
    assert numbers_of([True], pl.Boolean) == [float("inf")]
