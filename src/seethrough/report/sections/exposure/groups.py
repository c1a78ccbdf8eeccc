"""Risk by group."""

from collections.abc import Iterator

from seethrough.report import untrusted
from seethrough.report.pictures import diagnostic_pictures
from seethrough.report.pictures.diagnostic_pictures import GroupedColumn, Mark
from seethrough.report.sections.blocks import (
    DOCUMENTS,
    PAGE,
    Fold,
    Paragraph,
    Section,
    Span,
    TableBlock,
    TableCell,
    TableColumn,
    TableRow,
)
from seethrough.report.words import wording
from seethrough.results.report import TableAudit

_OPEN, _IN_MARKDOWN = 2, 5
"""How many columns stand open on the page, and how many a Markdown document lists."""
_HEADS = (
    TableColumn("Group", "text", "text"),
    TableColumn("", "picture", scale="1"),
    TableColumn("Risk", "number", "number"),
    TableColumn("95% interval", "number", "number"),
    TableColumn("Rows", "number", "number"),
)


def parts(table: TableAudit) -> Iterator[Section]:
    """List the groups of each column, the columns whose groups differ most first."""
    grouped = diagnostic_pictures.groups(table.exhibits.groups)
    if not grouped:
        return
    said = (
        "Mean risk of real records by ",
        Span(untrusted.name(table.exhibits.groups_by), "code"),
        ", with 95% intervals. Groups of fewer than 30 rows are merged. Columns whose groups differ most come first.",
    )
    yield Section("Risk by group", (Paragraph(said), *(_fold(column, place) for place, column in enumerate(grouped))))


def _fold(column: GroupedColumn, place: int) -> Fold:
    name = untrusted.name(column.column)
    listed = TableBlock(f"Risk by {name}", _HEADS, tuple(map(_row, column.marks)))
    return Fold(
        name,
        (listed,),
        f"groups differ by {wording.two_digits(column.spread)}",
        is_open=place < _OPEN,
        media=DOCUMENTS if place < _IN_MARKDOWN else PAGE,
    )


def _row(mark: Mark) -> TableRow:
    rate = mark.rate
    return TableRow(
        (
            TableCell(untrusted.name(mark.label)),
            TableCell(figure=mark),
            TableCell(wording.two_digits(rate.value)),
            TableCell(wording.two_digit_span(rate)),
            TableCell(wording.count(rate.n)),
        )
    )
