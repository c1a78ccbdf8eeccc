"""Which real records are exposed most."""

from collections.abc import Iterator, Sequence

from seethrough.report import untrusted
from seethrough.report.pictures import score_pictures
from seethrough.report.sections.blocks import (
    Block,
    Fold,
    Paragraph,
    Picture,
    Section,
    Span,
    TableBlock,
    TableCell,
    TableColumn,
    TableRow,
    Words,
)
from seethrough.report.words import facts, wording
from seethrough.results.card import Evidence
from seethrough.results.diagnostics import ExposedRow
from seethrough.results.outcome import Measured
from seethrough.results.report import ColumnNote, TableAudit

_HEADS = (
    TableColumn("Row", "number", "number"),
    TableColumn("Given away by released row", "number", "number"),
    TableColumn("p", "number", "number"),
    TableColumn("Attack", "text", "text"),
    TableColumn("Listed for", "text", "number"),
)


def parts(table: TableAudit, columns: Sequence[ColumnNote]) -> Iterator[Section]:
    """Show how risk is spread over the records, and the rows at its upper end."""
    blocks: list[Block] = []
    by = _by_record(table)
    if by and (histogram := score_pictures.histogram(by)):
        blocks.append(Picture(histogram, f"Distribution of record risk ({untrusted.name(by.check)})", explained=True))
    if table.exhibits.exposed:
        blocks.append(_rows(table, columns))
    if blocks:
        yield Section("Which real records are exposed most", tuple(blocks))


def _by_record(table: TableAudit) -> Measured | None:
    """Find the first attack with a risk for each record."""
    found = [
        outcome
        for outcome in table
        if isinstance(outcome, Measured)
        and outcome.measurement.per_record is not None
        and outcome.card.evidence is Evidence.ATTACK
    ]
    return found[0] if found else None


def _rows(table: TableAudit, columns: Sequence[ColumnNote]) -> Fold:
    exposed, valued = table.exhibits.exposed, table.exhibits.shows_values
    used = [column for column in columns if facts.is_used(column)] if valued else []
    heads = tuple(
        TableColumn(untrusted.name(column.name), sort="number" if column.kind == "numeric" else "text")
        for column in used
    )
    rows = tuple(_row(row, len(used)) for row in exposed)
    listed = TableBlock("The most exposed real rows", (*_HEADS, *heads), rows, "listed" if valued else "compact")
    return Fold(
        f"The {len(exposed)} most exposed real rows", (Paragraph(_order(valued), "quiet"), listed), is_open=True
    )


def _row(row: ExposedRow, values: int) -> TableRow:
    shown = (*row.shown[:values], *[""] * (values - len(row.shown)))
    return TableRow(
        (
            TableCell(wording.count(row.row)),
            TableCell("-" if row.released_row is None else wording.count(row.released_row)),
            TableCell(wording.compact(row.p)),
            TableCell(untrusted.name(row.attack)),
            TableCell(", ".join(row.families), key=str(len(row.families))),
            *(TableCell(untrusted.name(value)) for value in shown),
        )
    )


def _order(valued: bool) -> Words:
    start = (
        "Rows are numbered from 1, the first record of the real table. p is the share of people outside whom the "
        "attack rates at least as high; the lowest come first. At most one in ten of those listed is listed by chance. "
        "All rows are in "
    )
    file = Span("records.parquet", "code")
    if valued:
        return (start, file, ".")
    return (start, file, "; ", Span("--show-values", "code"), " shows their values here.")
