"""Folders that belong to a living process: for their owner alone, and told from those that a dead one left.

A folder holds a lock file, locked as long as its process lives; the system gives the lock back when the process ends,
however it ends. So a folder of our name and our user whose lock can be taken was left by a process that was killed: it
is removed when the next folder is made beside it. A folder without a lock file is nobody's business, unless it is empty
and old: then a process was killed while it made it. Where a file system has no locks, folders have no lock file and
what a killed process leaves stays. A folder may hold notes of other places where its process had folders; whoever
removes it looks for leftovers there too.

As long as this process has folders, signals that would end it at once are taken by a handler that removes them first.
"""

import os
import secrets
import shutil
import signal
import stat
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from types import FrameType

from seethrough.system.file_locks import LockUnsupported, try_lock
from seethrough.system.signals import Disposition, die_of, give_signals_back, take_signals

LOCK = ".held"
"""The file in a folder whose lock says that its process lives."""
NOTE = "place-"
"""How files are named that tell of another place where folders named by BESIDE may be left."""
BESIDE = ".seethrough-"
"""What folders are called that stand hidden beside results."""
OWNER_FOLDER = 0o700
_GIVEN_UP = f"{BESIDE}gone-"
"""What a folder is called while it is being removed, so that nobody writes to it any more by its name."""
_OLD = 3600.0
_ATTEMPTS = 100
_held: dict[Path, int | None] = {}
"""The folders of this process, and the open lock file of each."""
_signals: dict[int, Disposition] = {}
"""The signals that are taken, and how they were handled before."""


def make_held_folder(parent: Path, prefix: str) -> Path:
    """Make a folder for this user alone, and hold it; what dead processes left beside it is removed."""
    remove_leftovers(parent, prefix)
    _signals.update(take_signals(_clean_and_die, (signal.SIG_DFL,)))
    for _ in range(_ATTEMPTS):
        folder = Path(tempfile.mkdtemp(prefix=prefix, dir=parent))
        if _take(folder):
            return folder
    raise OSError(f"no folder in {parent} can be kept from being removed by others")


def remove_held_folder(folder: Path) -> None:
    """Remove a folder of this process with all that is in it, and give its lock back."""
    if folder not in _held:  # removed before, or that of the process from which this one was forked
        return
    descriptor = _held.pop(folder)
    try:
        remove_folder(folder, descriptor)
    finally:
        if descriptor is not None:
            with suppress(OSError):  # Windows has it closed by now
                os.close(descriptor)
        if not _held:
            give_signals_back(_clean_and_die, _signals)


def remove_all_held() -> None:
    """Remove every folder of this process."""
    for folder in list(_held):
        remove_held_folder(folder)


def remove_leftovers(parent: Path, prefix: str) -> None:
    """Remove folders of this user that processes left which live no more."""
    try:
        names = os.listdir(parent)
    except OSError:
        return
    for name in names:
        if name.startswith((prefix, _GIVEN_UP)) and parent / name not in _held:
            with suppress(OSError):
                _remove_if_left(parent / name)


def _clean_and_die(number: int, frame: FrameType | None) -> None:  # noqa: ARG001  as handlers are called
    remove_all_held()
    die_of(number)


def _take(folder: Path) -> bool:
    """Lock a new folder; False where somebody took it for a leftover in the moment before."""
    place = folder / LOCK
    try:
        descriptor = os.open(place, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
    except FileNotFoundError:
        return False
    try:
        is_ours = try_lock(descriptor)
    except LockUnsupported:
        os.close(descriptor)
        place.unlink()
        _held[folder] = None
        return True
    if not is_ours or not place.exists():
        os.close(descriptor)
        return False
    _held[folder] = descriptor
    return True


def _remove_if_left(folder: Path) -> None:
    about = os.lstat(folder)
    if not stat.S_ISDIR(about.st_mode) or not _is_mine(about):
        return
    try:
        descriptor = os.open(folder / LOCK, os.O_RDWR | getattr(os, "O_NOFOLLOW", 0))
    except FileNotFoundError:
        if time.time() - about.st_mtime > _OLD:
            folder.rmdir()  # which only an empty one lets happen
        return
    try:
        if try_lock(descriptor):
            for place in _noted_places(folder):
                remove_leftovers(place, BESIDE)
            remove_folder(folder, descriptor)
    finally:
        with suppress(OSError):
            os.close(descriptor)


def _noted_places(folder: Path) -> list[Path]:
    """Read which other places a dead process had folders in; hidden folders hold the user's files and no notes."""
    if folder.name.startswith(BESIDE):
        return []
    return [Path(os.fsdecode(note.read_bytes())) for note in folder.glob(f"{NOTE}*") if note.is_file()]


def _is_mine(about: os.stat_result) -> bool:
    return not hasattr(os, "geteuid") or (about.st_uid == os.geteuid() and stat.S_IMODE(about.st_mode) == OWNER_FOLDER)


def remove_folder(folder: Path, descriptor: int | None = None) -> None:
    """Take a folder out of the way by another name, then remove it: a process that still writes there finds nothing."""
    if os.name == "nt" and descriptor is not None:
        os.close(descriptor)  # an open file cannot be removed there
    gone = folder.with_name(f"{_GIVEN_UP}{secrets.token_hex(8)}")
    with suppress(OSError):
        folder = folder.rename(gone)
    for entry in _entries(folder):  # the lock goes last: without it nobody would know a leftover by it
        if entry.is_dir() and not entry.is_symlink():
            shutil.rmtree(entry, ignore_errors=True)
        elif entry.name != LOCK:
            with suppress(OSError):
                entry.unlink()
    shutil.rmtree(folder, ignore_errors=True)


def _entries(folder: Path) -> list[Path]:
    try:
        return list(folder.iterdir())
    except OSError:
        return []


def _forget() -> None:
    """Leave the folders to the process that this one was forked from."""
    for descriptor in filter(None, _held.values()):
        os.close(descriptor)  # its lock stays with the other, which has the file open as well
    _held.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)
