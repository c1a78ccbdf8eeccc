"""Release artefacts: signs of real rows that can be seen without statistics."""

from collections.abc import Iterator

from seethrough.report.sections.blocks import (
    DOCUMENTS,
    VERBOSE,
    Block,
    Bullets,
    Paragraph,
    Section,
    TableBlock,
    TableCell,
    TableColumn,
    TableRow,
)
from seethrough.report.sections.releases import release_sections
from seethrough.report.words import artefact_text
from seethrough.results.diagnostics import Artefact, ArtefactSign
from seethrough.results.report import Report, TableAudit

TITLE = "Signs of real rows in the release"
_HEADS = (TableColumn("Sign"), TableColumn("Result"), TableColumn("What was found", "text"))


def sections(report: Report) -> Iterator[Section]:
    """List the artefacts of every synthetic table that was searched for them."""
    yield from release_sections(report, TITLE, "Artefacts", _blocks, _gist(report))


def _gist(report: Report) -> str:
    found = [each for table in report.tables for each in table.exhibits.artefacts]
    return artefact_text.summary(found).removesuffix(".") if len(report.tables) == 1 else ""


def _blocks(table: TableAudit) -> Iterator[Block]:
    found = table.exhibits.artefacts
    if not found:
        return
    yield Paragraph(artefact_text.summary(found), media=DOCUMENTS | VERBOSE)
    yield TableBlock(TITLE, _HEADS, tuple(_row(each) for each in found), "stacked", media=DOCUMENTS)
    if showing := artefact_text.showing(found):
        lines = (f"{artefact_text.title(each)}: {artefact_text.brief(each)}" for each in showing)
        yield Bullets(tuple(lines), tone="warning", media=VERBOSE)


def _row(artefact: Artefact) -> TableRow:
    cells = (
        TableCell(artefact_text.title(artefact)),
        TableCell(artefact.sign.value, tone="warning" if artefact.sign is ArtefactSign.SHOWS else "plain"),
        TableCell(artefact_text.sentence(artefact)),
    )
    return TableRow(cells, "quiet" if artefact.sign is ArtefactSign.UNTOLD else "plain")
