"""Data frames of every sort, with and without the packages that are not required."""

import datetime
import subprocess
import sys

import polars as pl
import pytest

from seethrough.data.files.sources import open_source
from seethrough.data.reading.release_tables import infer_schema
from seethrough.data.schema import Kind
from seethrough.data.writing import kind_of
from seethrough.errors import DataError

WITHOUT_PYARROW = """
import sys
sys.modules["pyarrow"] = None
import pandas as pd
from seethrough.data.reading.release_tables import infer_schema
frame = pd.DataFrame({"i": [1, 2, 3], "s": ["x", None, "z"], "o": [1, "x", True]})
frame["c"] = pd.Categorical(["a", "b", None])
print([column.levels for column in infer_schema(frame).columns if column.levels])
"""


def columns(given, name="real"):
    source = open_source(given, name)
    return source.collect(source.frame).to_dict(as_series=False)


@pytest.mark.parametrize("make", [pl.DataFrame, pl.LazyFrame])
def test_polars_is_taken_as_it_is(make):
    assert columns(make({"a": [1, None], "b": ["x", "y"]})) == {"a": [1, None], "b": ["x", "y"]}


def test_pandas_columns_of_every_type():
    pd = pytest.importorskip("pandas")
    moments = pd.to_datetime(["2020-01-01 12:00", None])
    frame = pd.DataFrame(
        {
            "int": [1, 2],
            "float": [1.5, None],
            "text": ["x", None],
            "bool": [True, False],
            "nullable int": pd.array([2**60 + 1, None], dtype="Int64"),
            "nullable bool": pd.array([True, None], dtype="boolean"),
            "category": pd.Categorical([1, None]),
            "moment": moments,
            "zoned": moments.tz_localize("Europe/Berlin"),
            "date": [datetime.date(2020, 1, 2), None],
        }
    )
    found = columns(frame)
    assert found["int"] == [1, 2]
    assert found["float"] == [1.5, None]
    assert found["text"] == ["x", None]
    assert found["bool"] == [True, False]
    assert found["nullable int"] == [2**60 + 1, None]
    assert found["nullable bool"] == [True, None]
    assert [text and float(text) for text in found["category"]] == [1, None]
    assert found["moment"] == [datetime.datetime(2020, 1, 1, 12), None]
    assert found["zoned"] == [datetime.datetime(2020, 1, 1, 11), None]
    assert found["date"] == ["2020-01-02", None]


def test_a_mixed_pandas_column_becomes_text():
    pd = pytest.importorskip("pandas")
    mixed = pd.DataFrame({"o": pd.Series([1, "x", True, None, float("nan"), 2.5, pd.NaT, pd.NA], dtype=object)})
    assert columns(mixed) == {"o": ["1", "x", "true", None, None, "2.5", None, None]}


def test_pandas_column_names_may_be_numbers_and_non_ascii():
    pd = pytest.importorskip("pandas")
    assert columns(pd.DataFrame([[1, 2]], columns=[0, "größe"])) == {"0": [1], "größe": [2]}


def test_two_pandas_columns_of_one_name_are_refused():
    pd = pytest.importorskip("pandas")
    with pytest.raises(DataError, match="synth has two columns named 'a'"):
        columns(pd.DataFrame([[1, 2]], columns=["a", "a"]), "synth")


def test_lists_in_a_pandas_column_are_refused():
    pd = pytest.importorskip("pandas")
    with pytest.raises(DataError, match="real: column 'a' holds list values"):
        columns(pd.DataFrame({"a": [[1], [2]]}))


def test_pandas_works_without_pyarrow():
    pytest.importorskip("pandas")
    done = subprocess.run([sys.executable, "-c", WITHOUT_PYARROW], capture_output=True, text=True, check=False)
    assert done.stdout.strip() == "[('x', 'z'), ('1', 'true', 'x'), ('a', 'b')]", done.stderr


def test_pandas_is_not_imported_for_other_frames():
    program = "import sys, polars\nfrom seethrough.data.reading.release_tables import infer_schema\n"
    program += "infer_schema(polars.DataFrame({'a': [1.5, 2.5, 3]}))\n"
    program += "print({'pandas', 'pyarrow', 'duckdb'} & sys.modules.keys())"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.stdout.strip() == "set()", done.stderr


def test_arrow_tables_are_taken():
    pa = pytest.importorskip("pyarrow")
    assert columns(pa.table({"a": [1, None], "b": ["x", "y"]})) == {"a": [1, None], "b": ["x", "y"]}


def test_columns_of_arrow_tables_that_hold_the_same_are_no_twins():
    pa = pytest.importorskip("pyarrow")
    assert columns(pa.table({"a": [1, 2], "b": [1, 2]})) == {"a": [1, 2], "b": [1, 2]}
    with pytest.raises(DataError, match="two columns named 'a'"):
        columns(pa.table([pa.array([1]), pa.array([2])], names=["a", "a"]))


def test_duckdb_relations_are_taken():
    pytest.importorskip("pyarrow")
    # In a process of its own: the module prints about itself when its interpreter ends.
    program = "import duckdb\nfrom seethrough.data.files.sources import open_source\n"
    program += """relation = duckdb.sql("select * from (values (1, 'x'), (null, 'y')) as t(a, b)")\n"""
    program += "print(open_source(relation, 'real').frame.collect().to_dict(as_series=False))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    if "No module named 'duckdb'" in done.stderr:
        pytest.skip("duckdb is not installed")
    assert done.stdout.strip() == "{'a': [1, None], 'b': ['x', 'y']}", done.stderr


@pytest.mark.parametrize("dtype", [pl.List(pl.Int64), pl.Struct({"x": pl.Int64}), pl.Binary, pl.Duration])
def test_types_without_plain_values_are_refused_by_name(dtype):
    frame = pl.DataFrame({"good": [1, 2], "bad": pl.Series([None, None], dtype=dtype)})
    with pytest.raises(DataError, match="real: column 'bad' is of type"):
        infer_schema(frame)


def test_what_is_no_table_is_refused():
    with pytest.raises(DataError, match="synthetic is a int; a path or a data frame is expected"):
        columns(3, "synthetic")


def test_a_polars_column_without_any_value_is_read():
    frame = pl.DataFrame({"a": [1.5, 2.5], "b": [None, None]})
    column = infer_schema(frame)["b"]
    assert (column.kind, column.levels) == (Kind.BINARY, ())
    assert "no value" in column.reason


def test_a_name_with_a_zero_character_comes_back_in_an_arrow_table():
    given = pytest.importorskip("pyarrow").table({"\x00zero": [1, 2], "": [3, 4], "^a$": ["x", "y"]})
    made = kind_of(given).frame(pl.DataFrame({"\x00zero": [1, 2], "": [3, 4], "^a$": ["x", "y"]}))
    assert made.column_names == ["\x00zero", "", "^a$"]
    assert made.column(2).to_pylist() == ["x", "y"]
