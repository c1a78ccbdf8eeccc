"""Tables in chunks: however they are cut, they hold what the table in memory holds."""

import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from last_first import LastFirst

from seethrough.data import table as tables
from seethrough.data.chunked.chunked_table import ChunkedTable
from seethrough.data.chunked.row_passes import PickedRows
from seethrough.data.chunked.stacked import stack_released
from seethrough.data.files.sources import open_source
from seethrough.data.reading.large import file_chunks, large_release
from seethrough.data.reading.large.packed_rows import pack_rows
from seethrough.data.reading.release_tables import read_release
from seethrough.data.rows import stack_tables
from seethrough.data.schema import Column, Kind, Schema
from seethrough.data.table import Table
from seethrough.errors import DataError, NotApplicable, SchemaMismatch
from seethrough.kernels.passes import ThisProcess

RNG = np.random.default_rng(0)
REAL = pl.DataFrame(
    {
        "town": RNG.choice(["a", "b", "c"], 300),
        "rooms": RNG.integers(1, 5, 300),
        "age": RNG.normal(40, 10, 300).round(1),
        "member": RNG.integers(0, 2, 300).astype(bool),
    }
)
ROWS = 700
RELEASE = pl.DataFrame(
    {
        "member": RNG.integers(0, 2, ROWS),
        "town": RNG.choice(["a", "b", "d", "e", None], ROWS),
        "rooms": RNG.integers(1, 7, ROWS),
        "age": RNG.normal(40, 10, ROWS).round(1),
    }
)


@pytest.fixture
def cut(monkeypatch):
    """Read any release in chunks of so many rows."""

    def to(rows):
        monkeypatch.setattr(large_release, "LARGE", 0)
        monkeypatch.setattr(large_release, "SHARED", rows)
        monkeypatch.setattr(file_chunks, "CHUNK", rows)

    return to


def read(release, executor=None):
    return read_release(REAL, [release], executor=executor)


def whole(found):
    table = found.synthetic[0].table
    return stack_tables(list(table.rows)) if isinstance(table, ChunkedTable) else table


