"""Sources: files by their content, and what is said about those that cannot be read."""

import gzip
import os
import random

import polars as pl
import pytest

from seethrough.data.files.sources import open_source, readable
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
    assert source.may_panic
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


def test_a_folder_without_files_is_refused(tmp_path):
    with pytest.raises(DataError, match="is a folder without files"):
        open_source(str(tmp_path), "real")


@pytest.mark.parametrize("name", ["x[1].arrow", "x?.arrow", "x*.arrow"])
@pytest.mark.parametrize("write", ["write_ipc", "write_parquet"])
def test_a_file_name_is_no_pattern(tmp_path, name, write):
    getattr(FRAME, write)(tmp_path / name)
    getattr(FRAME.clear(), write)(tmp_path / "x1.arrow")
    getattr(FRAME.clear(), write)(tmp_path / "x[2].arrow")
    assert rows(open_source(tmp_path / name, "real")) == FRAME.rows()


@pytest.mark.parametrize("suffix", ["parquet", "arrow", "csv", "csv.gz"])
def test_damaged_files_get_a_sentence(tmp_path, suffix):
    """Bytes are overwritten, cut out and exchanged at random; what is still sound may be read."""
    frame = pl.DataFrame({"a": [0.5 * n for n in range(200)], "b": [f"v{n % 7}" for n in range(200)]})
    whole = tmp_path / "whole"
    _write(frame, whole, suffix)
    content, rng, said = whole.read_bytes(), random.Random(0), []
    for attempt in range(150):
        path = tmp_path / f"damaged{attempt}.{suffix}"
        path.write_bytes(_damaged(content, rng))
        try:
            source = open_source(path, "real")
            source.collect(source.frame)
        except DataError as error:
            said.append(str(error))
    assert len(said) > 10
    assert all(sentence.startswith("damaged") for sentence in said)


def _write(frame, path, suffix):
    if suffix == "parquet":
        frame.write_parquet(path)
    elif suffix == "arrow":
        frame.write_ipc(path)
    else:
        text = frame.write_csv().encode()
        path.write_bytes(gzip.compress(text) if suffix.endswith("gz") else text)


def _damaged(content, rng):
    at, length = rng.randrange(len(content)), rng.choice([1, 4, 40])
    with_noise = bytearray(content)
    match rng.randrange(3):
        case 0:
            with_noise[at : at + length] = rng.randbytes(min(length, len(content) - at))
        case 1:
            del with_noise[at : at + length]
        case 2:
            with_noise[at:at] = rng.randbytes(length)
    return bytes(with_noise)


def test_a_pipe_is_refused_instead_of_waited_for(tmp_path):
    os.mkfifo(tmp_path / "pipe.csv")
    with pytest.raises(DataError, match="is a pipe or a device"):
        open_source(tmp_path / "pipe.csv", "real")


def test_nothing_is_printed_about_a_panic_of_the_reader(capfd):
    def panic():
        with readable("t", may_panic=True):
            os.write(2, b"thread panicked at bitmap.rs")
            raise pl.exceptions.PanicException

    with pytest.raises(DataError, match=r"^t cannot be read: it is damaged, or two columns have one name$"):
        panic()
    assert capfd.readouterr().err == ""


def test_what_others_print_while_a_file_is_read_is_printed(capfd):
    with readable("t", may_panic=True), readable("u", may_panic=True):
        os.write(2, b"half done")
    os.write(2, b", done")
    assert capfd.readouterr().err == "half done, done"


@pytest.mark.parametrize("write", ["write_ipc", "write_ipc_stream"])
@pytest.mark.parametrize(("compression", "mark"), [("zstd", b"\x28\xb5\x2f\xfd"), ("lz4", b"\x04\x22\x4d\x18")])
def test_a_compressed_arrow_file_that_asks_for_endless_memory_is_refused(tmp_path, write, compression, mark):
    frame, path = pl.DataFrame({"a": range(5000), "b": ["x", "yy"] * 2500}), tmp_path / "t.arrow"
    getattr(frame, write)(path, compression=compression)
    assert rows(open_source(path, "real")) == frame.rows()
    content = path.read_bytes()
    place = content.rindex(mark) - 8
    for length in (2**60, -2):
        path.write_bytes(content[:place] + length.to_bytes(8, "little", signed=True) + content[place + 8 :])
        with pytest.raises(DataError, match=r"t\.arrow cannot be read: it is damaged"):
            open_source(path, "real")
