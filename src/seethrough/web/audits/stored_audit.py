"""One audit and its folder: what is remembered of it, and what goes with its tables."""

import json
import os
import secrets
import shutil
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from typing import Any

TABLES, RECORD, FILES = "tables", "audit.json", "files.json"
SENSITIVE = ("records.parquet", "people.csv", "people.parquet", "schema.toml", "given-schema.toml", "taken")
"""What goes with the tables: risks of single people, levels, and what was made to be taken away."""
NEW, GONE = ".new-", ".gone-"
"""How names begin of what is being written, and of what is being removed."""


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
        return any(not name.endswith(".part") for name in list_names(self.tables)) or _has_named_files(self.folder)

    def change(self, **changes: Any) -> None:
        """Change what is remembered, and save it."""
        self.record = replace(self.record, **changes)
        if not self.is_read_only:
            write_whole(self.folder / RECORD, json.dumps(asdict(self.record), indent=1).encode())

    def forget_tables(self) -> None:
        """Remove the tables, and what is as sensitive."""
        remove_folder(self.tables)
        for name in SENSITIVE:
            place = self.folder / name
            if place.is_dir() and not place.is_symlink():
                remove_folder(place)
            else:
                with suppress(OSError):
                    place.unlink()

    def let_go(self) -> None:
        """Give the lock back."""
        if self.descriptor is not None:
            os.close(self.descriptor)
            self.descriptor = None


def write_whole(path: Path, content: bytes) -> None:
    """Write a file for its owner alone, whole or not at all."""
    place = path.with_name(f"{NEW}{secrets.token_hex(6)}")
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


def read_record(folder: Path) -> AuditRecord | None:
    """Read what is remembered of an audit; None where it cannot be read."""
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


def list_names(folder: Path) -> list[str]:
    """List what is in a folder, nothing where there is none."""
    try:
        return sorted(os.listdir(folder))
    except OSError:
        return []


def remove_folder(folder: Path) -> None:
    """Take a folder out of the way by another name, then remove it."""
    gone = folder.with_name(f"{GONE}{secrets.token_hex(6)}")
    with suppress(OSError):
        folder = folder.rename(gone)
    shutil.rmtree(folder, ignore_errors=True)
