"""What is written reads back as what it was."""

import numpy as np
import pandas as pd
import polars as pl
import pytest

from seethrough.data.files.sources import open_source
from seethrough.data.reading.single_table import read_like, read_source
from seethrough.data.schema import Column, Kind, Schema
from seethrough.data.table import Table
from seethrough.data.writing import as_frame, as_given, as_pandas, write_files
from seethrough.errors import ConfigError

TEXT = """age,size,sex,code,born,seen
30,1.5,M ,01,05/12/1990,2020-01-05 10:30:00
41,,f,02,17/01/1985,2021-01-05 00:00:00
52,2.0,,01,30/11/2001,2020-03-07 23:59:59
33,2.5,True,03,01/02/1999,2020-03-07 23:59:58
"""


@pytest.fixture
def source(tmp_path):
    path = tmp_path / "real.csv"
    path.write_text(TEXT)
    return open_source(path, "real")


def test_a_table_is_written_as_it_was(source):
    table = read_source(source).table
    frame = as_frame(table, source)
    assert frame["age"].to_list() == [30, 41, 52, 33]
    assert frame["size"].to_list() == [1.5, None, 2.0, 2.5]
    assert frame["sex"].to_list() == ["M", "f", None, "True"]
    assert frame["code"].to_list() == ["01", "02", "01", "03"]
    assert frame["born"].to_list() == ["05/12/1990", "17/01/1985", "30/11/2001", "01/02/1999"]
    assert frame["seen"].to_list()[::3] == ["2020-01-05 10:30:00", "2020-03-07 23:59:58"]


@pytest.mark.parametrize("name", ["t.csv", "t.csv.gz", "t.parquet", "t.arrow"])
def test_files_read_back(source, tmp_path, name):
    table = read_source(source).table
    write_files(as_frame(table, source), tmp_path / name, {"card": "said"})
    back = read_like(tmp_path / name, table.schema, "back").table
    assert back.digest == table.digest
    assert (tmp_path / "card").read_text() == "said"
    assert {path.name for path in tmp_path.iterdir()} == {"real.csv", name, "card"}


def test_types_of_the_given_table_are_kept():
    zoned = pl.Series([0, 10**6, 2 * 10**6]).cast(pl.Datetime("ms")).dt.replace_time_zone("Europe/Paris")
    given = pl.DataFrame({"n": [1, 2, 2], "flag": [True, None, False], "x": [1.0, 2.0, 7.0], "t": zoned})
    schema = Schema((Column("n", Kind.CATEGORICAL),))
    source = open_source(given, "given")
    table = read_source(source, schema).table
    assert as_frame(table, source).equals(given)
    assert as_frame(table, source).schema == given.schema


def test_a_level_that_nobody_has_gets_a_name_of_its_own():
    schema = Schema((Column("a", Kind.CATEGORICAL, levels=("u", "new 1")),))
    table = Table(schema, (np.array([0, 1, 2, 3, 4], np.uint8),))
    assert as_frame(table)["a"].to_list() == [None, "u", "new 1", "new 2", "new 3"]


def test_a_declared_level_that_no_record_has_is_written(tmp_path):
    source = open_source(pl.DataFrame({"n": [1, 2], "b": ["x", "y"]}), "given")
    declared = Schema((Column("n", Kind.CATEGORICAL, levels=("1", "2", "7"), declared=True),))
    schema = read_source(source, declared).table.schema
    table = Table(schema, (np.array([3, 1], np.uint8), np.array([1, 2], np.uint8)))
    assert as_frame(table, source)["n"].to_list() == [7, 1]


def test_pandas_and_arrow_come_back_as_such(source):
    table = read_source(source).table
    frame = as_frame(table, texts=False)
    found = as_pandas(frame)
    assert isinstance(found, pd.DataFrame)
    assert found["born"].dtype.kind == "M"
    assert np.isnan(found["size"][1])
    assert found["sex"][2] is None or found["sex"].isna()[2]
    assert isinstance(as_given(frame, found), pd.DataFrame)
    assert type(as_given(frame, frame.to_arrow())).__module__.startswith("pyarrow")
    assert as_given(frame, "path.csv") is frame


def test_an_unknown_suffix_is_refused_and_nothing_is_left(tmp_path):
    with pytest.raises(ConfigError, match=r"should end with one of \.csv"):
        write_files(pl.DataFrame({"a": [1]}), tmp_path / "t.xlsx", {})
    assert not list(tmp_path.iterdir())
