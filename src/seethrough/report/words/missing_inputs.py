"""What was not tested: what inputs were missing for, and what no audit tests."""

from collections.abc import Iterator

from seethrough.report import untrusted
from seethrough.results.card import Need
from seethrough.results.diagnostics import NOT_KEPT_OUT
from seethrough.results.outcome import Outcome, Skipped
from seethrough.results.report import Report

OTHER_ATTACKS = "Other attacks, and attackers who hold other files about the same people."


def missing(report: Report) -> tuple[str, ...]:
    """Say in sentences what was not tested."""
    return (*_inputs(report), OTHER_ATTACKS)


def _inputs(report: Report) -> Iterator[str]:
    roles = {column.role for column in report.column_notes}
    yield from (f"{untrusted.visible(note, 300)}." for note in report.notes if note.endswith(NOT_KEPT_OUT))
    if "secret" not in roles:
        skipped = _skipped_for(report, Need.SECRET)
        yield f"A secret column: none was named (--secret), so each column was tried as the secret{skipped}."
    if "key" not in roles and any(_waits_for(outcome, Need.KEYS) for outcome in _outcomes(report)):
        skipped = _skipped_for(report, Need.KEYS)
        yield f"Attackers who know certain columns: no keys were named (--keys){skipped}."


def _skipped_for(report: Report, need: Need) -> str:
    waiting = (untrusted.name(outcome.check) for outcome in _outcomes(report) if _waits_for(outcome, need))
    names = ", ".join(dict.fromkeys(waiting))
    return f" (skipped: {names})" if names else ""


def _waits_for(outcome: Outcome, need: Need) -> bool:
    return isinstance(outcome, Skipped) and need in outcome.card.needs


def _outcomes(report: Report) -> Iterator[Outcome]:
    return (outcome for table in report.tables for outcome in table)
