"""All checks of a synthetic table: a card for each score, and why others have none."""

from collections.abc import Iterator

from seethrough.report import untrusted
from seethrough.report.pictures import score_pictures
from seethrough.report.sections.blocks import (
    PAGE,
    Block,
    Bullets,
    Fold,
    Paragraph,
    Picture,
    Section,
    Span,
    TableBlock,
    TableColumn,
    text_row,
)
from seethrough.report.words import facts, readings, wording
from seethrough.results.card import Category
from seethrough.results.outcome import Measured
from seethrough.results.report import TableAudit

_UNMEASURED = (
    TableColumn("Check", sort="text"),
    TableColumn("Attack", sort="text"),
    TableColumn("Status", sort="text"),
    TableColumn("Why", "text"),
)


def card_anchors(table: TableAudit, number: int) -> dict[str, str]:
    """Give the anchor of each card by the name of its check, for the synthetic table of that number."""
    return {
        outcome.check: f"table-{number}-{category.value}-{place}"
        for category in Category
        for place, outcome in enumerate(_measured(table, category), start=1)
    }


def parts(table: TableAudit, number: int) -> Iterator[Section]:
    """Give the cards, and the checks without a score."""
    anchors = card_anchors(table, number)
    opened = (
        "Each opens to its question, its numbers with those of both controls, and what it cannot tell. Bars count real "
        "records, lines the same records against an independent table. Definitions, formulas and references: ",
        Span("seethrough explain NAME", "code"),
        ". Parameters: report.json.",
    )
    cards: list[Block] = [Paragraph(opened, "quiet")]
    for category in Category:
        if measured := _measured(table, category):
            cards.append(Paragraph(category.value.capitalize(), "label"))
            cards += [_card(outcome, anchors[outcome.check]) for outcome in measured]
    yield Section("All checks", tuple(cards))
    if rows := tuple(text_row(*row) for row in facts.list_unmeasured(table)):
        yield Section("Skipped and failed", (TableBlock("Skipped and failed", _UNMEASURED, rows),))


def _measured(table: TableAudit, category: Category) -> list[Measured]:
    return [outcome for outcome in readings.of_category(table, category) if isinstance(outcome, Measured)]


def _card(outcome: Measured, anchor: str) -> Fold:
    name, risk = untrusted.name(outcome.check), outcome.risk
    kind, score = readings.evidence_label(outcome), wording.format_fixed(risk.value)
    blocks = (Paragraph(outcome.card.question), *_numbers(outcome))
    return Fold(untrusted.name(outcome.card.title), blocks, f"{name} {score}, {kind}", anchor=anchor)


def _numbers(outcome: Measured) -> Iterator[Block]:
    """Give the numbers that the table of scores has no room for, and what the check cannot tell."""
    yield Paragraph("; ".join(f"{label} {said}" for label, said in facts.numbers(outcome)) + ".", "small")
    if warnings := outcome.measurement.warnings:
        yield Bullets(warnings, tone="warning")
    if histogram := score_pictures.histogram(outcome):
        yield Picture(histogram, "Real records by risk", media=PAGE)
    yield Paragraph((Span("What it cannot tell.", "strong"), " ", outcome.card.cannot_tell))
