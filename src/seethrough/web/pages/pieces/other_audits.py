"""Other audits on this machine that have the same real table, told by its digest."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from seethrough.report.audit_report import AuditReport
from seethrough.web.session.session import Session

REPORT = "report.json"
_LARGEST = 64 << 20
_MOST = 200
"""Audits looked at, the newest first."""


@dataclass(frozen=True)
class OtherRelease:
    """A release of another audit: where it is, its name, its grade, and the findings in a word each."""

    audit: str
    name: str
    rows: int
    grade: str
    severity: str
    findings: tuple[str, ...]
    similarity: str


SEVERITIES = {"severe": "severe", "clear": "clear", "slight": "slight", "no leak found": "none"}


def same_real_table(session: Session, report: AuditReport) -> tuple[OtherRelease, ...]:
    """List the releases of other audits of the same real table, the newest audit first."""
    found: list[OtherRelease] = []
    for folder in _neighbours(session.folder):
        form = _read(folder / REPORT)
        if form is not None and _digest(form) == report.real.digest:
            found += _releases(folder.name, form)
    return tuple(found)


def _neighbours(folder: Path) -> list[Path]:
    """List the folders of other audits beside this one."""
    try:
        others = [path for path in folder.parent.iterdir() if path != folder and (path / REPORT).is_file()]
        return sorted(others, key=lambda path: -(path / REPORT).stat().st_mtime)[:_MOST]
    except OSError:
        return []


def _read(path: Path) -> dict[str, Any] | None:
    try:
        if path.stat().st_size > _LARGEST:
            return None
        form = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return form if isinstance(form, dict) else None


def _digest(form: dict[str, Any]) -> str:
    real = (form.get("release") or {}).get("real") or {}
    return str(real.get("digest", ""))


def _releases(audit: str, form: dict[str, Any]) -> Iterator[OtherRelease]:
    tables = form["release"].get("synthetic") or []
    for named, table in zip(tables, [form, *form.get("further", [])], strict=False):
        grade = str((table.get("verdict") or {}).get("grade", "cannot tell"))
        findings = tuple(str(finding.get("grade", "")) for finding in table.get("findings", []))
        similarity = (table.get("exhibits") or {}).get("pair_similarity")
        yield OtherRelease(
            audit,
            str(named.get("name", "")),
            int(named.get("rows", 0)),
            grade,
            SEVERITIES.get(grade, "unknown"),
            findings,
            "-" if similarity is None else f"{similarity:.3f}",
        )
