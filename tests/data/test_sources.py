"""Sources: files by their content, and what is said about those that cannot be read."""

import polars as pl
import pytest

from seethrough.data.files.sources import open_source
from seethrough.errors import DataError

FRAME = pl.DataFrame({"a": [1, 2, 3], "b": ["x", None, "z"]})


def rows(source):
    return source.collect(source.frame).rows()


@pytest.mark.parametrize(
    ("name", "write"),
    [
        ("t.parquet", FRAME.write_parquet),
        ("t.feather", FRAME.write_ipc),
        ("t.arrows", FRAME.write_ipc_stream),
        ("parquet_without_suffix", FRAME.write_parquet),
    ],
)
def test_binary_files_are_known_by_their_first_bytes(tmp_path, name, write):
    write(tmp_path / name)
    source = open_source(tmp_path / name, "real")
    assert source.name == name
    assert rows(source) == FRAME.rows()


@pytest.mark.parametrize("write", [FRAME.write_parquet, FRAME.write_ipc])
def test_a_binary_file_that_ends_in_the_middle_is_refused(tmp_path, write):
    path = tmp_path / "t.bin"
    write(path)
    path.write_bytes(path.read_bytes()[:-20])
    with pytest.raises(DataError, match=r"t\.bin ends in the middle"):
        open_source(path, "real")


def test_a_parquet_file_damaged_inside_is_refused(tmp_path):
    path = tmp_path / "t.parquet"
    path.write_bytes(b"PAR1" + b"\x07" * 200 + b"PAR1")
    with pytest.raises(DataError, match=r"t\.parquet cannot be read"):
        rows(open_source(path, "real"))


@pytest.mark.parametrize("content", [b"", b"a,b\n1,2\n"])
def test_a_parquet_file_that_is_none_is_refused(tmp_path, content):
    path = tmp_path / "t.parquet"
    path.write_bytes(content)
    with pytest.raises(DataError, match=r"t\.parquet is (not a parquet|empty)"):
        open_source(path, "real")


def test_old_feather_is_refused(tmp_path):
    path = tmp_path / "t.feather"
    path.write_bytes(b"FEA1" + bytes(100))
    with pytest.raises(DataError, match="Feather 2"):
        open_source(path, "real")


def test_a_file_that_is_not_there_is_named_with_its_folder(tmp_path):
    with pytest.raises(DataError, match=r"nowhere/t\.csv is not there"):
        open_source(tmp_path / "nowhere" / "t.csv", "real")


def test_a_directory_is_refused(tmp_path):
    with pytest.raises(DataError, match="is a directory"):
        open_source(str(tmp_path), "real")
