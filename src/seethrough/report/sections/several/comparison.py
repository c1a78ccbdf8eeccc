"""Several releases of one real table: their order by leak, which of them differ, and all scores side by side."""

from collections.abc import Iterator

from seethrough.report import untrusted
from seethrough.report.pictures import diagnostic_pictures
from seethrough.report.sections.blocks import (
    DOCUMENTS,
    PAGE,
    SUMMARY,
    VERBOSE,
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
from seethrough.results.comparison import ReleaseComparison, ReleaseDifference
from seethrough.results.evidence_words import people, with_ends
from seethrough.results.report import Report

_RANKING = (
    TableColumn("Release", "text", "text"),
    TableColumn("Place", "number", "number"),
    TableColumn("Leak", "text", "text"),
    TableColumn("Shown by", "text", "text"),
    TableColumn("Pairs agree", "number", "number"),
)
_DIFFERENCES = (
    TableColumn("Releases", "text", "text"),
    TableColumn("Attack", "text", "text"),
    TableColumn("First", "number", "number"),
    TableColumn("Second", "number", "number"),
    TableColumn("Difference (interval)", "number", "number"),
    TableColumn("Adjusted p", "number", "number"),
    TableColumn("Reading", sort="text"),
)
_MOST_LISTED = 60
"""Differences that are listed, the surest first; all are in report.json."""


def sections(report: Report) -> Iterator[Section]:
    """Compare the releases, where there are several."""
    if len(report.tables) == 1:
        return
    found, sentences = report.comparison, comparison.describe_comparison(report)
    blocks: list[Block] = [Bullets(sentences, media=DOCUMENTS | VERBOSE)] if sentences else []
    if brief := comparison.brief_comparison(report):
        blocks.append(Paragraph(brief, media=SUMMARY))
    parts: list[Section] = []
    if found is not None and any(each.place is not None for each in found.ranking):
        blocks.append(_ranking(report, found))
        parts += _tradeoff(report)
    if found is not None and found.differences:
        parts.append(_differences(found))
    yield Section(
        "Comparison", tuple(blocks), (*parts, _side_by_side(report)), "comparison", "Comparison", is_open=True
    )


def _ranking(report: Report, found: ReleaseComparison) -> Block:
    rows = []
    for each in found.ranking:
        agree = report.tables[each.number - 1].exhibits.pair_similarity
        cells = (
            comparison.release_name(found, each.number),
            "-" if each.place is None else str(each.place),
            comparison.leak_found(each),
            "-" if each.attack is None else untrusted.name(each.attack),
            "-" if agree is None else wording.format_fixed(agree),
        )
        rows.append(text_row(*cells))
    return TableBlock("Ranking", _RANKING, tuple(rows), media=DOCUMENTS)


def _tradeoff(report: Report) -> Iterator[Section]:
    if spots := diagnostic_pictures.tradeoff(report):
        said = (
            "Up: the lower end of the leak, in members out of 100. Across: how far pairs of columns agree with the "
            "real table. Lower right is better. Numbers are those of the releases, in the order given."
        )
        yield Section("Privacy against utility", (Paragraph(said, media=PAGE), Picture(spots)), media=DOCUMENTS)


def _differences(found: ReleaseComparison) -> Section:
    surest = sorted(found.differences, key=lambda each: (each.p, -abs(each.difference.value)))
    of_family: dict[tuple[int, int, str], ReleaseDifference] = {}
    for each in surest:
        of_family.setdefault((each.first, each.second, each.family.value), each)
    rows = tuple(_row(found, each) for each in list(of_family.values())[:_MOST_LISTED])
    counts = f"{wording.count(found.members)} members and {wording.count(found.outsiders)} people outside"
    said = (
        f"{comparison.HOW} Compared on {counts}. For each pair the surest attack of each family is listed, with the "
        f"leaks out of 100; all {wording.count(len(surest))} differences are in report.json."
    )
    table = TableBlock("Differences between releases", _DIFFERENCES, rows)
    return Section("Which releases differ", (Paragraph(said), table), media=DOCUMENTS)


def _row(found: ReleaseComparison, each: ReleaseDifference) -> TableRow:
    names = (comparison.release_name(found, number) for number in (each.first, each.second))
    return TableRow(
        (
            TableCell(" against ".join(names)),
            TableCell(untrusted.name(each.attack), note=untrusted.visible(each.measure, 120)),
            TableCell(people(each.first_leak)),
            TableCell(people(each.second_leak)),
            TableCell(with_ends(each.difference)),
            TableCell(f"{each.p:.2g}"),
            TableCell(comparison.reading(each)),
        )
    )


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
