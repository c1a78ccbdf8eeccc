"""Uploads: bytes of a table, streamed to disk piece by piece as they come, complete or not at all.

What is announced is held against the limit and the free disk before anything is read. The kind of a file is told by
its content, not by its name: CSV text, Parquet, Arrow, or gzip. A file that is broken off, stalls or grows beyond what
was announced leaves nothing.
"""

import asyncio
import os
import shutil
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import dataclass
from errno import EDQUOT, ENOSPC
from io import FileIO
from pathlib import Path

MUST_REMAIN = 1 << 30
"""Bytes of the disk that stay free."""
STALLED = 60.0
"""Seconds without a byte after which an upload is given up."""
_HEAD = 4096
_WRITTEN_AT_ONCE = 1 << 20
_TYPED = (b"PAR1", b"ARROW1", b"\x1f\x8b")
_UTF16 = (b"\xff\xfe", b"\xfe\xff")
_MARK = b"\xef\xbb\xbf"
_PAGES = (b"<!doctype", b"<html", b"<?xml", b"<svg")
_NOT_TEXT = bytes(sorted(set(range(32)) - set(b"\t\n\r\f\x1a\x1b")))
EXPECTED = "CSV, Parquet or Arrow, plain or gzip, is expected"


class UploadRefused(Exception):
    """An upload that is not taken: the status to answer with, and one sentence."""

    def __init__(self, status: int, said: str) -> None:
        super().__init__(said)
        self.status, self.said = status, said


@dataclass(frozen=True)
class UploadLimits:
    """The most bytes of a file, and the seconds that may pass without a byte."""

    size: int = 2 << 30
    stalled: float = STALLED


def free_bytes(folder: Path) -> int:
    """Give the bytes that a disk has left."""
    return shutil.disk_usage(folder).free


def refuse_length(length: int, folder: Path, limits: UploadLimits) -> None:
    """Refuse what is announced too large, before anything is read."""
    if length > limits.size:
        most = f"{limits.size / 2**30:,.1f} GiB"
        raise UploadRefused(413, f"The file has {length / 2**30:,.1f} GiB; at most {most} are taken (--limit).")
    if length > free_bytes(folder) - MUST_REMAIN:
        raise UploadRefused(507, f"The disk has no room for {_said(length)}; 1 GiB must remain free.")


def refuse_kind(head: bytes) -> None:
    """Refuse what is no table by its first bytes."""
    if not head:
        raise UploadRefused(415, f"The file is empty; {EXPECTED}.")
    if head.startswith((*_TYPED, *_UTF16)):
        return
    text = head.removeprefix(_MARK).lstrip().lower()
    if text.startswith(_PAGES):
        raise UploadRefused(415, f"The file is a web page; {EXPECTED}.")
    if head.startswith(b"PK\x03\x04"):
        raise UploadRefused(415, "The file is a zip archive or a spreadsheet; save the table as CSV or Parquet.")
    if head.translate(None, _NOT_TEXT) != head:
        raise UploadRefused(415, f"The file is not a table; {EXPECTED}.")


async def receive(place: Path, length: int, pieces: AsyncIterator[bytes], limits: UploadLimits) -> None:
    """Write a file as it comes; it takes its place when all of it is there."""
    refuse_length(length, place.parent, limits)
    part = place.with_name(f"{place.name}.part")
    try:
        file = FileIO(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w")
    except FileExistsError as error:
        raise UploadRefused(409, "Another file is on its way to this place.") from error
    except OSError as error:
        raise _full(error) from error
    try:
        with file:
            await _write_all(file, length, pieces, limits)
        part.replace(place)
    except ConnectionError:
        raise  # nobody is there to be answered
    except OSError as error:
        raise _full(error) from error
    finally:
        with suppress(OSError):
            part.unlink()


async def _write_all(file: FileIO, length: int, pieces: AsyncIterator[bytes], limits: UploadLimits) -> None:
    held, written, is_known = bytearray(), 0, False
    while (piece := await _next(pieces, limits.stalled)) is not None:
        held += piece
        if written + len(held) > length:
            raise UploadRefused(400, "More bytes came than were announced.")
        if not is_known and len(held) >= _HEAD:
            refuse_kind(bytes(held[:_HEAD]))
            is_known = True
        if len(held) >= _WRITTEN_AT_ONCE:
            written += await asyncio.to_thread(_write, file, bytes(held))
            held.clear()
    if not is_known:
        refuse_kind(bytes(held))
    written += await asyncio.to_thread(_write, file, bytes(held))
    if written != length:
        raise UploadRefused(400, "Fewer bytes came than were announced.")
    await asyncio.to_thread(os.fsync, file.fileno())


async def _next(pieces: AsyncIterator[bytes], seconds: float) -> bytes | None:
    try:
        return await asyncio.wait_for(anext(pieces), seconds)
    except StopAsyncIteration:
        return None
    except TimeoutError as error:
        raise UploadRefused(408, "The upload stalled and was given up.") from error


def _write(file: FileIO, content: bytes) -> int:
    view = memoryview(content)
    while view:
        view = view[file.write(view) or 0 :]
    return len(content)


def _full(error: OSError) -> UploadRefused:
    if error.errno in {ENOSPC, EDQUOT}:
        return UploadRefused(507, "The disk is full; nothing of the file was kept.")
    return UploadRefused(500, f"The file cannot be written: {error.strerror or 'the disk refused'}.")


def _said(length: int) -> str:
    return f"{length / 2**30:,.1f} GiB" if length >= 1 << 28 else f"{length / 2**20:,.1f} MiB"
