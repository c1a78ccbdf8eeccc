"""The audits of a state folder: who holds them, and what goes when.

The state folder is its owner's alone, and refused where it is a link, somebody else's, or open to others. Every audit
has a folder in it, named by an id that nobody can guess, with a lock that a living server holds: an audit held by
another server can be read and not changed. Tables and `records.parquet`, which is as sensitive, go when the server ends
unless they are kept; what a killed server left goes when the next one starts. Gone means unlinked.
"""

import json
import os
import secrets
import shutil
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

from seethrough.system.file_locks import LockUnsupported, try_lock
from seethrough.web.audits.state_folder import AUDITS
from seethrough.web.audits.stored_audit import (
    GONE,
    NEW,
    RECORD,
    TABLES,
    AuditRecord,
    StoredAudit,
    list_names,
    read_record,
    remove_folder,
    write_whole,
)

UNFINISHED = frozenset({"waiting", "running"})
WITHOUT_RESULTS = frozenset({"empty", "files", "ready"})
INTERRUPTED = "The run was interrupted because the server ended."
LOCK = ".lock"
_HALF = (NEW, GONE, ".seethrough-")
_OLD = 3600.0
"""Seconds after which a folder without a lock was left by a process that was killed while it made it."""


@dataclass
class AuditShelf:
    """The audits of a state folder, as one server sees them."""

    state: Path
    is_private: bool = False
    is_kept: bool = False
    _open: dict[str, StoredAudit] = field(default_factory=dict)

    @property
    def folder(self) -> Path:
        """Give the folder of all audits."""
        return self.state / AUDITS

    def create(self, name: str = "", origin: str = "") -> StoredAudit:
        """Make an audit, which this server holds."""
        audit = secrets.token_hex(8)
        hidden, folder = self.folder / f"{NEW}{audit}", self.folder / audit
        hidden.mkdir(0o700)
        descriptor = _locked(hidden)
        (hidden / TABLES).mkdir(0o700)
        record = AuditRecord(audit, name, created=time.time(), origin=origin)
        record = replace(record, is_private=self.is_private, is_kept=self.is_kept and not self.is_private)
        write_whole(hidden / RECORD, json.dumps(asdict(record), indent=1).encode())
        hidden.rename(folder)
        self._open[audit] = StoredAudit(folder, record, descriptor)
        return self._open[audit]

    def find(self, audit: str) -> StoredAudit | None:
        """Find an audit by its id, and hold it where no other server does."""
        if audit in self._open:
            return self._open[audit]
        if audit not in list_names(self.folder) or audit.startswith("."):
            return None
        found = self._take(audit)
        if found is not None:
            self._open[audit] = found
        return found

    def list_audits(self) -> tuple[StoredAudit, ...]:
        """List what there is, the newest first, without holding what is not open."""
        names = [name for name in list_names(self.folder) if not name.startswith(".")]
        found = [self._open.get(name) or self._look(name) for name in names]
        known = [each for each in found if each is not None]
        return tuple(sorted(known, key=lambda each: -each.record.created))

    def delete(self, audit: StoredAudit) -> None:
        """Remove an audit with all that is in its folder."""
        self._open.pop(audit.record.audit, None)
        remove_folder(audit.folder)
        audit.let_go()

    def tidy(self) -> None:
        """Remove what servers left that live no more; a run that they left is shown as interrupted, and held."""
        for name in list_names(self.folder):
            with suppress(OSError):
                if name.startswith("."):
                    _remove_leftover(self.folder / name)
                elif name not in self._open:
                    self._tidy_one(name)

    def close(self) -> None:
        """Remove tables that are not kept, and audits of which nothing is to stay; give all locks back."""
        for audit in list(self._open.values()):
            if not audit.is_read_only:
                self._settle(audit)
            audit.let_go()
        self._open.clear()

    def _tidy_one(self, name: str) -> None:
        found = self._take(name)
        if found is None:
            _remove_unreadable(self.folder / name)
        elif not found.is_read_only and found.record.state in UNFINISHED and not found.record.is_private:
            _remove_halves(found)
            found.change(state="stopped", why=INTERRUPTED)
            self._open[name] = found
        else:
            if not found.is_read_only:
                self._settle(found)
            found.let_go()

    def _settle(self, audit: StoredAudit) -> None:
        record = audit.record
        if record.is_private or record.origin or (record.state in WITHOUT_RESULTS and not record.is_kept):
            self.delete(audit)
            return
        _remove_halves(audit)
        if record.state in UNFINISHED:
            audit.change(state="stopped", why=INTERRUPTED)
        if not record.is_kept:
            audit.forget_tables()

    def _take(self, name: str) -> StoredAudit | None:
        """Take an audit whose lock can be had; one that another server holds is for reading."""
        found = self._look(name)
        if found is None:
            return None
        descriptor = _locked(found.folder)
        if descriptor is None:
            return replace(found, is_read_only=True)
        fresh = self._look(name)  # what another server wrote before it gave the lock back
        if fresh is None:
            os.close(descriptor)
            return None
        return replace(fresh, descriptor=descriptor)

    def _look(self, name: str) -> StoredAudit | None:
        folder = self.folder / name
        record = read_record(folder)
        return None if record is None or record.audit != name else StoredAudit(folder, record, None)


def _locked(folder: Path) -> int | None:
    """Take the lock of a folder; None where another holds it."""
    descriptor = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o600)
    try:
        if try_lock(descriptor):
            return descriptor
    except LockUnsupported:  # then nobody can tell, and the audit is taken as ours
        return descriptor
    os.close(descriptor)
    return None


def _remove_leftover(folder: Path) -> None:
    """Remove a folder that was being made or removed by a process that lives no more."""
    if folder.name.startswith(GONE):
        shutil.rmtree(folder, ignore_errors=True)
    elif folder.name.startswith(NEW):
        _remove_unreadable(folder)


def _remove_unreadable(folder: Path) -> None:
    """Remove a folder that is no audit, unless a process is just making it."""
    if not (folder / LOCK).exists() and time.time() - os.lstat(folder).st_mtime < _OLD:
        return
    descriptor = _locked(folder)
    if descriptor is not None:
        remove_folder(folder)
        os.close(descriptor)


def _remove_halves(audit: StoredAudit) -> None:
    """Remove files and folders that were being written when their process ended."""
    for each in _halves(audit):
        if each.is_dir() and not each.is_symlink():
            shutil.rmtree(each, ignore_errors=True)
        else:
            with suppress(OSError):
                each.unlink()


def _halves(audit: StoredAudit) -> Iterator[Path]:
    for name in list_names(audit.folder):
        if name.startswith(_HALF):
            yield audit.folder / name
    for name in list_names(audit.tables):
        if name.endswith(".part"):
            yield audit.tables / name
