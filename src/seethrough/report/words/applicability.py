"""Whether a check can tell anything here: conditions with the number that decided, and the page that mends them."""

from collections.abc import Iterator

from seethrough.report.words.position import RiskScale, place
from seethrough.report.words.wording import percent
from seethrough.results.card import Card, Evidence, Need, RestsOn
from seethrough.results.estimate import Estimate
from seethrough.results.explained.conditions import CheckCondition, TableTraits
from seethrough.results.outcome import Failed, Measured, Outcome, Skipped

FEWEST_ROWS = 100
"""Rows of a table below which shares are rough."""
MOST_UNIQUE = 0.5
"""Share of rows that are unique by their numbers alone, above which equality finds nobody."""
MOST_CONTRAST = 0.8
"""Nearest over usual distance, above which nearness tells nothing."""
FILES, COLUMNS, QUESTION, WHAT_IF = "files", "columns", "question", "whatif"


def conditions_of(outcome: Outcome, traits: TableTraits) -> tuple[CheckCondition, ...]:
    """List the conditions of a check, those that fail first."""
    found = [*_needs(outcome, traits), *_result(outcome), _rows(traits), *_basis(outcome.card, traits)]
    return tuple(sorted(found, key=lambda condition: condition.holds))


def _needs(outcome: Outcome, traits: TableTraits) -> Iterator[CheckCondition]:
    card = outcome.card
    if Need.SECRET in card.needs:
        named = ", ".join(traits.secrets)
        said = f"A secret is named: {named}." if named else "No secret is named."
        yield CheckCondition(bool(named), said, "" if named else QUESTION)
    if Need.KEYS in card.needs:
        named = ", ".join(traits.keys)
        said = f"Keys are named: {named}." if named else "No keys are named."
        yield CheckCondition(bool(named), said, "" if named else QUESTION)
    if Need.HOLDOUT in card.needs or card.evidence is Evidence.ATTACK:
        if traits.outside is None:
            why = "what holds for anyone cannot be told from a leak"
            yield CheckCondition(False, f"No people outside were given (a holdout), so that {why}.", FILES)
        else:
            yield CheckCondition(True, f"People outside were given: {traits.outside:,} rows.")
    if Need.ORIGIN in card.needs:
        known = isinstance(outcome, Measured)
        said = "It is said" if known else "It is not said"
        said += " which released row was made from which real record."
        yield CheckCondition(known, said, "" if known else QUESTION)


def _result(outcome: Outcome) -> Iterator[CheckCondition]:
    """State how the run went: skipped, failed, or measured with controls and remarks."""
    match outcome:
        case Skipped(reason=why):
            yield CheckCondition(False, f"It was skipped: {why}.", _mending(why))
        case Failed(error=why):
            yield CheckCondition(False, f"It failed, which is a defect of the check: {why}.")
        case Measured(measurement=found):
            yield _controls(outcome)
            for warning in found.warnings:
                yield CheckCondition(False, f"{warning[:1].upper()}{warning[1:]}.", _mending(warning))


def _controls(outcome: Measured) -> CheckCondition:
    copy, independent = outcome.controls.copy, outcome.controls.independent
    scale = place(outcome).scale
    if not isinstance(copy, Estimate) or not isinstance(independent, Estimate):
        return CheckCondition(False, f"{scale.value[:1].upper()}{scale.value[1:]}.", FILES)
    ends = f"a copy of the real table scores {copy.value:.3f}, an independent table {independent.value:.3f}"
    if scale is RiskScale.SPANNED:
        return CheckCondition(True, f"The controls lie apart: {ends}.")
    what = "coincide" if scale is RiskScale.COINCIDE else "are reversed"
    return CheckCondition(False, f"The controls {what}: {ends}.", COLUMNS)


def _rows(traits: TableTraits) -> CheckCondition:
    enough = min(traits.real, traits.released) >= FEWEST_ROWS
    said = f"There are {traits.real:,} real and {traits.released:,} released rows"
    end = "." if enough else f"; below {FEWEST_ROWS} shares are rough."
    return CheckCondition(enough, said + end, "" if enough else FILES)


def _basis(card: Card, traits: TableTraits) -> Iterator[CheckCondition]:
    """State whether what a check rests on, equal rows or near ones, tells people apart in these tables."""
    unique, contrast = traits.unique_by_numbers, traits.contrast
    if card.rests_on is RestsOn.EQUALITY and unique is not None:
        possible = unique <= MOST_UNIQUE
        said = f"{percent(unique)} of real rows are unique by their numbers alone"
        end = "." if possible else ", so that hardly any row can be equal to another."
        yield CheckCondition(possible, said + end, "" if possible else COLUMNS)
    if card.rests_on is RestsOn.DISTANCE and contrast is not None:
        tells = contrast <= MOST_CONTRAST
        said = f"The nearest released row is {contrast:.2f} times as far as any released row (medians)"
        end = "." if tells else ", so that all rows are about equally far and nearness tells little."
        yield CheckCondition(tells, said + end, "" if tells else WHAT_IF)


def _mending(reason: str) -> str:
    """Pick the page that can change what a reason speaks of."""
    for words, page in (
        (("holdout", "outside", "kept out"), FILES),
        (("secret", "keys", "made from which", "threshold"), QUESTION),
        (("column", "constant", "cells"), COLUMNS),
        (("rows", "records"), FILES),
    ):
        if any(word in reason for word in words):
            return page
    return ""
