"""Exposed people: members whom an attack recognises as it recognises hardly anybody outside."""

from collections.abc import Iterator, Sequence
from functools import partial

from seethrough.report import untrusted
from seethrough.report.sections.blocks import (
    DOCUMENTS,
    EVERYWHERE,
    TERMINAL,
    VERBOSE,
    Block,
    Fold,
    Media,
    Paragraph,
    Section,
    Span,
    TableBlock,
    TableCell,
    TableColumn,
    TableRow,
    Words,
)
from seethrough.report.sections.releases import release_sections
from seethrough.report.words import evidence_text, facts, wording
from seethrough.results.diagnostics import ExposedRow
from seethrough.results.evidence_words import NAMES
from seethrough.results.report import ColumnNote, Report, TableAudit

TITLE = "Exposed people"
_NAMED = 5
"""People whom the terminal names by their rows."""
_LISTED = 10
"""People who are listed; report.json has 20, records.parquet all."""
_COLUMNS_NAMED = 4
"""Columns that a line names."""
_FAMILIES = {family.value: name.lower() for family, name in NAMES.items()}
_HEADS = (
    TableColumn("Real row", "number", "number"),
    TableColumn("Released row", "number", "number"),
    TableColumn("p", "number", "number"),
    TableColumn("Attack", sort="text"),
    TableColumn("Exposed to", "text", "number"),
    TableColumn("Nearest released row", "text", "number"),
)


def sections(report: Report) -> Iterator[Section]:
    """List exposed people of every synthetic table on which a leak was found."""
    if not report.provenance.is_external:
        media = EVERYWHERE if len(report.tables) == 1 else DOCUMENTS | VERBOSE
        blocks = partial(_blocks, columns=report.column_notes, media=media)
        yield from release_sections(report, TITLE, "People", blocks, _gist(report))


def _gist(report: Report) -> str:
    listed = [table.evidence.exposed_people or 0 for table in report.tables if table.evidence]
    if len(listed) != 1 or not max(listed):
        return ""
    of = f"{report.targets.members:,} members drawn" if report.targets else f"{report.real.rows:,} members"
    return f"{max(listed):,} of {of} are listed"


def _blocks(table: TableAudit, columns: Sequence[ColumnNote], media: Media) -> Iterator[Block]:
    """List people; the summary names those of a single release alone."""
    evidence = table.evidence
    if evidence is None or not evidence.verdict.grade.is_leak:
        return
    sentence, exposed = evidence_text.people_sentence(evidence), table.exhibits.exposed
    yield Paragraph(sentence, media=media & DOCUMENTS)
    people = evidence.exposed_people or 0
    yield Paragraph(f"{sentence}{_named(exposed, people)}", media=media & TERMINAL)
    if exposed:
        yield _listed(exposed[:_LISTED], people, columns if table.exhibits.shows_values else ())


def _named(exposed: Sequence[ExposedRow], people: int) -> str:
    """Name the surest people by their rows, as the end of a paragraph."""
    if not exposed:
        return ""
    more = f", and {people - _NAMED:,} more" if people > _NAMED else ""
    return f" Real rows, surest first: {', '.join(f'{row.row:,}' for row in exposed[:_NAMED])}{more}."


def _listed(exposed: Sequence[ExposedRow], people: int, columns: Sequence[ColumnNote]) -> Fold:
    used = [column for column in columns if facts.is_used(column)]
    heads = tuple(
        TableColumn(untrusted.name(column.name), sort="number" if column.kind == "numeric" else "text")
        for column in used
    )
    rows = tuple(_row(row, len(used)) for row in exposed)
    table = TableBlock(TITLE, (*_HEADS, *heads), rows, "listed" if used else "compact")
    title = f"The {len(exposed)} surest of {people:,}" if people > len(exposed) else "All of them"
    return Fold(title, (Paragraph(_order(bool(used)), "quiet"), table), media=DOCUMENTS)


def _row(row: ExposedRow, values: int) -> TableRow:
    families = (_FAMILIES.get(family, untrusted.name(family)) for family in row.families)
    cells = (
        TableCell(wording.count(row.row)),
        TableCell("-" if row.released_row is None else wording.count(row.released_row)),
        TableCell(f"{row.p:.2g}"),
        TableCell(untrusted.name(row.attack)),
        TableCell(", ".join(families), key=str(len(row.families))),
        TableCell(_nearness(row), key=str(len(row.differing)) if row.released_row is not None else ""),
    )
    return TableRow((*cells, *(_value(row, place) for place in range(values))))


def _nearness(row: ExposedRow) -> str:
    """Say in which columns the released row differs from the person's."""
    if row.released_row is None:
        return "-"
    names = [untrusted.visible(name, 30) for name in row.differing]
    if not names:
        return "identical"
    more = f" and {len(names) - _COLUMNS_NAMED} more columns" if len(names) > _COLUMNS_NAMED else ""
    return f"differs in {', '.join(names[:_COLUMNS_NAMED])}{more}"


def _value(row: ExposedRow, place: int) -> TableCell:
    """Give a person's value, and below it that of the released row where it differs."""
    mine, other = ("".join(shown[place : place + 1]) for shown in (row.shown, row.released_shown))
    if other == mine or row.released_row is None:
        return TableCell(untrusted.name(mine))
    return TableCell(untrusted.name(mine), note=f"released: {untrusted.name(other)}", tone="differs")


def _order(valued: bool) -> Words:
    start = (
        "Rows are numbered from 1. p is the share of people outside whom the attack rates at least as high. The "
        "released row is the one nearest to the person. All people are in "
    )
    file = Span("records.parquet", "code")
    if valued:
        return (start, file, ".")
    return (start, file, "; ", Span("--show-values", "code"), " shows the values of both rows here.")
