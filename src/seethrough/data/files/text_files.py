"""Text files: how their bytes are written, found out by reading them once.

A file is UTF-8 or UTF-16 by its byte order mark, else UTF-8 if all of it is valid UTF-8, else
Windows-1252, which gets a note. Gzip is recognised by its first bytes. The one pass through the
file also finds what is no text at all and what ends in the middle.
"""

import codecs
import csv
import gzip
import io
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from seethrough.errors import ConfigError, DataError

GZIP_MAGIC = b"\x1f\x8b"
_ZIP_MAGIC = b"PK\x03\x04"
_BLOCK = 1 << 20
LONGEST_CELL = 1 << 30
LARGEST_UNPACKED = 4 << 30
"""Bytes that a packed file may unpack to, all of which have to be in memory."""
HEAD = 1 << 18
_FALLBACK = "windows-1252"
_MARKS = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))
_NOT_TEXT = frozenset(range(32)) - frozenset(b"\t\n\r\f\x1a\x1b")


@contextmanager
def cells_of_any_length() -> Iterator[None]:
    """Let the csv module read cells of more than 131,072 characters, which it refuses by itself."""
    usual = csv.field_size_limit(LONGEST_CELL)
    try:
        yield
    finally:
        csv.field_size_limit(usual)


@dataclass(frozen=True)
class TextFile:
    """A file that is text in a known encoding."""

    path: Path
    encoding: str
    is_zipped: bool
    notes: tuple[str, ...] = ()

    def open(self) -> io.TextIOWrapper:
        """Open it as text with line ends untouched, as the csv module wants it."""
        return io.TextIOWrapper(_open_bytes(self.path, self.is_zipped), encoding=self.encoding, newline="")

    def head(self, size: int = HEAD) -> str:
        """Give the beginning."""
        with self.open() as lines:
            return lines.read(size)

    @property
    def is_utf8(self) -> bool:
        """Tell whether a reader of UTF-8 can take the file as it is."""
        return codecs.lookup(self.encoding).name in {"utf-8", "utf-8-sig", "ascii"}

    def utf8_source(self) -> Path | bytes:
        """Give the path, or for other encodings the whole content as UTF-8 in memory."""
        if self.is_utf8:
            return self.path
        with self.open() as lines:
            return lines.read().encode()


def recognise(path: Path, encoding: str | None) -> TextFile:
    """Find out how a file is written; `encoding` is what the user says, if anything."""
    with path.open("rb") as file:
        is_zipped = file.read(2) == GZIP_MAGIC
    if encoding is not None:
        return TextFile(path, _checked(path, is_zipped, encoding), is_zipped)
    with _open_bytes(path, is_zipped) as file:
        start = _guarded_read(file, path, _BLOCK)
    for mark, name in _MARKS:
        if start.startswith(mark):
            return TextFile(path, _checked(path, is_zipped, name), is_zipped)
    _refuse_binary(path, start)
    if _is_valid(path, is_zipped, "utf-8"):
        return TextFile(path, "utf-8", is_zipped)
    if _is_valid(path, is_zipped, _FALLBACK):
        return TextFile(path, _FALLBACK, is_zipped, (f"{path.name} is not UTF-8; read as {_FALLBACK}",))
    raise DataError(f"{path.name} is text neither in UTF-8 nor in {_FALLBACK}; name its encoding")


def _checked(path: Path, is_zipped: bool, encoding: str) -> str:
    try:
        "".encode(encoding)  # refuses codecs that are not for text, such as zlib
        name = codecs.lookup(encoding).name
    except (LookupError, UnicodeError) as error:
        raise ConfigError(f"encoding {encoding!r} is not known; utf-8, utf-16 or windows-1252 are examples") from error
    if not _is_valid(path, is_zipped, encoding):
        raise DataError(f"{path.name} holds bytes that are not valid {encoding}")
    return "utf-8-sig" if name == "utf-8" else encoding


def _refuse_binary(path: Path, start: bytes) -> None:
    if not start:
        raise DataError(f"{path.name} is empty; a header and rows are expected")
    if start.startswith(_ZIP_MAGIC):
        raise DataError(f"{path.name} is a zip archive or a spreadsheet; save the table as CSV or Parquet")
    if not _NOT_TEXT.isdisjoint(start):
        raise DataError(f"{path.name} is not a text file; CSV, Parquet or Arrow is expected")


def _is_valid(path: Path, is_zipped: bool, encoding: str) -> bool:
    decoder = codecs.getincrementaldecoder(encoding)()
    try:
        for block in _blocks(path, is_zipped):
            if "\0" in decoder.decode(block):
                raise DataError(f"{path.name} holds NUL characters; it is not a text file in {encoding}")
        decoder.decode(b"", final=True)
    except UnicodeError:
        return False
    return True


def _blocks(path: Path, is_zipped: bool) -> Iterator[bytes]:
    unpacked = 0
    with _open_bytes(path, is_zipped) as file:
        while block := _guarded_read(file, path, _BLOCK):
            unpacked += len(block)
            if is_zipped and unpacked > LARGEST_UNPACKED:
                most = f"{LARGEST_UNPACKED / 2**30:g} GiB"
                raise DataError(f"{path.name} unpacks to more than {most}; unpack it first, or give it as Parquet")
            yield block


def _guarded_read(file: io.BufferedReader | gzip.GzipFile, path: Path, size: int) -> bytes:
    try:
        return file.read(size)
    except EOFError as error:
        raise DataError(f"{path.name} ends in the middle: its gzip stream is cut off") from error
    except (gzip.BadGzipFile, zlib.error) as error:
        raise DataError(f"{path.name} is damaged: its gzip stream cannot be unpacked") from error


def _open_bytes(path: Path, is_zipped: bool) -> io.BufferedReader | gzip.GzipFile:
    return gzip.open(path, "rb") if is_zipped else path.open("rb")
