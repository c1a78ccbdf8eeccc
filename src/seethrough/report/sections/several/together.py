"""All files together: what several releases of one real table show to somebody who has them all."""

from collections.abc import Iterator

from seethrough.report import untrusted
from seethrough.report.sections.blocks import (
    DOCUMENTS,
    VERBOSE,
    Block,
    Paragraph,
    Section,
    TableBlock,
    TableColumn,
    TableRow,
    text_row,
)
from seethrough.report.words import evidence_text
from seethrough.results.evidence import AttackEvidence, ReleaseEvidence
from seethrough.results.evidence_words import people, with_ends
from seethrough.results.report import Report

TITLE = "All files together"
_HOW = (
    "Rows of all files under each other, attacked for re-identification as one file; and the mean over files of what "
    "each rating gave a person. Same people, same tests. It does not change the verdicts of the files."
)
_HEADS = (
    TableColumn("Attack", sort="text"),
    TableColumn("Members", "number", "number"),
    TableColumn("Outside", "number", "number"),
    TableColumn("Leak (interval)", "number", "number"),
    TableColumn("Adjusted p", "number", "number"),
)


def sections(report: Report) -> Iterator[Section]:
    """Show what the files give away together, where there are several and they could be tested."""
    if report.together is not None:
        gist = evidence_text.grade_name(report.together.verdict.grade)
        yield Section(TITLE, tuple(_blocks(report.together)), (), "together", TITLE, gist)


def _blocks(found: ReleaseEvidence) -> Iterator[Block]:
    grade = evidence_text.grade_name(found.verdict.grade)
    yield Paragraph(f"{grade[:1].upper()}{grade[1:]}. {found.verdict.sentence}", media=DOCUMENTS | VERBOSE)
    yield Paragraph(_HOW, "quiet", media=DOCUMENTS)
    attacks = sorted(found.attacks, key=lambda attack: (attack.p_adjusted is None, attack.p_adjusted, -attack.lower))
    if attacks:
        yield TableBlock(TITLE, _HEADS, tuple(_row(attack) for attack in attacks), "tight", media=DOCUMENTS | VERBOSE)


def _row(attack: AttackEvidence) -> TableRow:
    return text_row(
        untrusted.name(attack.label),
        people(attack.members),
        people(attack.outsiders),
        with_ends(attack.leak),
        evidence_text.p_value(attack.p_adjusted),
    )
