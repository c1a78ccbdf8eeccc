"""Exposed people: members whom an attack recognises as it recognises hardly anybody outside."""

from collections.abc import Iterator, Sequence

from seethrough.report import untrusted
from seethrough.report.sections.blocks import (
    DOCUMENTS,
    TERMINAL,
    Block,
    Fold,
    Paragraph,
    Section,
    Span,
    TableBlock,
    TableCell,
    TableColumn,
    TableRow,
)
from seethrough.report.sections.releases import release_sections
from seethrough.report.words import evidence_text, wording
from seethrough.results.evidence import ExposedPerson
from seethrough.results.evidence_words import NAMES
from seethrough.results.report import Report, TableAudit

TITLE = "Exposed people"
LISTED = 20
"""People whom a document lists."""
_NAMED = 8
"""People whom the terminal names by their rows."""
_HEADS = (
    TableColumn("Real row", "number", "number"),
    TableColumn("Released row", "number", "number"),
    TableColumn("Exposed by", "text", "text"),
    TableColumn("Attack", sort="text"),
    TableColumn("p", "number", "number"),
)


def sections(report: Report) -> Iterator[Section]:
    """List exposed people of every synthetic table on which a leak was found."""
    if not report.provenance.is_external:
        yield from release_sections(report, TITLE, "People", _blocks)


def _blocks(table: TableAudit) -> Iterator[Block]:
    evidence = table.evidence
    if evidence is None or not evidence.verdict.grade.is_leak:
        return
    yield Paragraph(evidence_text.people_sentence(evidence))
    if evidence.people:
        rows = list(dict.fromkeys(person.row for person in evidence.people))
        more = f", and {len(rows) - _NAMED:,} more" if len(rows) > _NAMED else ""
        named = ", ".join(f"{row:,}" for row in rows[:_NAMED])
        yield Paragraph(f"Rows of the real table, surest first: {named}{more}.", media=TERMINAL)
        yield _listed(evidence.people)


def _listed(people: Sequence[ExposedPerson]) -> Fold:
    shown = people[:LISTED]
    table = TableBlock("Exposed people", _HEADS, tuple(map(_row, shown)), "compact")
    title = f"The first {len(shown)} of {len(people):,}" if len(people) > len(shown) else "All of them"
    order = (
        "Rows are numbered from 1, the surest come first. The released row is the one nearest to the person. All "
        "people are in ",
        Span("records.parquet", "code"),
        ".",
    )
    return Fold(title, (Paragraph(order, "quiet"), table), is_open=True, media=DOCUMENTS)


def _row(person: ExposedPerson) -> TableRow:
    released = "-" if person.released_row is None else wording.count(person.released_row)
    cells = (
        TableCell(wording.count(person.row)),
        TableCell(released),
        TableCell(NAMES[person.family]),
        TableCell(untrusted.name(person.attack)),
        TableCell(f"{person.p:.2g}"),
    )
    return TableRow(cells)
