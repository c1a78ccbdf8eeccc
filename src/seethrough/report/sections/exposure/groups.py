"""Leak by group: members of a group against people outside of the same group."""

from collections.abc import Iterator

from seethrough.report import untrusted
from seethrough.report.pictures import diagnostic_pictures
from seethrough.report.pictures.diagnostic_pictures import GroupedColumn, LeakMark
from seethrough.report.sections.blocks import (
    DOCUMENTS,
    PAGE,
    Fold,
    Paragraph,
    Section,
    TableBlock,
    TableCell,
    TableColumn,
    TableRow,
)
from seethrough.report.words import wording
from seethrough.results.diagnostics import GroupedLeaks, LeakGroup
from seethrough.results.evidence_words import NAMES, people, with_ends
from seethrough.results.report import TableAudit

TITLE = "Leak by group"
_OPEN, _IN_MARKDOWN = 2, 5
"""How many columns stand open on the page, and how many a Markdown document lists."""


def parts(table: TableAudit) -> Iterator[Section]:
    """List the groups of each column, the columns with most groups that leak first; without any, say why."""
    found = table.exhibits.groups
    if not found.groups:
        if found.reason:
            yield Section(TITLE, (Paragraph(f"{found.reason[:1].upper()}{found.reason[1:]}."),))
        return
    grouped = diagnostic_pictures.groups(found)
    yield Section(TITLE, (Paragraph(_said(found)), *(_fold(column, place) for place, column in enumerate(grouped))))


def _said(found: GroupedLeaks) -> str:
    groups = {(group.column, group.label, group.merged) for group in found.groups}
    exposed = len({(group.column, group.label, group.merged) for group in found.groups if group.is_exposed})
    columns = len({group.column for group in found.groups})
    attacks = dict.fromkeys(
        f"{NAMES[group.family].lower()} by {untrusted.name(group.attack)}" for group in found.groups
    )
    left = f" {wording.count(found.left_out)} people are in groups too small to compare." if found.left_out else ""
    decided = f"{exposed} of {len(groups)} groups leak" if exposed else f"None of {len(groups)} groups leaks"
    return (
        f"{decided} beyond chance. Members of a group are compared with people outside of the same group, in "
        f"{wording.count_of(columns, 'column')}: {'; '.join(attacks)}. Leaks are in people (for ratings, pairs) out of "
        f"100; the intervals hold for all groups at once. Groups of fewer than 30 members or 30 people outside are put "
        f"together.{left}"
    )


def _fold(column: GroupedColumn, place: int) -> Fold:
    name, end = untrusted.name(column.column), people(column.end)
    heads = (
        TableColumn("Group", "text", "text"),
        TableColumn("Family", sort="text"),
        TableColumn("", "picture", scale=f"+{end}", scale_start=f"-{end}"),
        TableColumn("Members", "number", "number"),
        TableColumn("Outside", "number", "number"),
        TableColumn("Leak (interval)", "number", "number"),
        TableColumn("People", "text", "number"),
        TableColumn("Leaks", sort="text"),
    )
    listed = TableBlock(f"Leak by {name}", heads, tuple(_row(group, column.end) for group in column.groups))
    note = f"{wording.count_of(column.exposed, 'group')} beyond chance" if column.exposed else "none beyond chance"
    media = DOCUMENTS if place < _IN_MARKDOWN else PAGE
    return Fold(name, (listed,), note, is_open=place < _OPEN, media=media)


def _row(group: LeakGroup, end: float) -> TableRow:
    return TableRow(
        (
            TableCell(untrusted.name(diagnostic_pictures.group_label(group))),
            TableCell(group.family.value),
            TableCell(figure=LeakMark(group.leak, end)),
            TableCell(people(group.members)),
            TableCell(people(group.outsiders)),
            TableCell(with_ends(group.leak)),
            TableCell(f"{wording.count(group.n_members)} and {wording.count(group.n_outsiders)}"),
            TableCell("yes" if group.is_exposed else "-"),
        )
    )
