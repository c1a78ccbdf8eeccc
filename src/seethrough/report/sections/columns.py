"""How each column was read."""

from collections.abc import Iterator

from seethrough.report import untrusted
from seethrough.report.sections.blocks import DOCUMENTS, Section, TableBlock, TableCell, TableColumn, TableRow
from seethrough.report.words import facts
from seethrough.results.report import Report

_HEADS = (
    TableColumn("Column", "text", "text"),
    TableColumn("Kind", sort="text"),
    TableColumn("Role", sort="text"),
    TableColumn("Levels", "number", "number"),
    TableColumn("Missing", "number", "number"),
    TableColumn("Read so because", "text"),
)


def sections(report: Report) -> Iterator[Section]:
    """List the columns; those left out are struck through."""
    rows = tuple(
        TableRow(
            tuple(map(TableCell, (untrusted.name(column.name), *facts.column(column)))),
            "plain" if facts.is_used(column) else "struck",
        )
        for column in report.column_notes
    )
    yield Section("Columns", (TableBlock("Columns", _HEADS, rows),), (), "columns", "Columns", media=DOCUMENTS)
