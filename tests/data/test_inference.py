"""What each column is taken for, and why."""

import polars as pl
import pytest

from seethrough.data.reading.release_tables import infer_schema
from seethrough.data.schema import Column, Kind, Role, Schema
from seethrough.errors import ConfigError, DataError, SchemaMismatch

VARIED = {"v": [0.5 + row for row in range(200)]}


def column(values, name="a", **options):
    values = list(values)
    frame = pl.DataFrame({name: values, "v": VARIED["v"][: len(values)]}, strict=False)
    return infer_schema(frame, **options)[name]


@pytest.mark.parametrize(
    ("values", "kind", "role"),
    [
        ([True, False] * 5, Kind.BINARY, Role.NONE),
        (["True", "FALSE", "true"] * 5, Kind.BINARY, Role.NONE),
        (["x", "y", "z"] * 5, Kind.CATEGORICAL, Role.NONE),
        (["x", "y"] * 5, Kind.BINARY, Role.NONE),
        ([1, 2, 3] * 20, Kind.CATEGORICAL, Role.NONE),
        ([1.0, 2.0, None] * 20, Kind.BINARY, Role.NONE),
        ([1, 2, 3] * 9, Kind.NUMERIC, Role.NONE),
        (list(range(21)) * 9, Kind.NUMERIC, Role.NONE),
        ([0.5, 1.5] * 50, Kind.NUMERIC, Role.NONE),
        (["007", "010", "100"] * 20, Kind.CATEGORICAL, Role.NONE),
        ([f"name {row}" for row in range(20)], Kind.CATEGORICAL, Role.ID),
        ([f"name {row}" for row in range(19)], Kind.CATEGORICAL, Role.NONE),
        (list(range(1000, 1050)), Kind.NUMERIC, Role.ID),
        (list(range(1000, 1049)), Kind.NUMERIC, Role.NONE),
        ([123456 + row * row * 37 for row in range(60)], Kind.NUMERIC, Role.ID),
        ([23456 + row * row * 7 for row in range(60)], Kind.NUMERIC, Role.NONE),
        ([2**60 + row * 1000 for row in range(60)], Kind.NUMERIC, Role.ID),
    ],
)
def test_kinds_and_roles(values, kind, role):
    found = column(values)
    assert (found.kind, found.role) == (kind, role), found.reason


@pytest.mark.parametrize("name", ["id", "ID", "person_id", "personID", "uuid", "index", "Unnamed: 0"])
def test_a_name_and_distinct_values_make_an_identifier(name):
    assert column([5, 900, 77], name).role is Role.ID


@pytest.mark.parametrize("name", ["paid", "humid", "indexed", "grid"])
def test_a_name_that_only_ends_alike_makes_none(name):
    assert column([5, 900, 77], name).role is Role.NONE


def test_an_identifier_is_used_when_named():
    values = [f"name {row}" for row in range(30)]
    assert column(values, secrets=["a"]).role is Role.SECRET
    assert len(column(values, keys=["a"]).levels) == 30


def test_one_other_text_among_many_numbers_means_missing():
    found = column([*range(0, 300, 10), *range(0, 300, 10), "N", "N"])
    assert (found.kind, found.missing) == (Kind.NUMERIC, ("N",))
    assert found.reason == "numbers apart from one text, which is read as missing"  # which one is a value
    assert (found.low, found.high) == (0, 290)


def test_one_other_text_among_few_numbers_is_a_level():
    found = column(["1", "2", "N"] * 20)
    assert (found.kind, found.levels) == (Kind.CATEGORICAL, ("1", "2", "N"))


def test_two_other_texts_make_categories():
    assert column([*range(0, 300, 10), *range(0, 300, 10), "N", "?"]).kind is Kind.CATEGORICAL


def test_the_reason_tells_how_to_disagree():
    reason = 'integer with 9 distinct values, read as categories; set kind = "numeric" if they are quantities'
    assert column(list(range(9)) * 10).reason == reason


def test_a_constant_column_stays_and_is_said():
    found = column(["x"] * 5)
    assert found.levels == ("x",)
    assert found.is_used
    assert "constant" in found.reason


def test_levels_range_and_fill_come_from_the_real_table():
    assert column(["10", "9", "1.0", "1"] * 20).levels == ("1", "9", "10")
    found = column([0.5, None, 3, 1])
    assert (found.low, found.fill, found.high) == (0.5, 1, 3)


