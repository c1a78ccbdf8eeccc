"""The verdict: one grade and the fact that decides it, then one finding for each family of attacks."""

from collections.abc import Iterator

from seethrough.report import untrusted
from seethrough.report.pictures.diagnostic_pictures import Bar
from seethrough.report.sections.blocks import (
    DOCUMENTS,
    SUMMARY,
    TERMINAL,
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
from seethrough.report.sections.several.matrix import SEVERITIES, matrix
from seethrough.report.words import evidence_text
from seethrough.results.evidence import Finding, Grade, ReleaseEvidence
from seethrough.results.evidence_words import AT_RATE, IN_PAIRS, NAMES, QUESTIONS, both, epsilon_sentence, fact, people
from seethrough.results.report import Report, TableAudit

_NO_ATTACK = "No attack was run on members and people outside, so there is no verdict."


def sections(report: Report) -> Iterator[Section]:
    """Give the verdict and the findings behind it; several synthetic tables begin with a matrix."""
    if len(report.tables) == 1:
        blocks = (*_banners(report.tables[0]), *_findings(report.tables[0]))
        yield Section("Verdict", blocks, (), "verdict", "Verdict", is_open=True)
    else:
        yield Section("Verdict", tuple(_overview(report)), (), "verdict", "Verdict", is_open=True)


def findings_by_release(report: Report) -> Iterator[Section]:
    """Give the findings on each of several synthetic tables."""
    if len(report.tables) == 1:
        return
    parts = []
    for table in report.tables:
        name = untrusted.name(table.synthetic.name)
        parts.append(Section(name, (_banner(table, name), *_findings(table))))
    gist = f"{len(parts)} releases, three findings each"
    yield Section("Findings", (), tuple(parts), "findings", "Findings", gist=gist, media=DOCUMENTS | VERBOSE)


def _overview(report: Report) -> Iterator[Block]:
    yield matrix(report)
    for table in report.tables:
        if table.evidence is None or not _is_told_apart(table.evidence):
            yield _banner(table, untrusted.name(table.synthetic.name))
    seen = [table.evidence for table in report.tables if table.evidence and table.evidence.sizes.members]
    if seen:
        yield Paragraph(evidence_text.smallest_print(seen[0], explains=False), "small")


def _banners(table: TableAudit) -> Iterator[Block]:
    """Give the verdict; a terminal does not repeat the sentence of a finding that stands below it."""
    banner = _banner(table)
    if table.evidence is None or not _repeats_finding(table.evidence):
        yield banner
        return
    yield VerdictBanner(banner.name, banner.grade, banner.severity, banner.sentence, media=DOCUMENTS)
    yield VerdictBanner(banner.name, banner.grade, banner.severity, "", media=TERMINAL)


def _banner(table: TableAudit, name: str = "") -> VerdictBanner:
    if table.evidence is None:
        return VerdictBanner(name, "no verdict", Severity.UNKNOWN, _NO_ATTACK)
    verdict = table.evidence.verdict
    return VerdictBanner(name, evidence_text.grade_name(verdict.grade), SEVERITIES[verdict.grade], verdict.sentence)


def _repeats_finding(evidence: ReleaseEvidence) -> bool:
    said = evidence.verdict.sentence
    facts = [f"{fact(finding)}; attack: {finding.attack}." for finding in evidence.findings if finding.grade.is_leak]
    return said in facts


def _findings(table: TableAudit) -> Iterator[Block]:
    evidence = table.evidence
    if evidence is None:
        return
    if _is_told_apart(evidence):
        yield GradedHeadlines(tuple(_headline(finding) for finding in evidence.findings))
    if warnings := tuple(evidence_text.remarks(evidence)):
        yield Bullets(warnings, tone="warning")
    if evidence.epsilon:
        yield Paragraph(epsilon_sentence(evidence.epsilon))
    if evidence.sizes.members:
        told = any(finding.grade is Grade.NO_LEAK_FOUND for finding in evidence.findings)
        yield Paragraph(evidence_text.smallest_print(evidence), "small", media=DOCUMENTS | VERBOSE)
        yield Paragraph(evidence_text.smallest_print(evidence, explains=told), "small", media=SUMMARY)


def _is_told_apart(evidence: ReleaseEvidence) -> bool:
    """Tell whether the findings say more than the verdict alone: one reason for all of them is said once."""
    is_told = any(finding.grade is not Grade.CANNOT_TELL for finding in evidence.findings)
    return is_told or len({finding.cannot_tell for finding in evidence.findings}) > 1


def _headline(finding: Finding) -> GradedHeadline:
    return GradedHeadline(
        subject=NAMES[finding.family],
        grade=evidence_text.grade_name(finding.grade),
        severity=SEVERITIES[finding.grade],
        sentence=evidence_text.finding_sentence(finding),
        question=QUESTIONS[finding.family],
        bars=tuple(_bars(finding)),
        small_print=evidence_text.finding_detail(finding),
        brief=evidence_text.finding_brief(finding),
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
