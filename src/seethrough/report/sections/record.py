"""The record: what is needed to repeat the audit, the thresholds and who set them, and where the time went."""

from collections.abc import Iterator

from seethrough.report import untrusted
from seethrough.report.sections.blocks import (
    DOCUMENTS,
    Fact,
    Facts,
    Fold,
    Paragraph,
    Section,
    Span,
    TableBlock,
    TableCell,
    TableColumn,
    TableRow,
)
from seethrough.report.words import costs, facts, wording
from seethrough.results.report import Report

_REPEATED = (
    "The same tables, seed and version give the same numbers. ",
    Span("seethrough verify report.json", "code"),
    ", with the tables, repeats the audit and compares.",
)
_THRESHOLDS = (TableColumn("Threshold", "text"), TableColumn("Set by"), TableColumn("Exceeded"))
_SLOWEST = 6
"""Items that are listed."""
_COSTS = (
    TableColumn("What", "text", "text"),
    TableColumn("Kind", sort="text"),
    TableColumn("On", "text", "text"),
    TableColumn("Time", "number", "number"),
)


def sections(report: Report) -> Iterator[Section]:
    """Give everything that a repetition needs."""
    known = Facts(tuple(Fact(label, said) for label, said in facts.record(report)), "record")
    parts = (*_thresholds(report), *_costs(report))
    yield Section(
        "Record",
        (Paragraph(_REPEATED), known),
        parts,
        "record",
        "Record",
        "what it takes to repeat the audit",
        media=DOCUMENTS,
    )


def _thresholds(report: Report) -> Iterator[Section]:
    rows = tuple(
        TableRow((TableCell(limit.text), TableCell(limit.set_by), TableCell(_exceeded(limit.broken))))
        for limit in report.provenance.thresholds
    )
    if rows:
        title = "Thresholds and who set them"
        yield Section(title, (TableBlock(title, _THRESHOLDS, rows),))


def _exceeded(broken: bool | None) -> str:
    if broken is None:
        return "-"
    return "yes" if broken else "no"


def _costs(report: Report) -> Iterator[Section]:
    listed = costs.list_costs(report.timings)
    if not listed:
        return
    rows = tuple(
        TableRow(
            (
                TableCell(untrusted.name(cost.what)),
                TableCell(cost.kind),
                TableCell(", ".join(map(untrusted.name, cost.tables)) or "-"),
                TableCell(wording.duration(cost.seconds), key=wording.format_fixed(cost.seconds)),
            )
        )
        for cost in listed[:_SLOWEST]
    )
    title = "Where the time went"
    table = TableBlock(title, _COSTS, rows, "compact")
    more = len(listed) - _SLOWEST
    left = f" {wording.count_of(more, 'more item')} in report.json." if more > 0 else ""
    said = Paragraph(f"{costs.summary(report.timings)}{left}", "quiet")
    total = wording.duration(report.timings.total)
    yield Section(title, (Fold(f"{total} in all; what took longest", (said, table)),))
