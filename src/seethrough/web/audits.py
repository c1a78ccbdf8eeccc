"""Audits on this machine: their folders, states and history, who holds them, and how they go.

The state folder is its owner's alone, and refused where it is a link, somebody else's, or open to others. Every audit
has a folder in it, named by an id that nobody can guess, with a lock that a living server holds: an audit held by
another server can be read and not changed. Tables and `records.parquet`, which is as sensitive, go when the server ends
unless they are kept; what a killed server left goes when the next one starts. Gone means unlinked.
"""

import json
import os
import secrets
import shutil
import stat
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from seethrough.errors import ConfigError
from seethrough.system.file_locks import LockUnsupported, try_lock

PLACE = "SEETHROUGH_STATE"
"""The environment variable that names the state folder."""
AUDITS, TABLES, RECORD, FILES, LOCK = "audits", "tables", "audit.json", "files.json", ".lock"
SENSITIVE = ("records.parquet", "people.csv", "people.parquet", "schema.toml", "given-schema.toml", "taken")
"""What goes with the tables: risks of single people, levels, and what was made to be taken away."""
UNFINISHED = frozenset({"waiting", "running"})
WITHOUT_RESULTS = frozenset({"empty", "files", "ready"})
INTERRUPTED = "The run was interrupted because the server ended."
_NEW, _GONE, _HALF = ".new-", ".gone-", (".new-", ".seethrough-")
_OLD = 3600.0
"""Seconds after which a folder without a lock was left by a process that was killed while it made it."""


def state_place(environment: Mapping[str, str] = os.environ, platform: str = sys.platform) -> Path:
    """Tell where the state folder of this user is."""
    if named := environment.get(PLACE):
        return Path(named).absolute()
    home = Path.home()
    if platform == "win32":
        return Path(environment.get("LOCALAPPDATA") or home / "AppData" / "Local") / "seethrough"
    if platform == "darwin":
        return home / "Library" / "Application Support" / "seethrough"
    return Path(environment.get("XDG_STATE_HOME") or home / ".local" / "state") / "seethrough"


def open_state(place: Path) -> Path:
    """Make the state folder where it is not there, and refuse one that others could reach."""
    with suppress(FileExistsError):
        place.parent.mkdir(parents=True, exist_ok=True)
        place.mkdir(0o700)
    about = os.lstat(place)
    if stat.S_ISLNK(about.st_mode):
        raise ConfigError(f"the state folder {place} is a link; a folder is expected")
    if not stat.S_ISDIR(about.st_mode):
        raise ConfigError(f"the state folder {place} is no folder")
    if hasattr(os, "geteuid"):
        if about.st_uid != os.geteuid():
            raise ConfigError(f"the state folder {place} belongs to another user")
        if stat.S_IMODE(about.st_mode) & 0o077:
            raise ConfigError(f"the state folder {place} is open to others; run: chmod 700 {place}")
    (place / AUDITS).mkdir(0o700, exist_ok=True)
    return place


@dataclass(frozen=True)
class AuditRecord:
    """What is remembered of an audit besides its results.

    `verdict` and `rows` are what its last run told; `origin` is the folder of an audit made on the command line, which
    is read and never changed; `labels` are the names of files by role and number.
    """

    audit: str
    name: str = ""
    note: str = ""
    created: float = 0.0
    state: str = "empty"
    why: str = ""
    verdict: Mapping[str, Any] = field(default_factory=dict)
    labels: Mapping[str, str] = field(default_factory=dict)
    rows: int | None = None
    is_kept: bool = False
    is_private: bool = False
    origin: str = ""


