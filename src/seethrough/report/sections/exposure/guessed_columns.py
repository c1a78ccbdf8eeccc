"""Which columns are easiest to guess."""

from collections.abc import Iterator

from seethrough.report import untrusted
from seethrough.report.pictures import diagnostic_pictures
from seethrough.report.pictures.diagnostic_pictures import Mark
from seethrough.report.sections.blocks import (
    MARKDOWN,
    PAGE,
    Fact,
    Facts,
    Paragraph,
    Section,
    TableBlock,
    TableCell,
    TableColumn,
    TableRow,
)
from seethrough.report.words import wording
from seethrough.results.report import TableAudit

TITLE = "Which columns are easiest to guess"
_HEADS = (
    TableColumn("Column", "text", "text"),
    TableColumn("share guessed", "picture", scale="1"),
    TableColumn("Members", "number", "number"),
    TableColumn("95% interval", "number", "number", media=MARKDOWN),
    TableColumn("Outside", "number", "number"),
    TableColumn("Same guess", "number", "number"),
    TableColumn("Lead", "number", "number"),
)
_LISTED = 8
"""Columns that are listed."""
_MEMBERS = Fact("Members", "real rows", "value")
_OUTSIDE = Fact("People outside", "rows of the holdout", "independent")
_SAME = Fact("Same guess for all", "the most frequent value", "base-rate")


def parts(table: TableAudit) -> Iterator[Section]:
    """List the columns, those that lead most over people outside first."""
    marks = diagnostic_pictures.columns(table.exhibits.columns)
    if not marks:
        return
    has_outside = any(mark.other is not None for mark in marks)
    order = (
        "Columns with the largest lead of members over people outside come first."
        if has_outside
        else "No holdout was given, so there are no people outside to compare with, and a lead over the same guess for "
        "all may be no leak."
    )
    said = (
        f"Each column in turn is guessed from the released rows most similar in all other columns. {order} This ranks "
        "columns as secrets; it does not replace an attack."
    )
    legend = (_MEMBERS, _OUTSIDE, _SAME) if has_outside else (_MEMBERS, _SAME)
    if len(marks) > _LISTED:
        said += f" The first {_LISTED} of {len(marks)} are listed; report.json has all."
    listed = TableBlock(TITLE, _HEADS, tuple(map(_row, marks[:_LISTED])))
    yield Section(TITLE, (Paragraph(said), Facts(legend, "legend", media=PAGE), listed))


def _row(mark: Mark) -> TableRow:
    rate, outside = mark.rate, mark.other
    return TableRow(
        (
            TableCell(untrusted.name(mark.label)),
            TableCell(figure=mark),
            TableCell(wording.two_digits(rate.value)),
            TableCell(wording.two_digit_span(rate)),
            TableCell(wording.two_digits(outside.value) if outside else "-"),
            TableCell(wording.two_digits(mark.base_rate or 0.0)),
            TableCell(mark.note),
        )
    )
