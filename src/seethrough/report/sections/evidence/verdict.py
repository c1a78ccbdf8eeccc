"""The verdict: one grade and the fact that decides it, then one finding for each family of attacks."""

from collections.abc import Iterator

from seethrough.report import untrusted
from seethrough.report.pictures.diagnostic_pictures import Bar
from seethrough.report.sections.blocks import (
    DOCUMENTS,
    SUMMARY,
    VERBOSE,
    Block,
    Bullets,
    GradedHeadline,
    GradedHeadlines,
    Paragraph,
    Section,
    Severity,
    VerdictBanner,
)
from seethrough.report.words import evidence_text, missing_inputs
from seethrough.results.evidence import Finding, Grade, ReleaseEvidence
from seethrough.results.evidence_words import AT_RATE, IN_PAIRS, NAMES, QUESTIONS, both, epsilon_sentence, people
from seethrough.results.report import Report, TableAudit

_SEVERITIES = {
    Grade.SEVERE: Severity.SEVERE,
    Grade.CLEAR: Severity.CLEAR,
    Grade.SLIGHT: Severity.SLIGHT,
    Grade.NO_LEAK_FOUND: Severity.NONE,
    Grade.CANNOT_TELL: Severity.UNKNOWN,
}
_NO_ATTACK = "No attack was run on members and people outside, so there is no verdict."


def sections(report: Report) -> Iterator[Section]:
    """Give the verdict on every synthetic table, then the findings behind it."""
    rounded = report.provenance.is_external
    closing = tuple(_closing(report))
    if len(report.tables) == 1:
        table = report.tables[0]
        blocks = (_banner(table), *_findings(table, rounded), *closing)
        yield Section("Verdict", blocks, (), "verdict", "Verdict")
        return
    banners = tuple(_banner(table, untrusted.name(table.synthetic.name)) for table in report.tables)
    parts = tuple(
        Section(untrusted.name(table.synthetic.name), found)
        for table in report.tables
        if (found := tuple(_findings(table, rounded)))
    )
    yield Section("Verdict", (*banners, *closing), parts, "verdict", "Verdict")


def _banner(table: TableAudit, name: str = "") -> VerdictBanner:
    if table.evidence is None:
        return VerdictBanner(name, "no verdict", Severity.UNKNOWN, _NO_ATTACK)
    verdict = table.evidence.verdict
    return VerdictBanner(name, evidence_text.grade_name(verdict.grade), _SEVERITIES[verdict.grade], verdict.sentence)


def _findings(table: TableAudit, rounded: bool) -> Iterator[Block]:
    evidence = table.evidence
    if evidence is None:
        return
    if _is_told_apart(evidence):
        yield GradedHeadlines(tuple(_headline(finding, rounded) for finding in evidence.findings))
    if warnings := tuple(evidence_text.remarks(evidence)):
        yield Bullets(warnings, tone="warning")
    if evidence.epsilon:
        yield Paragraph(epsilon_sentence(evidence.epsilon))
    if evidence.sizes.members:
        yield Paragraph(evidence_text.small_print(evidence), "small", media=DOCUMENTS | VERBOSE)
        yield Paragraph(evidence_text.smallest_print(evidence), "small", media=SUMMARY)


def _is_told_apart(evidence: ReleaseEvidence) -> bool:
    """Tell whether the findings say more than the verdict alone: one reason for all of them is said once."""
    is_told = any(finding.grade is not Grade.CANNOT_TELL for finding in evidence.findings)
    return is_told or len({finding.cannot_tell for finding in evidence.findings}) > 1


def _headline(finding: Finding, rounded: bool) -> GradedHeadline:
    return GradedHeadline(
        subject=NAMES[finding.family],
        grade=evidence_text.grade_name(finding.grade),
        severity=_SEVERITIES[finding.grade],
        sentence=evidence_text.finding_sentence(finding),
        question=QUESTIONS[finding.family],
        bars=tuple(_bars(finding)),
        small_print=evidence_text.finding_detail(finding, rounded=rounded),
    )


def _bars(finding: Finding) -> Iterator[tuple[Bar, str]]:
    """Draw members above people outside; pairs against the 50 that chance would give."""
    if finding.members is None or finding.outsiders is None or finding.grade is Grade.CANNOT_TELL:
        return
    if finding.measure == IN_PAIRS:
        yield Bar("Pairs", finding.members, 0.5), people(finding.members)
        return
    outside = "False alarms" if finding.measure.startswith(AT_RATE) else "Outside"
    members, outsiders = both(finding)
    yield Bar("Members", finding.members, None), members
    yield Bar(outside, finding.outsiders, None), outsiders


def _closing(report: Report) -> Iterator[Block]:
    if missing := missing_inputs.missing(report):
        yield Bullets(missing, "What would allow a stronger statement")
    if left_out := report.provenance.left_out:
        yield Bullets(left_out, "Left out of this report for others")
