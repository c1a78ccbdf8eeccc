"""What is missing for a stronger statement: inputs not given, attacks not run, controls not measured."""

from collections.abc import Iterable, Iterator

from seethrough.report import untrusted
from seethrough.report.words import findings
from seethrough.results.card import Category, Need
from seethrough.results.diagnostics import NOT_KEPT_OUT
from seethrough.results.outcome import Control, Measured, Outcome, Skipped, Unavailable
from seethrough.results.report import Report


def missing(report: Report) -> tuple[str, ...]:
    """Say in sentences what would make the audit say more."""
    return (*_inputs(report), *_attacks(report), *_controls(report))


def _inputs(report: Report) -> Iterator[str]:
    roles = {column.role for column in report.columns}
    if report.holdout is None:
        yield (
            "No holdout was given. Records that the generator never saw would be a better independent control than "
            f"the one used ({untrusted.visible(report.independent, 200)}), and would let the audit compare with "
            f"people who were not in the data{_skipped_for(report, Need.HOLDOUT)}."
        )
    rows = report.holdout.rows if report.holdout else 0
    if larger := [untrusted.name(each.synthetic.name) for each in report.tables if 0 < rows < each.synthetic.rows]:
        yield (
            f"The holdout has fewer rows than {', '.join(larger)}: checks are compared with the holdout on "
            "equally many rows, drawn at random; a larger holdout makes the comparison sharper."
        )
    yield from (f"{untrusted.visible(note, 300)}." for note in report.notes if note.endswith(NOT_KEPT_OUT))
    if "secret" not in roles:
        scored = any(isinstance(each, Measured) and _guesses(each) for each in _outcomes(report))
        tried = "each column was tried as the secret and the worst is shown" if scored else "no guess was scored"
        yield f"No secret column was named, so {tried}{_skipped_for(report, Need.SECRET)}."
    if "key" not in roles and any(_waits_for(outcome, Need.KEYS) for outcome in _outcomes(report)):
        skipped = _skipped_for(report, Need.KEYS)
        yield f"No key columns were named, so the knowledge of the attacker is not defined{skipped}."


def _guesses(outcome: Outcome) -> bool:
    return outcome.card.category is Category.RECONSTRUCTION and findings.is_attack(outcome)


def _attacks(report: Report) -> Iterator[str]:
    measured = (outcome for outcome in _outcomes(report) if isinstance(outcome, Measured))
    attacked = {outcome.card.category for outcome in measured if findings.is_attack(outcome)}
    if without := [category.value for category in Category if category not in attacked]:
        yield f"No attack was measured for {' and '.join(without)}; only similarity is reported there."


def _controls(report: Report) -> Iterator[str]:
    measured = [outcome for outcome in _outcomes(report) if isinstance(outcome, Measured)]
    if names := _names(outcome for outcome in measured if _is_absent(outcome.controls.independent)):
        yield f"The independent control was not measured for {names}: those scores have no lower reference."
    if names := _names(outcome for outcome in measured if _is_absent(outcome.controls.copy)):
        yield f"The copy control was not measured for {names}: those scores have no upper reference."


def _is_absent(control: Control) -> bool:
    return isinstance(control, Unavailable)


def _skipped_for(report: Report, need: Need) -> str:
    names = _names(outcome for outcome in _outcomes(report) if _waits_for(outcome, need))
    return f" (skipped: {names})" if names else ""


def _waits_for(outcome: Outcome, need: Need) -> bool:
    return isinstance(outcome, Skipped) and need in outcome.card.needs


def _outcomes(report: Report) -> Iterator[Outcome]:
    return (outcome for table in report.tables for outcome in table)


def _names(outcomes: Iterable[Outcome]) -> str:
    """List the checks once each, though several tables may have them."""
    return ", ".join(dict.fromkeys(untrusted.name(outcome.check) for outcome in outcomes))