@pytest.mark.parametrize("suffix", ["parquet", "csv", "frame", "folder"])
@pytest.mark.parametrize(("rows", "of"), [(1, 31), (97, ROWS), (699, ROWS), (5000, ROWS)])
@pytest.mark.parametrize("executor", [None, LastFirst()])
def test_any_chunks_are_the_table(rows, of, suffix, executor, cut, tmp_path):
    release = RELEASE[:of]
    if suffix == "frame":
        given, executor = release, None
    elif suffix == "folder":
        given = tmp_path / "release"
        given.mkdir()
        (given / "_SUCCESS").touch()
        for number, part in enumerate((release[: of // 3], release[of // 3 : of // 3 + 1], release[of // 3 + 1 :])):
            part.write_parquet(given / f"part-{number}.parquet")
    else:
        given = tmp_path / f"release.{suffix}"
        release.write_parquet(given, row_group_size=of // 14) if suffix == "parquet" else release.write_csv(given)
    expected = read(given)
    assert not isinstance(expected.synthetic[0].table, ChunkedTable)
    cut(rows)
    found = read(given, executor)
    table = found.synthetic[0].table
    assert isinstance(table, ChunkedTable)
    assert len(table) == len(expected.synthetic[0].table) == of
    for mine, theirs in zip(whole(found).columns, expected.synthetic[0].table.columns, strict=True):
        assert mine.dtype == theirs.dtype
        np.testing.assert_array_equal(mine, theirs)
    assert found.unseen == expected.unseen
    assert [*expected.synthetic[0].notes] == [*found.synthetic[0].notes][: len(expected.synthetic[0].notes)]
    assert "is read in chunks" in found.synthetic[0].notes[-1]
    assert found.train.table.digest == expected.train.table.digest


def test_digest_and_drawn_rows_do_not_depend_on_the_cuts(cut, tmp_path, monkeypatch):
    monkeypatch.setattr(tables, "MOST_WHOLE", 100)
    monkeypatch.setattr(tables, "DRAWN_ROWS", 60)
    path = tmp_path / "release.parquet"
    RELEASE.write_parquet(path)
    in_memory = read(path).synthetic[0].table.drawn
    assert len(in_memory) == 60
    digests = set()
    for rows in (71, 350, 900):
        cut(rows)
        for executor in (ThisProcess(), LastFirst()):
            table = read(path, executor).synthetic[0].table
            digests.add(table.digest)
            for mine, theirs in zip(table.drawn.columns, in_memory.columns, strict=True):
                np.testing.assert_array_equal(mine, theirs)
    assert len(digests) == 1
    other = tmp_path / "other.parquet"
    RELEASE.with_columns(pl.Series("age", [*RELEASE["age"][1:], RELEASE["age"][0]])).write_parquet(other)
    assert read(other).synthetic[0].table.digest not in digests


def test_rows_columns_and_schemas_of_a_table_in_chunks(cut, tmp_path):
    path = tmp_path / "release.parquet"
    RELEASE.write_parquet(path)
    expected = read(path).synthetic[0].table
    cut(100)
    table = read(path).synthetic[0].table
    some = np.array([650, 3, 3, 99, 100, 0])
    for mine, theirs in zip(table.take(some).columns, expected.take(some).columns, strict=True):
        np.testing.assert_array_equal(mine, theirs)
    few = table.project(["age", "town"])
    assert [column.name for column in few.schema.used] == ["age", "town"]
    np.testing.assert_array_equal(few.take(slice(0, 300)).column("age"), expected.column("age")[:300])
    np.testing.assert_array_equal(few.drawn.column("town"), expected.column("town"))
    assert table.under(expected.schema).schema is expected.schema
    with pytest.raises(NotApplicable, match="needs all rows of the release at once, and its 700 rows are read in"):
        _ = table.columns
    with pytest.raises(NotApplicable):
        table.column("age")


def test_passes_side_by_side_read_every_row_once(cut, tmp_path, monkeypatch):
    path = tmp_path / "release.parquet"
    RELEASE.write_parquet(path, row_group_size=130)
    cut(100)
    packed = file_chunks.pack_rows
    monkeypatch.setattr(file_chunks, "pack_rows", lambda rows: (time.sleep(0.002), packed(rows))[1])
    table = read(path).synthetic[0].table
    for chunks in (table.rows.chunks, replace(table.rows.chunks, kept=[])):
        with ThreadPoolExecutor(4) as threads:
            found = list(threads.map(lambda _, chunks=chunks: list(chunks.read_all()), range(8)))
        for parts in found:
            assert [before for _, before in parts] == sorted({before for _, before in parts})
            assert sum(len(rows) for rows, _ in parts) == ROWS
        assert sum(len(rows) for rows, _ in chunks.kept) == ROWS


def test_tables_under_each_other_are_gone_through_as_one(cut, tmp_path):
    path = tmp_path / "release.parquet"
    RELEASE.write_parquet(path)
    held = read(RELEASE[:50]).synthetic[0].table
    cut(90)
    table = read(path).synthetic[0].table
    names = ["age", "town"]
    expected = stack_tables([each.project(names) for each in (held, whole(read(path)), held)])
    parts = [held.project(names), table.project(names), held.project(names)]
    stacked = stack_released(parts)
    assert isinstance(stacked, ChunkedTable)
    assert len(stacked) == len(expected) == 800
    by_chunks = LastFirst().fold(stacked.rows.chunks, PickedRows(np.arange(800))).table(stacked.schema)
    for found in (stack_tables(list(stacked.rows)), by_chunks, stacked.drawn):
        for mine, theirs in zip(found.columns, expected.columns, strict=True):
            np.testing.assert_array_equal(mine, theirs)
    assert stack_released([table]) is table
    assert not isinstance(stack_released([held, held]), ChunkedTable)


@pytest.mark.parametrize(
    ("numbers", "width"),
    [
        ([0.0, 127.0, np.nan, -127.0], np.int8),
        ([-128.0, 3.0], np.int16),
        ([1e6, -1.0], np.int32),
        ([1e12, 1.0], np.float64),
        ([0.5, 1.0], np.float64),
        ([np.inf, 1.0], np.float64),
        ([np.nan, np.nan], np.int8),
    ],
)
def test_rows_that_are_kept_come_back_as_they_were(numbers, width):
    schema = Schema((Column("n", Kind.NUMERIC, low=0.0, high=1.0, fill=0.5), Column("c", Kind.BINARY, levels=("a",))))
    codes = np.ones(len(numbers), np.uint16)
    packed = pack_rows(Table(schema, (np.array(numbers), codes)))
    assert packed.columns[0].dtype == width
    back = packed.unpack()
    np.testing.assert_array_equal(back.columns[0], np.array(numbers))
    assert [column.dtype for column in back.columns] == [np.float64, np.uint16]


def test_a_bad_value_is_found_in_its_row(cut, tmp_path):
    ages = RELEASE["age"].cast(pl.String).to_list()
    ages[431] = "old"
    path = tmp_path / "release.csv"
    RELEASE.with_columns(age=pl.Series(ages)).write_csv(path)
    cut(100)
    with pytest.raises(SchemaMismatch, match=r"column 'age' should hold numbers .*, but row 432 holds another value$"):
        read(path)


def test_too_many_levels_are_refused(cut, monkeypatch):
    from seethrough.data.reading.large import reading_pass

    cut(100)
    monkeypatch.setattr(reading_pass, "MOST_LEVELS", 4)
    with pytest.raises(DataError, match="column 'town' of the release has more than 4 different values"):
        read(RELEASE.with_columns(town=pl.Series([str(row) for row in range(ROWS)])))


def test_a_text_file_too_long_for_workers_is_refused(cut, tmp_path, monkeypatch):
    path = tmp_path / "release.csv"
    RELEASE.write_csv(path)
    cut(100)
    monkeypatch.setattr(file_chunks, "MOST_IN_ONE", 600)
    with pytest.raises(DataError, match=r"release.csv has 700 rows in one text file, which the workers of a cluster"):
        read(path, LastFirst())


def test_a_folder_is_one_table_in_the_order_of_names(tmp_path):
    for name, part in (("b.csv", RELEASE[400:]), ("a.csv", RELEASE[:400])):
        part.write_csv(tmp_path / name)
    RELEASE.write_csv(tmp_path / ".hidden.csv")
    source = open_source(tmp_path, "real")
    assert source.name == tmp_path.name
    assert source.collect(source.frame)["age"].cast(pl.Float64).to_list() == RELEASE["age"].to_list()


def test_files_of_one_folder_have_the_same_columns(tmp_path):
    RELEASE.write_parquet(tmp_path / "a.parquet")
    RELEASE.drop("age").write_parquet(tmp_path / "b.parquet")
    with pytest.raises(DataError, match=r"b.parquet has other columns than a.parquet"):
        open_source(tmp_path, "real")
    RELEASE.with_columns(pl.col("age").cast(pl.String)).write_parquet(tmp_path / "b.parquet")
    with pytest.raises(DataError, match=r"a column of b.parquet is of another type than in a.parquet"):
        open_source(tmp_path, "real")