@pytest.mark.parametrize("token", ["", " ", "NA", "N/A", "NaN", "nan", "null", "NULL", "<NA>", None])
def test_missing_is_no_level(token):
    assert column(["x", token, "y"]).levels == ("x", "y")
    assert column(["0.5", token, "1.5"]).kind is Kind.NUMERIC


def test_a_csv_and_typed_columns_give_the_same_schema(tmp_path):
    frame = pl.DataFrame(
        {
            "i": list(range(30)) * 3,
            "f": [0.25, 0.5, None] * 30,
            "b": [True, False, None] * 30,
            "s": ["x", "y", "z"] * 30,
        }
    )
    frame.write_csv(tmp_path / "t.csv")
    frame.write_parquet(tmp_path / "t.parquet")
    assert infer_schema(tmp_path / "t.csv") == infer_schema(tmp_path / "t.parquet") == infer_schema(frame)


def declared(**fields):
    return Schema((Column("a", **fields),))


def test_what_is_declared_wins_and_the_rest_is_inferred():
    values = [1, 2, 3] * 20
    assert column(values, schema=declared(kind=Kind.NUMERIC)).high == 3
    assert column(values, schema=declared(kind=Kind.NUMERIC, low=0, high=9)).high == 9
    assert column(values, schema=declared(kind=Kind.CATEGORICAL, levels=("3", "2", "1.0"))).levels == ("3", "2", "1")
    assert column(values, schema=declared(kind=Kind.CATEGORICAL, missing=("3.0",))).levels == ("1", "2")
    assert column(range(100), schema=declared(kind=Kind.NUMERIC)).is_used
    assert not column(values, schema=declared(kind=Kind.NUMERIC, role=Role.IGNORE)).is_used


def test_a_declared_number_may_have_one_other_text():
    assert column(["1", "2", "N"] * 20, schema=declared(kind=Kind.NUMERIC)).missing == ("N",)


def test_a_declared_level_that_looks_missing_is_a_level():
    countries = declared(kind=Kind.CATEGORICAL, levels=("BW", "NA", "ZA"))
    assert column(["NA", "ZA", "", "BW"], schema=countries).levels == ("BW", "NA", "ZA")


def test_a_declared_column_that_is_not_there_is_named():
    with pytest.raises(SchemaMismatch, match="real has no column 'b', which the schema declares; it has a, v"):
        column([1, 2], schema=Schema((Column("b", Kind.NUMERIC),)))
    assert column([1, 2], schema=Schema((Column("b", Kind.NUMERIC, Role.ID),))).name == "a"


def test_a_declared_binary_column_with_three_levels_is_refused():
    with pytest.raises(SchemaMismatch, match="real: column 'a' has 3 levels"):
        column(["x", "y", "z"], schema=declared(kind=Kind.BINARY))


def test_a_declared_number_that_is_text_is_refused():
    with pytest.raises(SchemaMismatch, match="real: column 'a' should hold numbers as the schema has it, but row 1"):
        column(["x", "y", "z"], schema=declared(kind=Kind.NUMERIC))


def test_a_secret_that_is_not_there_is_refused():
    with pytest.raises(ConfigError, match="secret column 'zip' is not in the real table"):
        column([1, 2], secrets=["zip"])


@pytest.mark.parametrize("values", [[1.0, float("inf")], ["1", "inf"]])
def test_infinite_numbers_are_refused(values):
    with pytest.raises(DataError, match="real: column 'a' holds an infinite number in row 2"):
        infer_schema(pl.DataFrame({"a": values}))


@pytest.mark.parametrize(
    ("frame", "message"),
    [
        ({"a": []}, "real has no rows; at least two are needed"),
        ({"a": [1]}, "real has one row; at least two are needed"),
        ({"a": [1, 1], "b": ["x", "x"], "c": [None, None]}, "every column of real is constant"),
        ({"id": [1, 2, 3]}, "real has no usable column"),
        ({}, "real has no columns"),
    ],
)
def test_tables_without_anything_to_compare_are_refused(frame, message):
    with pytest.raises(DataError, match=message):
        infer_schema(pl.DataFrame(frame))


def test_a_column_that_is_constant_apart_from_missing_values_varies():
    assert infer_schema(pl.DataFrame({"a": ["x", None, "x"]}))["a"].levels == ("x",)
