"""Findings mapped to the questions of a data protection officer, one section for each text that asks them."""

from collections.abc import Iterator

from seethrough.report import untrusted
from seethrough.report.annex import lines
from seethrough.report.annex.custodian import ASKED, FILE, CustodianFacts
from seethrough.report.external import others_words
from seethrough.report.sections.blocks import (
    Block,
    Bullets,
    Document,
    Fact,
    Facts,
    Paragraph,
    Section,
    Span,
    TableBlock,
    TableColumn,
    TableRow,
    text_row,
)
from seethrough.report.words import artefact_text, evidence_text, facts, missing_inputs, wording
from seethrough.results.diagnostics import ArtefactSign
from seethrough.results.evidence import Finding, Grade, LeakFamily, PoolSizes
from seethrough.results.evidence_words import IN_PAIRS, NAMES, people, with_ends
from seethrough.results.report import Report, TableAudit

MISSING = "missing: only the custodian can say"
KEPT = "answered; the answer stays with the custodian"
_LONGEST = 2000
_EDPB = {
    LeakFamily.MEMBERSHIP: ("Record isolation", "Does the release point at single people of the real table?"),
    LeakFamily.IDENTITY: ("Linkage", "Can a released row be linked to the person it comes from?"),
    LeakFamily.ATTRIBUTE: ("Inference", "Does the release tell what a person's secret values are?"),
}
"""The three questions, each with the family of attacks that tests it."""


def build(report: Report, custodian: CustodianFacts) -> Document:
    """Put the annex together."""
    names = ", ".join(untrusted.name(table.synthetic.name) for table in report.tables)
    audience = ", for others" if report.provenance.is_external else ""
    made = f", {report.provenance.date}" if report.provenance.date else ""
    return Document(
        name=f"Annex for data protection: {names}",
        kicker=f"Seethrough {untrusted.name(report.version)}: annex to the privacy audit{audience}{made}",
        title=("Data protection questions about", names, ""),
        opening=tuple(_opening(custodian)),
        sections=tuple(_sections(report, custodian)),
    )


def _opening(custodian: CustodianFacts) -> Iterator[Block]:
    yield Paragraph(
        "This page puts the findings of the audit under the questions that data protection officers ask. It measures "
        "nothing new, decides nothing and does not replace a legal assessment."
    )
    if custodian.missing:
        yield Paragraph(f"Missing: {', '.join(custodian.missing)}. Answer in {FILE} and name it with --annex-facts.")


def _sections(report: Report, custodian: CustodianFacts) -> Iterator[Section]:
    yield Section("Record isolation, linkage, inference", tuple(_edpb(report)), (), "edpb", "EDPB", is_open=True)
    iso = tuple(_iso(report, custodian))
    yield Section("ISO/IEC 27559", (), iso, "iso-27559", "ISO/IEC 27559", is_open=True)
    intruder = tuple(_intruder(report, custodian))
    yield Section("Motivated intruder", intruder, (), "intruder", "Motivated intruder", is_open=True)
    yield Section(lines.TITLE, tuple(lines.blocks(report)), (), "line", "0.09", is_open=True)
    title = "Membership and attribute disclosure against non-members"
    yield Section(title, tuple(_consensus(report)), (), "non-members", "Non-members", is_open=True)


def _edpb(report: Report) -> Iterator[Block]:
    yield Paragraph("The three questions of the European Data Protection Board, each with the attacks that test it.")
    columns = (TableColumn("Question"), *_release_column(report), TableColumn("Grade"), TableColumn("Finding", "text"))
    rows = []
    for family, (title, question) in _EDPB.items():
        for table in report.tables:
            finding = _finding(table, family)
            named = (untrusted.name(table.synthetic.name),) if len(report.tables) > 1 else ()
            rows.append(text_row(f"{title}: {question}", *named, _grade(finding), _sentence(report, finding)))
    yield TableBlock("Record isolation, linkage, inference", columns, tuple(rows))
    for table in report.tables:
        yield Paragraph(f"Record isolation, copies in {untrusted.name(table.synthetic.name)}: {_copies(table)}")


def _release_column(report: Report) -> tuple[TableColumn, ...]:
    return (TableColumn("Release"),) if len(report.tables) > 1 else ()


def _copies(table: TableAudit) -> str:
    looked = [each for each in table.exhibits.artefacts if each.sign is not ArtefactSign.UNTOLD]
    if not looked:
        return "signs of real rows were not searched for."
    shown = [artefact_text.title(each).lower() for each in artefact_text.showing(looked)]
    return f"{', '.join(shown)} more often than chance." if shown else "none of the signs of real rows exceeds chance."


def _iso(report: Report, custodian: CustodianFacts) -> Iterator[Section]:
    yield Section("Context", (_answers(report, custodian, "recipients", "purpose", "contracts", "other_sources"),))
    yield Section("Data assessment", (_data(report),))
    yield Section("Adversarial testing", tuple(_testing(report)))
    yield Section("Mitigation", (_answers(report, custodian, "generator", "mitigation"), _next_step(report)))
    yield Section("Governance", tuple(_governance(report, custodian)))


def _answers(report: Report, custodian: CustodianFacts, *keys: str) -> Facts:
    return Facts(tuple(Fact(ASKED[key], _answer(report, custodian, key)) for key in keys))


def _answer(report: Report, custodian: CustodianFacts, key: str) -> str:
    if key not in custodian.answers:
        return MISSING
    return KEPT if report.provenance.is_external else untrusted.visible(custodian.answers[key], _LONGEST)


