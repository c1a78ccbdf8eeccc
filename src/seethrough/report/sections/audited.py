"""What was audited: the tables that took part, the control, the columns and the seed."""

from collections.abc import Iterator

from seethrough.report import untrusted
from seethrough.report.sections.blocks import (
    DOCUMENTS,
    TERMINAL,
    Block,
    Fact,
    Facts,
    Paragraph,
    TableBlock,
    TableColumn,
    text_row,
)
from seethrough.report.words import facts, wording
from seethrough.results.report import Report

_COLUMNS_NAMED = 5


def blocks(report: Report) -> Iterator[Block]:
    """Open the report."""
    heads = (
        TableColumn("Part"),
        TableColumn("Table", "text"),
        TableColumn("Rows", "number"),
        TableColumn("Columns used", "number"),
    )
    used = wording.count(facts.used_columns(report))
    rows = [(part, untrusted.name(name), wording.count(size), used) for part, name, size, _ in facts.sources(report)]
    if report.holdout is None:
        rows.append(("holdout", "none given", "-", "-"))
    listed = tuple(text_row(*row) for row in rows)
    yield TableBlock("What was audited", heads, listed, media=DOCUMENTS)
    yield Paragraph(f"Independent control: {untrusted.visible(report.independent, 300)}.", "quiet", media=DOCUMENTS)
    yield Facts(tuple(_lines(report)), media=TERMINAL)


def _lines(report: Report) -> Iterator[Fact]:
    for part, name, rows, _ in facts.sources(report):
        yield Fact(part, f"{untrusted.name(name)}, {wording.count_of(rows, 'row')}")
    yield Fact("independent", untrusted.visible(report.independent, 300))
    yield Fact("columns", _columns(report))
    yield Fact("seed", str(report.seed))


def _columns(report: Report) -> str:
    out = [column for column in report.columns if not facts.is_used(column)]
    used = f"{facts.used_columns(report)} used"
    if not out:
        return used
    named = [f"{untrusted.visible(column.name, 30)} ({column.role})" for column in out[:_COLUMNS_NAMED]]
    more = f" and {len(out) - _COLUMNS_NAMED} more" if len(out) > _COLUMNS_NAMED else ""
    return f"{used}, {len(out)} left out: {', '.join(named)}{more}"
