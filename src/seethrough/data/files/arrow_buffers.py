"""Lengths in compressed Arrow files, looked at before anything is read.

A compressed buffer begins with its length after unpacking. Polars asks for so much memory at once, and the process ends
where there is not as much, so a damaged length has to be found first. It is damaged where it is more than zstd or LZ4
can make of the bytes that are there: a block of zstd holds at most 128 KiB and takes four bytes or more.

The layout is that of the Arrow columnar format: a file ends with a footer that names its messages, each message is a
flatbuffer and a body. What cannot be followed is left to the reader, who has a sentence for it.
"""

import mmap
import struct
from collections.abc import Iterator
from pathlib import Path

from seethrough.errors import DataError

_MOST_PER_BYTE = 1 << 17
_DICTIONARIES, _BATCHES = 2, 3
"""Fields of a footer."""
_HEADER_TYPE, _HEADER = 1, 2
"""Fields of a message."""
_BUFFERS, _COMPRESSION = 2, 3
"""Fields of a record batch."""
_DICTIONARY_BATCH, _RECORD_BATCH = 2, 3
"""Types of a message."""
_BLOCK, _BUFFER = 24, 16
"""Bytes of a struct in a vector."""


def refuse_damaged_lengths(path: Path) -> None:
    """Refuse a file, or a stream, with a buffer that says to be longer than it can be."""
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
        try:
            damaged = any(_is_too_long(place, content) for place in _messages(content))
        except (struct.error, IndexError, ValueError):
            return
    if damaged:
        raise DataError(f"{path.name} cannot be read: it is damaged")


def _messages(content: mmap.mmap) -> Iterator[int]:
    """Give the place of each message: by the footer of a file, one after another in a stream."""
    if content[:6] != b"ARROW1":
        yield from _stream(content)
        return
    (size,) = struct.unpack_from("<i", content, len(content) - 10)
    footer = len(content) - 10 - size
    root = footer + _unsigned(content, footer)
    for field in (_DICTIONARIES, _BATCHES):
        first, count = _vector(content, _field(content, root, field))
        for block in range(first, first + count * _BLOCK, _BLOCK):
            yield struct.unpack_from("<q", content, block)[0]


def _stream(content: mmap.mmap) -> Iterator[int]:
    place = 0
    while place + 8 < len(content):
        yield place
        mark, size = struct.unpack_from("<Ii", content, place)
        message = place + 8 + _unsigned(content, place + 8)
        at = _field(content, message, 3)
        body = struct.unpack_from("<q", content, at)[0] if at else 0
        if mark != 0xFFFFFFFF or size <= 0 or body < 0:
            return
        place += 8 + size + body


def _is_too_long(place: int, content: mmap.mmap) -> bool:
    """Tell whether a buffer of a message says to be longer than it can be."""
    (size,) = struct.unpack_from("<i", content, place + 4)
    message, body = place + 8 + _unsigned(content, place + 8), place + 8 + size
    kind = _field(content, message, _HEADER_TYPE)
    batch = _table(content, _field(content, message, _HEADER))
    if not kind or content[kind] not in (_DICTIONARY_BATCH, _RECORD_BATCH):
        return False
    if content[kind] == _DICTIONARY_BATCH:
        batch = _table(content, _field(content, batch, 1))
    if not _field(content, batch, _COMPRESSION):
        return False
    first, count = _vector(content, _field(content, batch, _BUFFERS))
    for buffer in range(first, first + count * _BUFFER, _BUFFER):
        offset, length = struct.unpack_from("<qq", content, buffer)
        if length >= 8:
            (unpacked,) = struct.unpack_from("<q", content, body + offset)
            if not -1 <= unpacked <= length * _MOST_PER_BYTE:
                return True
    return False


def _unsigned(content: mmap.mmap, place: int) -> int:
    found: int = struct.unpack_from("<I", content, place)[0]
    return found


def _field(content: mmap.mmap, table: int, number: int) -> int:
    """Give the place of a field of a flatbuffer's table; 0 where it is not there."""
    names = table - struct.unpack_from("<i", content, table)[0]
    size, slot = struct.unpack_from("<H", content, names)[0], 4 + 2 * number
    offset = struct.unpack_from("<H", content, names + slot)[0] if slot < size else 0
    return table + offset if offset else 0


def _table(content: mmap.mmap, place: int) -> int:
    return place + _unsigned(content, place) if place else 0


def _vector(content: mmap.mmap, place: int) -> tuple[int, int]:
    """Give the place of the first thing in a vector, and how many there are."""
    if not place:
        return 0, 0
    start = place + _unsigned(content, place)
    return start + 4, _unsigned(content, start)
