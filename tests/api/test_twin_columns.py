"""Two columns of one name: refused in a sentence that shows no value, whatever kind of table and wherever it goes."""

import re

import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyarrow import feather

import seethrough as st

ROWS = 210
VALUES = [f"private{at % 7}" for at in range(ROWS)]
GOOD = pl.DataFrame({"a": VALUES, "b": [at % 5 for at in range(ROWS)], "c": VALUES})
TWINS = pa.table([VALUES, list(range(ROWS)), VALUES], names=["a", "b", "a"])
"""An Arrow file of these is not told from a damaged one by Polars."""


class Stream:
    """What speaks the Arrow protocol and nothing else."""

    def __arrow_c_stream__(self, requested_schema=None):
        return TWINS.__arrow_c_stream__(requested_schema)


def duck():
    duckdb = pytest.importorskip("duckdb")
    return duckdb.sql("SELECT 'private' AS a, 2 AS b, 'private' AS a")


def file_of(write, name):
    def make(folder):
        write(TWINS, folder / name)
        return folder / name

    return make


KINDS = {
    "pyarrow table": lambda folder: TWINS,
    "pyarrow batch": lambda folder: TWINS.to_batches()[0],
    "pyarrow reader": lambda folder: TWINS.to_reader(),
    "arrow stream": lambda folder: Stream(),
    "pandas": lambda folder: pd.DataFrame(GOOD.to_dict(as_series=False)).set_axis(["a", "b", "a"], axis=1),
    "pandas, a number and its text": lambda folder: pd.DataFrame({"1": VALUES, "b": range(ROWS), 1: VALUES}),
    "polars, lazy": lambda folder: GOOD.lazy().select(pl.col("a"), pl.col("b").alias("a")),
    "duckdb": lambda folder: duck(),
    "parquet": file_of(pq.write_table, "twins.parquet"),
    "arrow": file_of(lambda table, path: feather.write_feather(table, str(path)), "t.arrow"),
    "csv": file_of(lambda table, path: path.write_text("a,b,a\nprivate,2,private\n"), "twins.csv"),
}
ENTRIES = {
    "audit real": lambda table: st.audit(table, GOOD),
    "audit synthetic": lambda table: st.audit(GOOD, table),
    "audit two releases": lambda table: st.audit(GOOD, [GOOD, table]),
    "audit holdout": lambda table: st.audit(GOOD, GOOD, table),
    "attack people": lambda table: st.attack("dcr", table, GOOD, secret="c"),
    "attack synthetic": lambda table: st.attack("dcr", GOOD.drop("a"), table, secret="a"),
    "attack truth": lambda table: st.attack("dcr", GOOD.drop("a"), GOOD, secret="a", truth=table),
    "rate people": lambda table: st.rate_people(table, GOOD),
    "rate synthetic": lambda table: st.rate_people(GOOD, table),
    "rate reference": lambda table: st.rate_people(GOOD, GOOD, table),
    "game": lambda table: st.play_game(table, secret="a"),
    "link real": lambda table: st.link(table, GOOD, secret="a"),
    "link synthetic": lambda table: st.link(GOOD, table, secret="a"),
    "reverse map real": lambda table: st.reverse_map(table, GOOD),
    "reverse map synthetic": lambda table: st.reverse_map(GOOD, table),
    "split": lambda table: st.split(table),
    "synthesize": lambda table: st.synthesize("indhist", table, 10),
    "infer schema": lambda table: st.infer_schema(table),
}


@pytest.mark.parametrize("make", KINDS.values(), ids=KINDS)
@pytest.mark.parametrize("enter", ENTRIES.values(), ids=ENTRIES)
def test_twins_are_refused_in_a_sentence_without_values(make, enter, tmp_path):
    with pytest.raises(st.SeethroughError, match="a") as refused:
        enter(make(tmp_path))
    assert "private" not in str(refused.value)
    assert re.search(r"two columns|has more than one occurrence|duplicate|has no column", str(refused.value)), str(
        refused.value
    )
