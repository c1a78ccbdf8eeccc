"""Scores in words: where each lies between its controls. They describe; no verdict rests on them."""

from seethrough.report.words import wording
from seethrough.report.words.position import Place, RiskScale, place
from seethrough.results.card import Category, Evidence
from seethrough.results.outcome import Measured, Outcome, Unavailable
from seethrough.results.report import TableAudit

FOR_INFORMATION = "This is for information; it cannot support a verdict."
_SHORT = {
    RiskScale.COINCIDE: "controls coincide",
    RiskScale.REVERSED: "controls reversed",
    RiskScale.NO_INDEPENDENT: "no independent control",
    RiskScale.NO_COPY: "no copy control",
}
_BRIEF = _SHORT | {RiskScale.NO_INDEPENDENT: "no lower control"}
"""At most eighteen characters, for narrow terminals."""


def of_category(table: TableAudit, category: Category) -> tuple[Outcome, ...]:
    """Pick the outcomes about one question: attacks first, then similarity, then fidelity."""
    chosen = (outcome for outcome in table if outcome.card.category is category)
    return tuple(sorted(chosen, key=lambda outcome: list(Evidence).index(outcome.card.evidence)))


def is_attack(outcome: Outcome) -> bool:
    """Tell checks that run an attack from metrics of similarity and fidelity."""
    return outcome.card.evidence is Evidence.ATTACK


def evidence_label(outcome: Outcome) -> str:
    """Name the kind of check in a word."""
    return outcome.card.evidence.value


def short_reading(outcome: Measured) -> str:
    """Say in a few words where the score lies."""
    found = place(outcome)
    return _SHORT[found.scale] if found.share is None else _describe_share(found.share, "the way to a copy")


def brief_reading(outcome: Measured) -> str:
    """Say it in at most eighteen characters, for narrow terminals."""
    found = place(outcome)
    return _BRIEF[found.scale] if found.share is None else _describe_share(found.share, "to copy")


def _describe_share(share: float, end: str) -> str:
    if share < 0:
        return "below independent"
    if share > 1:
        return "beyond a copy"
    of = "" if end == "to copy" else " of"
    return f"{wording.percent(share)}{of} {end}"


def reading(outcome: Measured) -> str:
    """Say in full where the score lies, as two sentences."""
    score = wording.with_interval(outcome.risk)
    return f"Score {score}{_describe_way(outcome, place(outcome))}. {FOR_INFORMATION}"


def _describe_way(outcome: Measured, found: Place) -> str:
    independent, copy = outcome.controls.independent, outcome.controls.copy
    if found.share is None or isinstance(independent, Unavailable) or isinstance(copy, Unavailable):
        return f"; its position is undefined: {found.scale.value}"
    low, high = wording.format_fixed(independent.value), wording.format_fixed(copy.value)
    if found.share < 0:
        return f", below the independent control ({low}); a copy scores {high}"
    if found.share > 1:
        return f", beyond a copy ({high}); the independent control scores {low}"
    return f", {wording.percent(found.share)} of the way from the independent control ({low}) to a copy ({high})"
