"""The history: audits of this machine as rows of the start page, in plain values."""

import time
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from seethrough.web.audits.shelf import INTERRUPTED
from seethrough.web.audits.stored_audit import StoredAudit

UNNAMED = "New audit"


def list_row(audit: StoredAudit) -> Mapping[str, Any]:
    """Give what the start page shows of an audit."""
    record = audit.record
    is_interrupted = record.state == "stopped" and record.why == INTERRUPTED
    return {
        "id": record.audit,
        "name": record.name or UNNAMED,
        "note": record.note,
        "when": say_when(record.created),
        "rows": record.rows,
        "verdict": str(record.verdict.get("words", "")),
        "severity": str(record.verdict.get("severity", "unknown")),
        "state": "interrupted" if is_interrupted else record.state,
        "has_tables": audit.has_tables,
        "keeps": record.is_kept,
        "held": audit.is_read_only,
    }


def say_when(moment: float, now: float | None = None) -> str:
    """Say when something was, shortly: today by the hour, else by the day."""
    then, today = datetime.fromtimestamp(moment), datetime.fromtimestamp(time.time() if now is None else now)
    if then.date() == today.date():
        return f"today {then:%H:%M}"
    day = f"{then.day} {then:%b}"
    return day if then.year == today.year else f"{day} {then.year}"


def text_of(form: Mapping[str, tuple[str, ...]], name: str, otherwise: str = "") -> str:
    """Give the first value of a field that was posted."""
    return next(iter(form.get(name, ())), otherwise)
