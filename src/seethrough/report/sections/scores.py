"""Every score between its controls, on one line each."""

from collections.abc import Iterator

from seethrough.report import untrusted
from seethrough.report.pictures import score_pictures
from seethrough.report.sections.blocks import (
    DOCUMENTS,
    MARKDOWN,
    PAGE,
    TERMINAL,
    VERBOSE,
    Block,
    Fact,
    Facts,
    Fold,
    OptionSwitch,
    Paragraph,
    Picture,
    Section,
    TableBlock,
    TableCell,
    TableColumn,
    TableRow,
)
from seethrough.report.sections.exposure.checks import card_anchors
from seethrough.report.words import facts, position, readings, wording
from seethrough.results.card import Evidence
from seethrough.results.estimate import Estimate
from seethrough.results.outcome import Failed, Measured, Outcome, Skipped
from seethrough.results.report import Report, TableAudit

TITLE = "Scores between their controls"
SAID = (
    "For information only: each score lies between the same check on an independent table and on a copy of the real "
    "one; no verdict rests on it."
)
_LETTERS = {Evidence.ATTACK: "A", Evidence.SIMILARITY: "s", Evidence.FIDELITY: "f"}
_MARKS = {"score": "value", "base rate": "base-rate", **{mark: mark for mark in ("interval", "independent", "copy")}}
_EXAMPLE = score_pictures.RiskStrip(
    title="How to read a strip",
    description="An example: a score of 0.46 between an independent table at 0.12 and a copy at 0.94, base rate 0.25.",
    risk=Estimate(0.46, 0.39, 0.53),
    independent=Estimate(0.12, 0.08, 0.16),
    copy=Estimate(0.94, 0.91, 0.97),
    base_rate=0.25,
)
_MAGNIFIED = Fact(
    "broken line",
    "controls that lie close together: the scale is magnified, and its ends are written below",
    "magnified",
)
_OPTIONS = (("risk", "risk, 0 to 1"), ("raw", "raw value"), ("both", "both"))
_COLUMNS = (
    TableColumn("", media=TERMINAL),
    TableColumn("check", sort="text"),
    TableColumn("risk", "picture", scale="1", media=PAGE | TERMINAL),
    TableColumn("risk [interval]", "number", media=TERMINAL),
    TableColumn("risk", "number", "number", "risk", media=DOCUMENTS),
    TableColumn("interval", "number", "number", "risk", media=DOCUMENTS),
    TableColumn("raw value", "number", "number", "raw", media=DOCUMENTS),
    TableColumn("n", "number", media=TERMINAL),
    TableColumn("reading", "text", "number"),
)


def sections(report: Report) -> Iterator[Section]:
    """List the scores of every synthetic table, attacks first."""
    several = len(report.tables) > 1
    tables: list[Block] = []
    for number, table in enumerate(report.tables, start=1):
        if several:
            tables.append(Paragraph(untrusted.name(table.synthetic.name), "label"))
        tables += _blocks(table, number)
    switch = OptionSwitch("Numbers to show", _OPTIONS, tuple(tables), media=DOCUMENTS | VERBOSE)
    said = Paragraph(SAID, media=DOCUMENTS | VERBOSE)
    gist = f"{wording.count_of(count_scores(report), 'score')}, for information"
    yield Section(TITLE, (said, *_legend(), switch), (), "scores", "Scores", gist)


def count_scores(report: Report) -> int:
    """Count the scores of the table that has most."""
    return max(sum(isinstance(outcome, Measured) for outcome in table) for table in report.tables)


def _legend() -> Iterator[Block]:
    explained = tuple(Fact(term, said, _MARKS.get(term, "")) for term, said in facts.HOW_TO_READ)
    legends = (Facts((*explained, _MAGNIFIED), "legend", media=PAGE), Facts(explained, "legend", media=MARKDOWN))
    inner = (Picture(_EXAMPLE, media=PAGE), *legends)
    yield Fold("How to read the scale", inner, media=DOCUMENTS)


def _blocks(table: TableAudit, number: int) -> Iterator[Block]:
    kinds = list(Evidence)
    measured = [outcome for outcome in table if isinstance(outcome, Measured)]
    measured.sort(key=lambda outcome: kinds.index(outcome.card.evidence))
    anchors = card_anchors(table, number)
    if measured:
        label = f"{TITLE}: {untrusted.name(table.synthetic.name)}"
        yield TableBlock(label, _COLUMNS, tuple(_row(outcome, anchors[outcome.check]) for outcome in measured))
        yield Paragraph("A attack; s similarity; f fidelity", "quiet", media=TERMINAL)
    if remarks := tuple(remark for outcome in table for remark in _remarks(outcome)):
        yield Facts(remarks, media=TERMINAL)


def _row(outcome: Measured, anchor: str) -> TableRow:
    risk, share = outcome.risk, position.place(outcome).share
    value, low, high = map(wording.format_fixed, (risk.value, risk.low, risk.high))
    cells = (
        TableCell(_LETTERS[outcome.card.evidence]),
        TableCell(untrusted.name(outcome.check), link=anchor, note=readings.evidence_label(outcome)),
        TableCell(figure=score_pictures.strip(outcome)),
        TableCell(f"{value} [{low}, {high}]"),
        TableCell(value),
        TableCell(wording.span(risk), key=low),
        TableCell(facts.raw_number(outcome)),
        TableCell(wording.short_count(outcome.measurement.n)),
        TableCell(
            readings.short_reading(outcome),
            key="" if share is None else wording.format_fixed(share),
            brief=readings.brief_reading(outcome),
        ),
    )
    return TableRow(cells, "strong" if readings.is_attack(outcome) else "plain")


def _remarks(outcome: Outcome) -> Iterator[Fact]:
    name = untrusted.name(outcome.check)
    match outcome:
        case Measured(measurement=found):
            yield from (Fact(name, f"warning: {untrusted.visible(warning, 300)}") for warning in found.warnings)
        case Skipped(reason=reason):
            yield Fact(name, f"skipped: {untrusted.visible(reason, 300)}")
        case Failed(error=error):
            yield Fact(name, f"failed: {untrusted.visible(error, 300)}")
