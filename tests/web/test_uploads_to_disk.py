"""Uploads: what is taken, what is refused, and that nothing half is left."""

import asyncio
import gzip
import io
import os
import pickle
import stat
import zipfile

import polars as pl
import pytest

from seethrough.web import uploads
from seethrough.web.uploads import UploadLimits, UploadRefused, receive, refuse_kind

GIB = 1 << 30
LIMITS = UploadLimits()


async def pieces_of(content, size=1000):
    for start in range(0, len(content), size):
        yield content[start : start + size]


def send(place, content, length=None, limits=LIMITS, pieces=None):
    length = len(content) if length is None else length
    asyncio.run(receive(place, length, pieces or pieces_of(content), limits))


@pytest.fixture
def place(tmp_path, monkeypatch):
    monkeypatch.setattr(uploads, "free_bytes", lambda folder: 100 * GIB)
    return tmp_path / "real-0"


def parquet():
    buffer = io.BytesIO()
    pl.DataFrame({"a": [1, 2]}).write_parquet(buffer)
    return buffer.getvalue()


def arrow():
    buffer = io.BytesIO()
    pl.DataFrame({"a": [1, 2]}).write_ipc(buffer)
    return buffer.getvalue()


@pytest.mark.parametrize(
    "content",
    [
        b"a,b\n1,2\n",
        b"a;b\r\n1;2\r\n" * 1000,
        "\ufeffa,b\né,2\n".encode(),
        "a,b\né,2\n".encode("utf-16"),
        "a,b\né,2\n".encode("cp1252"),
        gzip.compress(b"a,b\n1,2\n"),
        parquet(),
        arrow(),
        b"x" * 3_000_001,
    ],
    ids=["csv", "semicolons", "marked", "utf-16", "cp1252", "gzip", "parquet", "arrow", "large"],
)
def test_a_table_arrives_whole_and_for_its_owner_alone(place, content):
    send(place, content)
    assert place.read_bytes() == content
    assert os.listdir(place.parent) == ["real-0"]
    assert stat.S_IMODE(place.stat().st_mode) == 0o600


def zipped():
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("a.csv", "a,b\n1,2\n")
    return buffer.getvalue()


@pytest.mark.parametrize(
    "content",
    [
        b"\x7fELF\x02\x01\x01" + bytes(100),
        pickle.dumps({"a": [1, 2]}),
        b"<!DOCTYPE html><html><script>alert(1)</script>",
        b"  \n<html>",
        b'<?xml version="1.0"?><svg/>',
        zipped(),
        b"",
        b"a,b\n\0\n",
        b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR",
    ],
    ids=["elf", "pickle", "html", "html later", "xml", "zip", "empty", "nul", "png"],
)
def test_what_is_no_table_is_refused_and_leaves_nothing(place, content):
    with pytest.raises(UploadRefused, match=r"The file is .*\.") as refused:
        send(place, content)
    assert refused.value.status == 415
    assert os.listdir(place.parent) == []


def test_binary_after_the_head_is_the_readers_business():
    refuse_kind(b"a,b\n" + b"1,2\n" * 1000)


async def never(*_):
    raise AssertionError("nothing may be read")
    yield b""


def test_what_is_announced_too_large_is_refused_unread(place):
    with pytest.raises(UploadRefused, match=r"at most 2\.0 GiB are taken") as refused:
        send(place, b"", 10 * GIB, pieces=never())
    assert refused.value.status == 413


def test_a_gibibyte_of_the_disk_stays_free(place, monkeypatch):
    monkeypatch.setattr(uploads, "free_bytes", lambda folder: GIB + 99)
    with pytest.raises(UploadRefused, match="no room") as refused:
        send(place, b"", 100, pieces=never())
    assert refused.value.status == 507
    send(place, b"a" * 99)
    assert place.exists()


def test_a_disk_that_fills_meanwhile_leaves_nothing(place, monkeypatch):
    def full(file, content):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(uploads, "_write", full)
    with pytest.raises(UploadRefused, match="disk is full") as refused:
        send(place, b"a,b\n")
    assert refused.value.status == 507
    assert os.listdir(place.parent) == []


@pytest.mark.parametrize(("length", "said"), [(3, "More bytes"), (5, "Fewer bytes")])
def test_more_or_fewer_bytes_than_announced_leave_nothing(place, length, said):
    with pytest.raises(UploadRefused, match=said) as refused:
        send(place, b"a,b\n", length)
    assert refused.value.status == 400
    assert os.listdir(place.parent) == []


def test_a_connection_that_breaks_leaves_nothing_and_what_was_there_stays(place):
    async def broken():
        yield b"a,b\n" * 500_000
        raise ConnectionResetError

    place.write_text("before")
    with pytest.raises(ConnectionResetError):
        send(place, b"", 10_000_000, pieces=broken())
    assert os.listdir(place.parent) == ["real-0"]
    assert place.read_text() == "before"


def test_an_upload_that_stalls_is_given_up(place):
    async def stalled():
        yield b"a,b\n"
        await asyncio.sleep(3600)

    with pytest.raises(UploadRefused, match="stalled") as refused:
        send(place, b"", 100, UploadLimits(stalled=0.05), stalled())
    assert refused.value.status == 408
    assert os.listdir(place.parent) == []
    assert UploadLimits().stalled == 60


def test_two_files_to_one_place_at_once(place):
    async def both():
        held = asyncio.Event()

        async def slow():
            yield b"a,b\n"
            await held.wait()
            yield b"1,2\n"

        first = asyncio.create_task(receive(place, 8, slow(), UploadLimits()))
        await asyncio.sleep(0.05)
        with pytest.raises(UploadRefused, match="Another file is on its way") as refused:
            await receive(place, 4, pieces_of(b"c,d\n"), UploadLimits())
        held.set()
        await first
        return refused.value.status

    assert asyncio.run(both()) == 409
    assert place.read_bytes() == b"a,b\n1,2\n"
