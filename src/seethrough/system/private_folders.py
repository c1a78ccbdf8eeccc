"""Private temporary folders, of which nothing stays when the work ends, however it ends.

A run has one folder in the system's temporary directory, made when it is first needed; the processes that work for it
use the same one. It goes when the last part of it is given back, when a signal ends the process that can be caught, or,
after one that cannot, when the next command begins or the next run makes its own (held_folders.py). It holds notes of
the places where this run has hidden folders beside results, so that those go with it.
"""

import atexit
import os
import secrets
import tempfile
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from seethrough.system.held_folders import (
    NOTE,
    make_held_folder,
    remove_all_held,
    remove_folder,
    remove_held_folder,
    remove_leftovers,
)

PREFIX = "seethrough-run-"
OWNER_FILE = 0o600


_lock = threading.RLock()


@dataclass
class _Run:
    """The folder of this run, and how many parts of it are in use; `is_ours` where this process made it."""

    folder: Path | None = None
    is_ours: bool = False
    users: int = 0


_run = _Run()


@contextmanager
def run_folder() -> Iterator[Path]:
    """Give the folder of this run; the first who asks makes it, the last who gives it back removes it."""
    folder = _enter()
    try:
        yield folder
    finally:
        _leave()


@contextmanager
def private_folder(name: str) -> Iterator[Path]:
    """Make a folder of this name inside that of the run, and remove it afterwards."""
    with run_folder() as run:
        folder = Path(tempfile.mkdtemp(prefix=f"{name}-", dir=run))
        process = os.getpid()
        try:
            yield folder
        finally:
            if os.getpid() == process:  # and not one that was forked from it
                remove_folder(folder)


@contextmanager
def place_noted(place: Path) -> Iterator[None]:
    """Note that hidden folders may stand in a place, for whoever cleans up after this run if it is killed.

    Without a temporary directory nothing is noted: results are written all the same.
    """
    with ExitStack() as stack:
        with suppress(OSError):
            run = stack.enter_context(run_folder())
            note = run / f"{NOTE}{secrets.token_hex(8)}"
            write_private(note, os.fsencode(place.absolute()))
            stack.callback(note.unlink, missing_ok=True)
        yield


def write_private(path: Path, content: bytes) -> None:
    """Write a new file that only its owner may read."""
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, OWNER_FILE), "wb") as file:
        file.write(content)


def use_run_folder(folder: Path) -> None:
    """Work in the folder of the run that started this process, which removes it."""
    with _lock:
        _run.folder, _run.is_ours, _run.users = folder, False, 1


def remove_dead_runs() -> None:
    """Remove what runs left in the temporary directory that live no more."""
    remove_leftovers(Path(tempfile.gettempdir()), PREFIX)


def _enter() -> Path:
    with _lock:
        if _run.folder is None:
            _run.folder, _run.is_ours = make_held_folder(Path(tempfile.gettempdir()), PREFIX), True
        _run.users += 1
        return _run.folder


def _leave() -> None:
    with _lock:
        _run.users -= 1
        if _run.users == 0 and _run.is_ours and _run.folder is not None:
            remove_held_folder(_run.folder)
            _run.folder = None


def _forget() -> None:
    """Leave the folder to the process that this one was forked from."""
    _run.folder, _run.is_ours, _run.users = None, False, 0


atexit.register(remove_all_held)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)
