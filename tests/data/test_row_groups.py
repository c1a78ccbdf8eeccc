"""Row groups of Parquet files: their sizes from the footer, and chunks that keep to them."""

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from seethrough.data.files.row_groups import row_group_sizes
from seethrough.data.files.sources import open_source
from seethrough.data.reading.large import file_chunks
from seethrough.data.reading.large.file_chunks import RawChunks, cut_file

FRAME = pl.DataFrame({"name": [f"row {row}" for row in range(1000)], "number": list(range(1000)), "half": [0.5] * 1000})


@pytest.mark.parametrize("size", [1, 7, 333, 999, 1000, 5000])
def test_sizes_are_those_that_polars_writes(size, tmp_path):
    path = tmp_path / "rows.parquet"
    FRAME.write_parquet(path, row_group_size=size)
    found = row_group_sizes(path)
    assert sum(found) == 1000
    pyarrow = pytest.importorskip("pyarrow.parquet", reason="pyarrow is not installed")
    file = pyarrow.ParquetFile(path)
    assert found == tuple(file.metadata.row_group(group).num_rows for group in range(file.num_row_groups))


def test_sizes_are_those_that_arrow_writes(tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet", reason="pyarrow is not installed")
    path = tmp_path / "rows.parquet"
    with parquet.ParquetWriter(path, FRAME.to_arrow().schema) as writer:
        for first, last in ((0, 10), (10, 400), (400, 401), (401, 1000)):
            writer.write_table(FRAME[first:last].to_arrow(), row_group_size=1000)
    assert row_group_sizes(path) == (10, 390, 1, 599)


@pytest.mark.parametrize(
    ("most", "expected"),
    [(10_000, [1000]), (700, [401, 599]), (400, [400, 1, 400, 199]), (401, [401, 401, 198]), (5, None)],
)
def test_chunks_keep_to_row_groups(most, expected, tmp_path, monkeypatch):
    parquet = pytest.importorskip("pyarrow.parquet", reason="pyarrow is not installed")
    path = tmp_path / "rows.parquet"
    with parquet.ParquetWriter(path, FRAME.to_arrow().schema) as writer:
        for first, last in ((0, 10), (10, 400), (400, 401), (401, 1000)):
            writer.write_table(FRAME[first:last].to_arrow(), row_group_size=1000)
    monkeypatch.setattr(file_chunks, "CHUNK", most)
    assert expected is None or cut_file(path, 1000) == expected
    chunks = RawChunks(open_source(path, "rows", in_chunks=True), 1000).list_chunks()
    read = pl.concat([chunk.read().frame.collect() for chunk in chunks])
    assert read.equals(FRAME)
    assert [chunk.before for chunk in chunks] == [sum(each.rows for each in chunks[:at]) for at in range(len(chunks))]


def test_without_a_footer_that_is_understood_files_are_cut(tmp_path, monkeypatch):
    path = tmp_path / "rows.arrow"
    FRAME.write_ipc(path)
    monkeypatch.setattr(file_chunks, "CHUNK", 300)
    assert row_group_sizes(path) == ()
    assert cut_file(path, 1000) == [300, 300, 300, 100]


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 400), st.integers(0, 255))
def test_a_damaged_footer_never_ends_the_program(tmp_path_factory, back, value):
    path = tmp_path_factory.mktemp("damaged") / "rows.parquet"
    FRAME[:20].write_parquet(path, row_group_size=6)
    content = bytearray(path.read_bytes())
    content[-back] = value
    path.write_bytes(content)
    assert isinstance(row_group_sizes(path), tuple)
