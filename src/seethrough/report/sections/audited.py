"""What was audited: the tables that took part, the control, the columns and the seed."""

from collections.abc import Iterator

from seethrough.report import untrusted
from seethrough.report.sections.blocks import (
    DOCUMENTS,
    Block,
    Paragraph,
    Section,
    TableBlock,
    TableColumn,
    text_row,
)
from seethrough.report.words import evidence_text, facts, wording
from seethrough.results.report import Report, TableSummary

TITLE = "What was audited"
_COLUMNS_NAMED = 5


def opening(report: Report) -> Iterator[Block]:
    """Open the report with one sentence about what was audited."""
    yield Paragraph(". ".join(_sentences(report)) + ".", "quiet")


def sections(report: Report) -> Iterator[Section]:
    """List the tables that took part, and what scores are compared with."""
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
    listed = TableBlock(TITLE, heads, tuple(text_row(*row) for row in rows))
    control = f"Independent control of the scores: {untrusted.visible(report.independent, 300)}."
    yield Section(TITLE, (listed, Paragraph(control, "quiet")), (), "audited", "Tables", media=DOCUMENTS)


def _sentences(report: Report) -> Iterator[str]:
    made = f"made from {_table(report.real)}"
    outside = f"people outside: {_table(report.holdout)}" if report.holdout else "no people outside were given"
    yield f"{', '.join(_table(table.synthetic) for table in report.tables)}, {made}; {outside}"
    if drawn := facts.attacked_people(report):
        yield drawn
    yield f"{_columns(report)}; seed {report.seed}"
    limits = next((table.evidence.limits for table in report.tables if table.evidence), None)
    if limits is not None:
        yield f"A leak is {evidence_text.short_rules(limits)} ({evidence_text.set_by(limits)})"


def _table(table: TableSummary) -> str:
    return f"{untrusted.name(table.name)} ({wording.count_of(table.rows, 'row')})"


def _columns(report: Report) -> str:
    out = [column for column in report.column_notes if not facts.is_used(column)]
    used = wording.count_of(facts.used_columns(report), "column")
    if not out:
        return used
    named = [f"{untrusted.visible(column.name, 30)} ({column.role})" for column in out[:_COLUMNS_NAMED]]
    more = f" and {len(out) - _COLUMNS_NAMED} more" if len(out) > _COLUMNS_NAMED else ""
    return f"{used}, {len(out)} left out: {', '.join(named)}{more}"
