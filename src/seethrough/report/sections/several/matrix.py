"""Several releases at a glance: for each release and family of attacks its grade and its leak."""

from seethrough.report import untrusted
from seethrough.report.sections.blocks import Severity, TableBlock, TableCell, TableColumn, TableRow
from seethrough.report.words import comparison, evidence_text
from seethrough.results.evidence import Finding, Grade, LeakFamily, ReleaseEvidence
from seethrough.results.evidence_words import NAMES, people, with_ends
from seethrough.results.report import Report

SEVERITIES = {
    Grade.SEVERE: Severity.SEVERE,
    Grade.CLEAR: Severity.CLEAR,
    Grade.SLIGHT: Severity.SLIGHT,
    Grade.NO_LEAK_FOUND: Severity.NONE,
    Grade.CANNOT_TELL: Severity.UNKNOWN,
}
LABEL = "Grade and leak of each release"
TOGETHER = "All files together"
_HEADS = (
    TableColumn("Release", "text"),
    TableColumn("Verdict", "text"),
    *(TableColumn(NAMES[family], "text") for family in LeakFamily),
)


def matrix(report: Report) -> TableBlock:
    """Put releases under each other, the one that leaks least first, and all files together last."""
    order = [each.number - 1 for each in report.comparison.ranking] if report.comparison else range(len(report.tables))
    rows = [_row(_name(report, place), report.tables[place].evidence) for place in order]
    if report.together is not None:
        rows.append(_row(TOGETHER, report.together, "strong"))
    return TableBlock(LABEL, _HEADS, tuple(rows), "graded")


def _name(report: Report, place: int) -> str:
    if report.comparison is None:
        return untrusted.name(report.tables[place].synthetic.name)
    return comparison.release_name(report.comparison, place + 1)


def _row(name: str, evidence: ReleaseEvidence | None, tone: str = "plain") -> TableRow:
    if evidence is None:
        return TableRow((TableCell(name), TableCell("no verdict"), *[TableCell("-")] * len(LeakFamily)))
    grade = evidence.verdict.grade
    verdict = TableCell(evidence_text.grade_name(grade), brief=grade.value, severity=SEVERITIES[grade])
    cells = (_cell(evidence[family]) for family in LeakFamily)
    return TableRow((TableCell(name), verdict, *cells), "strong" if tone == "strong" else "plain")


def _cell(finding: Finding) -> TableCell:
    """Give the grade of a finding, and its leak in people (for ratings, pairs) out of 100."""
    severity, grade = SEVERITIES[finding.grade], finding.grade
    if finding.leak is None or grade is Grade.CANNOT_TELL:
        return TableCell(evidence_text.grade_name(grade), brief=grade.value, severity=severity)
    short = f"{grade.value} {people(finding.leak.value)}" if grade.is_leak else grade.value
    return TableCell(evidence_text.grade_name(grade), brief=short, note=with_ends(finding.leak), severity=severity)
