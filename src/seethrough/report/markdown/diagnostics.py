"""The numbers behind the pictures, as Markdown tables."""

from collections.abc import Callable, Iterator, Sequence

from seethrough.report import untrusted
from seethrough.report.html import pictures
from seethrough.results.report import TableAudit

Escape = Callable[[str], str]
_COLUMNS, _GROUPS = 10, 5


def lines(table: TableAudit, escaped: Escape) -> Iterator[str]:
    """List exposed rows, columns and groups; each begins with a heading of the third order."""
    shown = table.exhibits
    if shown.exposed:
        rows = [
            (f"{each.row:,}", f"{each.risk:.3f}", escaped(", ".join(each.attacks) or "-"), str(len(each.others)))
            for each in shown.exposed
        ]
        yield from _titled("Most exposed real rows", ("row", "mean risk", "flagged by attacks", "by others"), rows)
    if shown.columns:
        marks = pictures.columns(shown.columns)[:_COLUMNS]
        rows = [
            (
                escaped(untrusted.name(mark.label)),
                f"{mark.rate.value:.2f} ({mark.rate.low:.2f} to {mark.rate.high:.2f})",
                f"{mark.other.value:.2f}" if mark.other else "-",
                mark.note,
            )
            for mark in marks
        ]
        yield from _titled("Columns that are easiest to guess", ("column", "real rows", "outside", "lead"), rows)
    yield from _groups(table, escaped)
    if shown.distances:
        yield from ("", "### How near released rows come", "", escaped(pictures.distances(shown.distances).description))


def _groups(table: TableAudit, escaped: Escape) -> Iterator[str]:
    found = pictures.groups(table.exhibits.groups)[:_GROUPS]
    rows = [
        (
            escaped(untrusted.name(column.column)),
            escaped(untrusted.name(mark.label)),
            f"{mark.rate.value:.2f} ({mark.rate.low:.2f} to {mark.rate.high:.2f})",
            f"{mark.rate.n:,}",
        )
        for column in found
        for mark in column.marks
    ]
    if rows:
        by = escaped(untrusted.name(table.exhibits.groups_by))
        yield from _titled(f"Risk by group ({by})", ("column", "group", "risk", "rows"), rows)


def _titled(title: str, head: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    table = [head, ["---"] * len(head), *rows]
    return ["", f"### {title}", "", *(f"| {' | '.join(row)} |" for row in table)]
