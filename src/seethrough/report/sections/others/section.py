"""The report for others: verdict, signs of real rows, columns, how it was made, and what it leaves out."""

from collections.abc import Iterator, Sequence

from seethrough.report import untrusted
from seethrough.report.external.others_words import finding_sentence
from seethrough.report.sections.blocks import (
    DOCUMENTS,
    Block,
    Bullets,
    Fact,
    Facts,
    GradedHeadline,
    GradedHeadlines,
    Paragraph,
    Section,
    Severity,
    TableBlock,
    TableColumn,
    VerdictBanner,
    text_row,
)
from seethrough.report.words import artefact_text, evidence_text, facts, wording
from seethrough.results.diagnostics import ArtefactSign
from seethrough.results.evidence import Finding, Grade, ReleaseEvidence
from seethrough.results.evidence_words import NAMES, QUESTIONS, exchangeability_sentence
from seethrough.results.report import Report, TableAudit, TableSummary

_SEVERITIES = {
    Grade.SEVERE: Severity.SEVERE,
    Grade.CLEAR: Severity.CLEAR,
    Grade.SLIGHT: Severity.SLIGHT,
    Grade.NO_LEAK_FOUND: Severity.NONE,
    Grade.CANNOT_TELL: Severity.UNKNOWN,
}
TITLE = "Signs of real rows in the release"
_NO_VERDICT = VerdictBanner("", "no verdict", Severity.UNKNOWN, "No attack was run, so there is no verdict.")


def opening(report: Report) -> Iterator[Block]:
    """Say what was audited, with real tables in classes of size."""
    released = ", ".join(_sized(table.synthetic, "") for table in report.tables)
    outside = f"people outside: {_sized(report.holdout)}" if report.holdout else "no people outside were given"
    columns = wording.count_of(facts.used_columns(report), "column")
    drawn = facts.attacked_people(report)
    said = (
        f"{released}, made from {_sized(report.real)}; {outside}.{f' {drawn[:1].upper()}{drawn[1:]}.' if drawn else ''}"
    )
    yield Paragraph(f"{said} {columns}; seed {report.seed}.", "quiet")


def _sized(table: TableSummary, about: str = "about ") -> str:
    return f"{untrusted.name(table.name)} ({about}{wording.count_of(table.rows, 'row')})"


def sections(report: Report) -> Iterator[Section]:
    """Give all sections, from values that were made coarse before."""
    yield Section("Verdict", tuple(_verdicts(report)), (), "verdict", "Verdict")
    if signs := tuple(block for table in report.tables for block in _signs(table)):
        yield Section(TITLE, signs, (), "artefacts", "Artefacts")
    heads = TableColumn("Column", "text", "text"), TableColumn("Kind", sort="text"), TableColumn("Role", sort="text")
    rows = (text_row(untrusted.name(each.name), each.kind, facts.role_label(each)) for each in report.column_notes)
    yield Section("Columns", (TableBlock("Columns", heads, tuple(rows)),), (), "columns", "Columns", media=DOCUMENTS)
    yield Section("Record", tuple(_record(report)), (), "record", "Record", media=DOCUMENTS)


def _verdicts(report: Report) -> Iterator[Block]:
    for table in report.tables:
        name = untrusted.name(table.synthetic.name) if len(report.tables) > 1 else ""
        yield from _verdict(table.evidence, name)
    if report.together:
        yield from _verdict(report.together, "All files together")
    yield Bullets(report.provenance.left_out, "Left out of this report for others")


def _verdict(evidence: ReleaseEvidence | None, name: str) -> Iterator[Block]:
    if evidence is None:
        yield _NO_VERDICT
        return
    grade = evidence.verdict.grade
    yield VerdictBanner(name, evidence_text.grade_name(grade), _SEVERITIES[grade], evidence.verdict.sentence)
    if len({each.cannot_tell for each in evidence.findings}) > 1 or grade is not Grade.CANNOT_TELL:
        yield GradedHeadlines(tuple(map(_headline, evidence.findings)))
    if evidence.sizes.members:
        yield Paragraph(_small_print(evidence), "small")


def _headline(finding: Finding) -> GradedHeadline:
    return GradedHeadline(
        subject=NAMES[finding.family],
        grade=evidence_text.grade_name(finding.grade),
        severity=_SEVERITIES[finding.grade],
        sentence=finding_sentence(finding),
        question=QUESTIONS[finding.family],
        small_print=_could_not(finding.cannot_tell) if finding.grade is not Grade.CANNOT_TELL else "",
    )


def _could_not(reasons: Sequence[str]) -> str:
    return f"Could not be told: {', '.join(map(untrusted.name, reasons))}." if reasons else ""


def _small_print(evidence: ReleaseEvidence) -> str:
    sizes = evidence.sizes
    return (
        f"About {sizes.members:,} members and {sizes.outsiders:,} people outside were attacked. "
        f"{exchangeability_sentence(evidence)} Grades: {', '.join(evidence_text.grade_rules(evidence.limits))} "
        f"({evidence_text.set_by(evidence.limits)})."
    )


def _signs(table: TableAudit) -> Iterator[Block]:
    looked = [each for each in table.exhibits.artefacts if each.sign is not ArtefactSign.UNTOLD]
    if not looked:
        return
    shown = ", ".join(artefact_text.title(each).lower() for each in artefact_text.showing(looked)) or "none"
    searched = ", ".join(artefact_text.title(each).lower() for each in looked)
    yield Paragraph(f"{untrusted.name(table.synthetic.name)}: more than chance: {shown}. Searched for: {searched}.")


def _record(report: Report) -> Iterator[Block]:
    yield Facts(tuple(Fact(label, said) for label, said in facts.record(report)), "record")
    asked = report.provenance.thresholds
    limits = (f"{untrusted.name(each.text)} ({each.set_by}){_exceeded(each.broken)}" for each in asked)
    if listed := tuple(limits):
        yield Bullets(listed, "Limits and who set them")


def _exceeded(broken: bool | None) -> str:
    return "" if broken is None else ": exceeded" if broken else ": not exceeded"
