"""Isolated people: what those who are furthest from all others risk, beside everybody else."""

from collections.abc import Iterator

from seethrough.report import untrusted
from seethrough.report.pictures import diagnostic_pictures
from seethrough.report.pictures.diagnostic_pictures import LeakMark
from seethrough.report.sections.blocks import (
    MARKDOWN,
    Block,
    Paragraph,
    Section,
    TableBlock,
    TableCell,
    TableColumn,
    TableRow,
    text_row,
)
from seethrough.report.words import wording
from seethrough.results.diagnostics import IsolatedPeople, IsolatedRisk, LeakGroup, Rate
from seethrough.results.evidence_words import NAMES, people, with_ends
from seethrough.results.report import TableAudit

TITLE = "Isolated people"
_NO_RISK = "Isolation is no risk by itself: a release without anybody's row gives away nobody, however alone."
_LISTED = 5
"""Checks that are listed."""
_RISKS = (
    TableColumn("Check", sort="text"),
    TableColumn("Isolated", "number", "number"),
    TableColumn("Everybody else", "number", "number"),
)


def parts(table: TableAudit) -> Iterator[Section]:
    """Show leaks and risks of isolated people beside the rest, where anything was measured."""
    found = table.exhibits.isolated
    blocks = tuple(_blocks(found))
    if blocks:
        yield Section(TITLE, (Paragraph(_NO_RISK, "quiet"), *blocks))


def _blocks(found: IsolatedPeople) -> Iterator[Block]:
    if found.leaks:
        yield Paragraph(_said(found))
        end = diagnostic_pictures.axis_end(found.leaks)
        rows = tuple(_leak(group, end) for group in found.leaks)
        yield TableBlock("Leak among isolated people", _leak_heads(end), rows, "tight")
    elif found.reason and found.risks:
        yield Paragraph(f"{found.reason[:1].upper()}{found.reason[1:]}.")
    if found.risks:
        first = found.risks[0].isolated.n
        said = f"Mean risk of the most isolated 1 % of real rows, at least 20 (here {first:,}), beside everybody else."
        if len(found.risks) > _LISTED:
            said += f" The {_LISTED} checks with the largest difference are listed; report.json has all."
        yield Paragraph(said)
        widest = sorted(found.risks, key=lambda risk: risk.rest.value - risk.isolated.value)[:_LISTED]
        yield TableBlock("Risk of isolated people", _RISKS, tuple(map(_risk, widest)))


def _said(found: IsolatedPeople) -> str:
    isolated = [group for group in found.leaks if group.label != found.leaks[-1].label]
    leaking = [NAMES[group.family].lower() for group in isolated if group.is_exposed]
    decided = (
        f"The most isolated tenth of people leak beyond chance ({', '.join(leaking)})"
        if leaking
        else "No leak was found among the most isolated tenth of people"
    )
    return (
        f"{decided}. Members are compared with people outside who are as isolated, in people (for ratings, pairs) out "
        "of 100; the intervals hold for all rows at once."
    )


def _leak_heads(end: float) -> tuple[TableColumn, ...]:
    return (
        TableColumn("People", "text", "text"),
        TableColumn("Family", sort="text"),
        TableColumn("Attack", sort="text"),
        TableColumn("leak", "picture", scale=f"+{people(end)}", scale_start=f"-{people(end)}"),
        TableColumn("Members", "number", "number"),
        TableColumn("Outside", "number", "number"),
        TableColumn("Leak (interval)", "number", "number"),
        TableColumn("Leaks", sort="text", media=MARKDOWN),
    )


def _leak(group: LeakGroup, end: float) -> TableRow:
    counts = f"{wording.count(group.n_members)} and {wording.count(group.n_outsiders)}"
    before = (f"{group.label} ({counts})", group.family.value, untrusted.name(group.attack))
    after = (
        people(group.members),
        people(group.outsiders),
        with_ends(group.leak),
        "yes" if group.is_exposed else "-",
    )
    return TableRow((*map(TableCell, before), TableCell(figure=LeakMark(group.leak, end)), *map(TableCell, after)))


def _risk(found: IsolatedRisk) -> TableRow:
    return text_row(untrusted.name(found.check), _mean(found.isolated), _mean(found.rest))


def _mean(rate: Rate) -> str:
    return f"{wording.two_digits(rate.value)} ({wording.two_digit_span(rate)})"
