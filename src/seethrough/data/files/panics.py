"""Panics of a reader: what it prints about one is kept off standard error.

Polars prints a panic, with a trace of its own insides where RUST_BACKTRACE is set, before anybody can catch it. While
a file is read that may be damaged, standard error therefore goes into a file without a name; afterwards what is there
is printed, unless reading failed, which is said in a sentence. Standard error belongs to the whole process: the first
reader who comes puts it aside, the last who leaves puts it back.
"""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Lock
from typing import IO

_STANDARD_ERROR = 2
_MOST = 1 << 20


@dataclass
class _PutAside:
    """Standard error while somebody reads: how many do, whether one failed, where it went, and what it was."""

    readers: int = 0
    failed: bool = False
    file: IO[bytes] | None = None
    kept: int = -1


_LOCK = Lock()
_STATE = _PutAside()


@contextmanager
def hold_back_panics() -> Iterator[None]:
    """Print nothing about what went wrong inside; it comes out as an exception."""
    with _LOCK:
        _STATE.readers += 1
        if _STATE.readers == 1:
            _put_aside()
    try:
        yield
    except BaseException:
        _STATE.failed = True
        raise
    finally:
        with _LOCK:
            _STATE.readers = max(_STATE.readers - 1, 0)
            if _STATE.readers == 0:
                _put_back()


def end_holding_back() -> None:
    """Put standard error back whoever reads: Ctrl-C can come before a reader leaves, and what is then said is read."""
    with _LOCK:
        _STATE.readers, _STATE.failed = 0, True
        _put_back()


def _put_aside() -> None:
    try:
        _STATE.kept = os.dup(_STANDARD_ERROR)
    except OSError:  # it is closed, and nothing can be printed there
        return
    _STATE.file = tempfile.TemporaryFile()  # noqa: SIM115 - closed by _put_back
    os.dup2(_STATE.file.fileno(), _STANDARD_ERROR)


def _put_back() -> None:
    if _STATE.file is None:
        _STATE.failed = False
        return
    os.dup2(_STATE.kept, _STANDARD_ERROR)
    os.close(_STATE.kept)
    with _STATE.file as file:
        file.seek(0)
        printed = b"" if _STATE.failed else file.read(_MOST)
    _STATE.file, _STATE.failed = None, False
    if printed:
        os.write(_STANDARD_ERROR, printed)
