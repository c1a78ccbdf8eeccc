"""Leak by group: members of a group against people outside of the same group."""

from collections.abc import Iterator

from seethrough.report import untrusted
from seethrough.report.pictures import diagnostic_pictures
from seethrough.report.pictures.diagnostic_pictures import LeakMark
from seethrough.report.sections.blocks import (
    MARKDOWN,
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
_LISTED = 8
"""Groups that are listed; all of them are in report.json."""


def parts(table: TableAudit) -> Iterator[Section]:
    """List the groups that leak most, of all columns; without any, say why."""
    found = table.exhibits.groups
    if not found.groups:
        if found.reason:
            yield Section(TITLE, (Paragraph(f"{found.reason[:1].upper()}{found.reason[1:]}."),))
        return
    worst = sorted(found.groups, key=lambda group: (not group.is_exposed, -group.leak.low))[:_LISTED]
    end = diagnostic_pictures.axis_end(worst)
    rows = tuple(_row(group, end) for group in worst)
    yield Section(TITLE, (Paragraph(_said(found)), TableBlock(TITLE, _heads(end), rows, "tight")))


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
        f"together.{left} The {min(_LISTED, len(found.groups))} that leak most are listed; report.json has all."
    )


def _heads(end: float) -> tuple[TableColumn, ...]:
    return (
        TableColumn("Group", "text", "text"),
        TableColumn("Family", sort="text"),
        TableColumn("leak", "picture", scale=f"+{people(end)}", scale_start=f"-{people(end)}"),
        TableColumn("Members", "number", "number"),
        TableColumn("Outside", "number", "number"),
        TableColumn("Leak (interval)", "number", "number"),
        TableColumn("People", "text", "number"),
        TableColumn("Leaks", sort="text", media=MARKDOWN),
    )


def _row(group: LeakGroup, end: float) -> TableRow:
    label = untrusted.name(diagnostic_pictures.group_label(group))
    return TableRow(
        (
            TableCell(f"{untrusted.visible(group.column, 40)}: {label}"),
            TableCell(group.family.value),
            TableCell(figure=LeakMark(group.leak, end)),
            TableCell(people(group.members)),
            TableCell(people(group.outsiders)),
            TableCell(with_ends(group.leak)),
            TableCell(f"{wording.count(group.n_members)} and {wording.count(group.n_outsiders)}"),
            TableCell("yes" if group.is_exposed else "-"),
        )
    )
