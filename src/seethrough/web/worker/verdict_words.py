"""What the history says of a finished audit."""

from typing import Any

from seethrough.report.audit_report import AuditReport
from seethrough.report.words.evidence_text import grade_name
from seethrough.results.evidence import Grade

_SEVERITY = {
    Grade.CANNOT_TELL: "unknown",
    Grade.NO_LEAK_FOUND: "none",
    Grade.SLIGHT: "slight",
    Grade.CLEAR: "clear",
    Grade.SEVERE: "severe",
}


def summarise(report: AuditReport) -> dict[str, Any]:
    """Give the worst grade of all releases, in words and as the mark of a row."""
    grades = [table.evidence.verdict.grade for table in report.tables if table.evidence is not None]
    if not grades:
        return {"verdict": {}}
    worst = max(grades)
    return {"verdict": {"words": grade_name(worst), "severity": _SEVERITY[worst]}}
