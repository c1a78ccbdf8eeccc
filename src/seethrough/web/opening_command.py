"""The command that opens an audit in a worker: what is remembered of it, and what the command line asks for."""

import os
from pathlib import Path

from seethrough.errors import ConfigError
from seethrough.web.audits.stored_audit import StoredAudit
from seethrough.web.messages import Message
from seethrough.web.rooms import Wishes


def describe_audit(found: StoredAudit) -> Message:
    """Say which audit is to be opened, and in which state it is."""
    record = found.record
    return {
        "do": "open",
        "folder": str(found.folder),
        "audit": record.audit,
        "name": record.name,
        "state": record.state,
        "why": record.why,
        "origin": record.origin,
        "is_read_only": found.is_read_only,
    }


def describe_wishes(wishes: Wishes, *, is_first: bool, limit: int) -> Message:
    """Say what the command line asks for; only the first audit begins with its files."""
    named = {"real": wishes.real, "holdout": wishes.holdout}
    return {
        "offered": [str(each.absolute()) for each in offered_files(wishes)],
        "named": {role: str(path.absolute()) for role, path in named.items() if path and is_first},
        "released": [str(path.absolute()) for path in wishes.synthetic if is_first],
        "secrets": list(wishes.secrets),
        "keys": list(wishes.keys),
        "limit": limit,
        "memory": wishes.memory,
        "threads": wishes.threads or None,
        "warning": wishes.warning,
    }


def check_offered(wishes: Wishes) -> None:
    """Refuse files that are not there, or cannot be read."""
    for path in offered_files(wishes):
        if not path.is_file():
            raise ConfigError(f"{path} is not there; a CSV, Parquet or Arrow file is expected")
        if not os.access(path, os.R_OK):
            raise ConfigError(f"{path} cannot be read: you may not")


def offered_files(wishes: Wishes) -> tuple[Path, ...]:
    """List the files of the command line, each once."""
    every = (*wishes.offered, wishes.real, *wishes.synthetic, wishes.holdout)
    return tuple(dict.fromkeys(path for path in every if path is not None))
