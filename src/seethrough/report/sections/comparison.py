"""Several synthetic tables side by side: their order, their differences and all scores."""

from collections.abc import Iterator

from seethrough.report import untrusted
from seethrough.report.pictures import diagnostic_pictures
from seethrough.report.sections.blocks import (
    DOCUMENTS,
    MARKDOWN,
    PAGE,
    TERMINAL,
    Block,
    Bullets,
    Paragraph,
    Picture,
    Section,
    TableBlock,
    TableCell,
    TableColumn,
    TableRow,
    text_row,
)
from seethrough.report.words import comparison, facts, wording
from seethrough.results.report import Report

_RANKING = (
    TableColumn("Table", "text", "text"),
    TableColumn("Place", "number", "number"),
    TableColumn("Mean advantage", "number", "number"),
    TableColumn("Strongest attack", "text", "text"),
    TableColumn("Pairs agree", "number", "number"),
)
_DIFFERENCES = (
    TableColumn("Table", "text", "text"),
    TableColumn("Attack", sort="text"),
    TableColumn("Difference (95% interval)", "number", "number"),
    TableColumn("Interval", sort="text"),
    TableColumn("Reading", sort="text"),
)


def sections(report: Report) -> Iterator[Section]:
    """Compare the tables, where there are several."""
    if len(report.tables) == 1:
        return
    sentences = comparison.describe_comparison(report)
    ranked = comparison.ranking(report)
    blocks: list[Block] = [Bullets(sentences, media=TERMINAL | MARKDOWN)]
    blocks += _ranking(report) if ranked else (Paragraph(sentences[0], media=PAGE),)
    parts = (*(_against(report) if ranked else ()), _side_by_side(report))
    yield Section("Comparison", tuple(blocks), parts, "comparison", "Comparison")


def _ranking(report: Report) -> Iterator[Block]:
    yield Paragraph(f"{comparison.ORDER}.", media=PAGE)
    rows = []
    for each in comparison.ranking(report):
        agree = each.table.exhibits.pair_similarity
        strongest = f"{untrusted.name(each.strongest.check)} {wording.format_fixed(each.strongest.risk.value)}"
        cells = (
            untrusted.name(each.table.synthetic.name),
            str(each.place),
            wording.format_signed(each.mean_advantage),
            strongest,
            "-" if agree is None else wording.format_fixed(agree),
        )
        rows.append(text_row(*cells))
    yield TableBlock("Ranking", _RANKING, tuple(rows), media=DOCUMENTS)


def _against(report: Report) -> Iterator[Section]:
    if spots := diagnostic_pictures.tradeoff(report):
        said = (
            "Up: the mean advantage of attackers. Across: how far pairs of columns agree with the real table. "
            "Lower right is better. Numbers are places in the ranking."
        )
        yield Section("Privacy against utility", (Paragraph(said, media=PAGE), Picture(spots)), media=DOCUMENTS)
    said = (
        "Risk minus the risk on the least exposed table, for each attack. Paired: the same real records are compared "
        "one by one."
    )
    rows = tuple(
        TableRow(
            (
                TableCell(untrusted.name(gap.name)),
                TableCell(untrusted.name(gap.check)),
                TableCell(wording.signed_interval(gap.estimate)),
                TableCell("paired" if gap.paired else "unpaired"),
                TableCell("differs" if gap.is_clear else "may be chance"),
            )
        )
        for gap in comparison.gaps(report)
    )
    table = TableBlock("Differences against the least exposed table", _DIFFERENCES, rows)
    yield Section("Against the least exposed table", (Paragraph(said), table), media=DOCUMENTS)


def _side_by_side(report: Report) -> Section:
    tables = (TableColumn(untrusted.name(table.synthetic.name), "text", "number") for table in report.tables)
    heads = (TableColumn("Check", sort="text"), TableColumn("Evidence", sort="text"), *tables)
    rows = tuple(
        TableRow(
            (TableCell(untrusted.name(check)), TableCell(kind), *(TableCell(score, note=said) for score, said in cells))
        )
        for check, kind, cells in facts.comparison(report)
    )
    return Section("All scores side by side", (TableBlock("All scores side by side", heads, rows),), media=DOCUMENTS)