def _data(report: Report) -> Facts:
    about = "about " if report.provenance.is_external else ""
    told = [
        Fact(part, f"{untrusted.name(name)}, {about}{wording.count_of(rows, 'row')}")
        for part, name, rows, _ in facts.sources(report)
    ]
    if report.holdout is None:
        told.append(Fact("holdout", "none given"))
    left_out = [untrusted.name(column.name) for column in report.column_notes if not facts.is_used(column)]
    told.append(Fact("columns used", wording.count(facts.used_columns(report))))
    told.append(Fact("columns left out", ", ".join(left_out) or "none"))
    told.append(Fact("secret columns", _named(report.provenance.secrets, "none was named; each column was tried")))
    told.append(Fact("columns an attacker knows", _named(report.provenance.keys, "all but the secret")))
    return Facts(tuple(told))


def _named(columns: tuple[str, ...], otherwise: str) -> str:
    return ", ".join(map(untrusted.name, columns)) or otherwise


def _testing(report: Report) -> Iterator[Block]:
    for table in report.tables:
        evidence = table.evidence
        if evidence is None:
            continue
        name, grade = untrusted.name(table.synthetic.name), evidence_text.grade_name(evidence.verdict.grade)
        tested = _attacked(evidence.sizes, is_coarse=report.provenance.is_external)
        yield Paragraph(f"{name}: {grade}. {evidence.verdict.sentence} {tested}")
    yield Bullets(missing_inputs.missing(report), "Not tested")


def _attacked(sizes: PoolSizes, *, is_coarse: bool) -> str:
    if not sizes.members:
        return "Members were not compared with people outside."
    about = "About " if is_coarse else ""
    return f"{about}{sizes.members:,} members and {sizes.outsiders:,} people outside were attacked."


def _next_step(report: Report) -> Paragraph:
    leaks = any(table.evidence and table.evidence.verdict.grade.is_leak for table in report.tables)
    if leaks:
        measures = " measures how much of it a change of the release would remove."
        return Paragraph(("A leak was found. ", Span("seethrough whatif", "code"), measures))
    return Paragraph("No leak was found by these attacks, or it could not be told; see Adversarial testing.")


def _governance(report: Report, custodian: CustodianFacts) -> Iterator[Block]:
    yield _answers(report, custodian, "responsible", "review")
    limits = [f"{untrusted.name(each.text)} (set by {each.set_by})" for each in report.provenance.thresholds]
    if limits:
        yield Bullets(tuple(limits), "Limits and who set them")
    yield Paragraph(
        (
            f"Seethrough {untrusted.name(report.version)}, seed {report.seed}. ",
            Span("seethrough verify report.json", "code"),
            " repeats the audit from the tables and tells whether the report was edited.",
        )
    )


def _intruder(report: Report, custodian: CustodianFacts) -> Iterator[Block]:
    yield Paragraph(
        "The motivated intruder test of the Information Commissioner's Office (ICO) asks what somebody with reason to "
        "try could find out. The attackers of this audit know the literature on attacks, and hold no other file."
    )
    yield Facts(
        (
            Fact("what the attackers had", "the released tables, and what follows for each person attacked"),
            Fact("to guess a secret", _named(report.provenance.keys, "all columns but the secret")),
            Fact("to recognise or link a person", "all columns used"),
            Fact("what they were not told", "whether the person attacked was in the data, and the secret value"),
            Fact(ASKED["other_sources"], _answer(report, custodian, "other_sources")),
        )
    )
    for table in report.tables:
        for family in LeakFamily:
            finding = _finding(table, family)
            if finding and finding.grade.is_leak:
                yield Paragraph(f"{NAMES[family]}: {_sentence(report, finding)}")


def _consensus(report: Report) -> Iterator[Block]:
    yield Paragraph(
        "A consensus of 2025 asks that membership and attribute disclosure are measured against people who were not in "
        "the data, so that what is true of everybody does not count as a leak."
    )
    heads = ("Disclosure", "Members in 100", "Non-members in 100", "Difference (95 % interval)", "Grade")
    columns = (*_release_column(report), *(TableColumn(head) for head in heads))
    rows = tuple(_disclosure(report, table, family) for table in report.tables for family in _DISCLOSED)
    yield TableBlock("Membership and attribute disclosure against non-members", columns, rows)
    if report.holdout is None:
        said = "No people outside were given, so neither can be told. "
        yield Paragraph((said, Span("seethrough split", "code"), " sets them aside before a release is made."))


_DISCLOSED = (LeakFamily.MEMBERSHIP, LeakFamily.ATTRIBUTE)


def _disclosure(report: Report, table: TableAudit, family: LeakFamily) -> TableRow:
    named = (untrusted.name(table.synthetic.name),) if len(report.tables) > 1 else ()
    finding = _finding(table, family)
    shares = ("-", "-", "-")
    if finding and finding.members is not None and finding.outsiders is not None and finding.leak is not None:
        shares = *_shares(finding.measure, finding.members, finding.outsiders), with_ends(finding.leak)
    elif finding and finding.lower is not None:
        shares = "-", "-", f"at least {people(finding.lower)}"
    return text_row(*named, NAMES[family], *shares, _grade(finding))


def _shares(measure: str, members: float, outsiders: float) -> tuple[str, str]:
    if measure == IN_PAIRS:
        return f"first in {people(members)} of 100 pairs", "50 by chance"
    return people(members), people(outsiders)


def _finding(table: TableAudit, family: LeakFamily) -> Finding | None:
    return table.evidence[family] if table.evidence else None


def _grade(finding: Finding | None) -> str:
    return evidence_text.grade_name(finding.grade if finding else Grade.CANNOT_TELL)


def _sentence(report: Report, finding: Finding | None) -> str:
    if finding is None:
        return "Members were not compared with people outside."
    is_external = report.provenance.is_external
    return others_words.finding_sentence(finding) if is_external else evidence_text.finding_sentence(finding)