@dataclass
class StoredAudit:
    """An audit and its folder; `descriptor` is its lock, None where another server holds it."""

    folder: Path
    record: AuditRecord
    descriptor: int | None
    is_read_only: bool = False

    @property
    def tables(self) -> Path:
        """Give the folder of its tables."""
        return self.folder / TABLES

    @property
    def has_tables(self) -> bool:
        """Tell whether tables are still here, or where the command line named them."""
        return any(not name.endswith(".part") for name in _names(self.tables)) or _has_named_files(self.folder)

    def change(self, **changes: Any) -> None:
        """Change what is remembered, and save it."""
        self.record = replace(self.record, **changes)
        if not self.is_read_only:
            write_whole(self.folder / RECORD, json.dumps(asdict(self.record), indent=1).encode())

    def forget_tables(self) -> None:
        """Remove the tables, and what is as sensitive."""
        _remove(self.tables)
        for name in SENSITIVE:
            place = self.folder / name
            if place.is_dir() and not place.is_symlink():
                _remove(place)
            else:
                with suppress(OSError):
                    place.unlink()

    def let_go(self) -> None:
        """Give the lock back."""
        if self.descriptor is not None:
            os.close(self.descriptor)
            self.descriptor = None


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
        hidden, folder = self.folder / f"{_NEW}{audit}", self.folder / audit
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
        if audit not in _names(self.folder) or audit.startswith("."):
            return None
        found = self._take(audit)
        if found is not None:
            self._open[audit] = found
        return found

    def list_audits(self) -> tuple[StoredAudit, ...]:
        """List what there is, the newest first, without holding what is not open."""
        found = [self._open.get(name) or self._look(name) for name in _names(self.folder) if not name.startswith(".")]
        known = [each for each in found if each is not None]
        return tuple(sorted(known, key=lambda each: -each.record.created))

    def delete(self, audit: StoredAudit) -> None:
        """Remove an audit with all that is in its folder."""
        self._open.pop(audit.record.audit, None)
        _remove(audit.folder)
        audit.let_go()

    def tidy(self) -> None:
        """Remove what servers left that live no more; a run that they left is shown as interrupted, and held."""
        for name in _names(self.folder):
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
        record = _read_record(folder)
        return None if record is None or record.audit != name else StoredAudit(folder, record, None)


def write_whole(path: Path, content: bytes) -> None:
    """Write a file for its owner alone, whole or not at all."""
    place = path.with_name(f"{_NEW}{secrets.token_hex(6)}")
    try:
        with os.fdopen(os.open(place, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        place.replace(path)
    except OSError:
        with suppress(OSError):
            place.unlink()
        raise


def _read_record(folder: Path) -> AuditRecord | None:
    try:
        told = json.loads((folder / RECORD).read_text(encoding="utf-8"))
        known = {each.name for each in fields(AuditRecord)}
        return AuditRecord(**{name: value for name, value in told.items() if name in known})
    except (OSError, ValueError, TypeError, AttributeError):
        return None


def _has_named_files(folder: Path) -> bool:
    """Tell whether files that were named on the command line are all still there."""
    try:
        told = json.loads((folder / FILES).read_text(encoding="utf-8"))
        paths = [str(each["path"]) for each in told]
    except (OSError, ValueError, TypeError, KeyError):
        return False
    return bool(paths) and all(path and Path(path).is_file() for path in paths)


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


def _names(folder: Path) -> list[str]:
    try:
        return sorted(os.listdir(folder))
    except OSError:
        return []


def _remove(folder: Path) -> None:
    """Take a folder out of the way by another name, then remove it."""
    gone = folder.with_name(f"{_GONE}{secrets.token_hex(6)}")
    with suppress(OSError):
        folder = folder.rename(gone)
    shutil.rmtree(folder, ignore_errors=True)


def _remove_leftover(folder: Path) -> None:
    """Remove a folder that was being made or removed by a process that lives no more."""
    if folder.name.startswith(_GONE):
        shutil.rmtree(folder, ignore_errors=True)
    elif folder.name.startswith(_NEW):
        _remove_unreadable(folder)


def _remove_unreadable(folder: Path) -> None:
    """Remove a folder that is no audit, unless a process is just making it."""
    if not (folder / LOCK).exists() and time.time() - os.lstat(folder).st_mtime < _OLD:
        return
    descriptor = _locked(folder)
    if descriptor is not None:
        _remove(folder)
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
    for name in _names(audit.folder):
        if name.startswith((*_HALF, _GONE)):
            yield audit.folder / name
    for name in _names(audit.tables):
        if name.endswith(".part"):
            yield audit.tables / name
