"""What several synthetic tables disclose together."""

from collections.abc import Iterator

from seethrough.report.pictures import score_pictures
from seethrough.report.sections.blocks import (
    DOCUMENTS,
    MARKDOWN,
    PAGE,
    VERBOSE,
    Block,
    Bullets,
    Fact,
    Facts,
    Fold,
    Gallery,
    Paragraph,
    Picture,
    Section,
    Span,
    TableBlock,
    TableColumn,
    text_row,
)
from seethrough.report.words import growth
from seethrough.results.estimate import Growth
from seethrough.results.report import Report


def sections(report: Report) -> Iterator[Section]:
    """Show how attacks gain from more tables, where that was asked for."""
    if not report.growth:
        return
    blocks: list[Block] = [block for found in growth.list_measured(report) for block in _blocks(found)]
    if unmeasured := growth.list_unmeasured(report):
        blocks.append(Bullets(unmeasured))
    yield Section(growth.TITLE, tuple(blocks), (), "growth", growth.TITLE, media=DOCUMENTS | VERBOSE)


def _blocks(found: Growth) -> Iterator[Block]:
    yield Paragraph(growth.sentence(found))
    yield Facts(tuple(Fact(side, said, side) for side, said in growth.keys(found)), "legend", media=DOCUMENTS)
    pictures = (
        Picture(score_pictures.growth_lines(curve), (Span(curve.name, "strong"), " ", curve.said))
        for curve in found.curves
    )
    yield Gallery(tuple(pictures), media=PAGE)
    yield Fold("The same as numbers, with intervals", (_table(found, intervals=True),), media=DOCUMENTS)
    yield Bullets(tuple(f"{curve.name}: {curve.said}" for curve in found.curves), media=MARKDOWN | VERBOSE)
    yield _table(found, intervals=False)


def _table(found: Growth, *, intervals: bool) -> TableBlock:
    names = (TableColumn(curve.name, "text") for curve in found.curves)
    rows = tuple(
        text_row(*row, tone="strong" if row[1] == "release" else "plain")
        for row in growth.rows(found.curves, intervals=intervals)
    )
    heads = (TableColumn("tables"), TableColumn("linked to"), *names)
    return TableBlock(growth.TITLE, heads, rows, media=DOCUMENTS if intervals else VERBOSE)
