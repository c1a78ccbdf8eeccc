"""How like the real table a release is: distances of its rows, and fidelity of its columns."""

from collections.abc import Iterator, Sequence

from seethrough.report import untrusted
from seethrough.report.pictures import column_pictures, diagnostic_pictures
from seethrough.report.pictures.column_pictures import ColumnSpread
from seethrough.report.pictures.diagnostic_pictures import Bar, PictureGrid
from seethrough.report.sections.blocks import (
    DOCUMENTS,
    PAGE,
    Block,
    Fact,
    Facts,
    Fold,
    Gallery,
    Paragraph,
    Picture,
    Section,
    Span,
    TableBlock,
    TableCell,
    TableColumn,
    TableRow,
)
from seethrough.report.words import wording
from seethrough.results.report import TableAudit

FIDELITY = "Fidelity at a glance"
_RELEASED = Fact("Release", "share of released rows", "released")
_OUTSIDE = Fact("People outside", "share of rows of the holdout", "outside")
_REAL = Fact("Real table", "share of real rows", "real")
_HEADS = (
    TableColumn("Column", "text", "text"),
    TableColumn("total variation", "picture", scale="largest"),
    TableColumn("Release", "number", "number"),
    TableColumn("People outside", "number", "number"),
)


def parts(table: TableAudit) -> Iterator[Section]:
    """Show distances and fidelity, where they were measured."""
    shown = table.exhibits
    has_outside = any(column.outside is not None for column in shown.columns)
    if shown.distances:
        other = "person outside" if has_outside else "row of permuted columns"
        said = (
            f"Distance of each released row (bars) and of each {other} (line) to the nearest real row. Rows equal to a "
            "real one stand apart at the left. Bars above the line there or near 0 are rows closer than chance."
        )
        if not has_outside:
            said += " Without a holdout the line shows permuted columns, which lie further off than people would."
        picture = Picture(diagnostic_pictures.distances(shown.distances), explained=True)
        yield Section("How close released rows come", (Paragraph(said, media=PAGE), picture))
    if shown.marginals:
        yield Section(FIDELITY, tuple(_fidelity(table, has_outside)))


def _fidelity(table: TableAudit, has_outside: bool) -> Iterator[Block]:
    shown = table.exhibits
    said = "Total variation distance from the real table: 0 is equal shares, 1 nothing in common."
    if has_outside:
        said += " The stroke marks people outside: a distance below it is as good as a sample of the population."
    if shown.pair_similarity is not None:
        said += f" On average, pairs of columns agree to {100 * shown.pair_similarity:.1f}%."
    yield Paragraph(said)
    bars = diagnostic_pictures.marginals(shown)
    listed = TableBlock("Fidelity of single columns", _HEADS, tuple(map(_row, bars)))
    yield Fold("Single columns", (listed,), media=DOCUMENTS)
    if spreads := tuple(column_pictures.column_spreads(shown)):
        yield Fold("Distributions of columns", tuple(_spreads(spreads, len(shown.distributions))), media=PAGE)
    if pairs := diagnostic_pictures.pairs(shown):
        yield Fold("Pairs of columns", tuple(_grids(pairs)))


def _grids(pairs: Sequence[PictureGrid]) -> Iterator[Block]:
    if len(pairs) == 1:
        yield Picture(pairs[0], explained=True)
        return
    whose = (_RELEASED.label, _OUTSIDE.label)
    yield Gallery(
        tuple(Picture(each, (Span(name, "strong"), each.description)) for name, each in zip(whose, pairs, strict=True))
    )


def _spreads(spreads: Sequence[ColumnSpread], columns: int) -> Iterator[Block]:
    outside = (_OUTSIDE,) if spreads[0].outside else ()
    yield Facts((_RELEASED, *outside, _REAL), "legend")
    yield Gallery(tuple(Picture(spread, (Span(spread.title, "strong"),)) for spread in spreads))
    if columns > len(spreads):
        yield Paragraph(f"The {len(spreads)} of {columns} columns that differ most; report.json has all.", "quiet")


def _row(bar: Bar) -> TableRow:
    return TableRow(
        (
            TableCell(untrusted.name(bar.label)),
            TableCell(figure=bar),
            TableCell(wording.format_fixed(bar.value)),
            TableCell("-" if bar.other is None else wording.format_fixed(bar.other)),
        )
    )
