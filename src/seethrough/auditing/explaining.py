"""Work a check through on one person, after a run: by its own example, with the controls beside the table's number."""

from dataclasses import replace

import numpy as np

from seethrough.bench.bench import Bench
from seethrough.bench.person.example import Example, OnePerson, say_number
from seethrough.data.release import Part
from seethrough.errors import NotApplicable
from seethrough.protocols.check import Check, Explaining
from seethrough.protocols.parameters import stream_name
from seethrough.results.card import Card
from seethrough.results.estimate import Estimate
from seethrough.results.explained.worked import Lacking, Step, Worked
from seethrough.results.outcome import Failed, Measured, Outcome, Skipped
from seethrough.seeds import stream

NO_EXAMPLE = "this check has no worked example"


def explain_check(
    check: Check, bench: Bench[Part], outcome: Outcome, person: OnePerson, *, seed: int, column: str | None = None
) -> Worked | Lacking:
    """Work a check through on a person of the real table, or one typed in where the check is defined for such a one.

    `bench` has the tables of the run, and `outcome` is what the check found there with `seed`.
    """
    if isinstance(outcome, Skipped | Failed):
        reason = outcome.reason if isinstance(outcome, Skipped) else f"it broke: {outcome.error}"
        return Lacking(outcome.check, reason, looks_at(outcome.card))
    if not isinstance(check, Explaining):
        return Lacking(outcome.check, NO_EXAMPLE, looks_at(outcome.card))
    example = Example(person.table, person.row, outcome.measurement, stream(seed, stream_name(check)), column)
    if example.risk_in_run is not None and np.isnan(example.risk_in_run):
        return Lacking(outcome.check, not_asked(outcome), looks_at(outcome.card))
    try:
        found = check.work_through(bench, example)
    except NotApplicable as reason:
        return Lacking(outcome.check, str(reason), looks_at(outcome.card))
    if isinstance(found, Lacking):
        return replace(found, looks_at=found.looks_at or looks_at(outcome.card))
    return _in_context(found, outcome)


def looks_at(card: Card) -> str:
    """Say what a check would look at for one person."""
    return card.looks_at or f"{card.question} {card.formula}"


def not_asked(outcome: Measured) -> str:
    """Say why a person has no risk by a check that has risks for others."""
    known = outcome.measurement.n
    return f"the run asked about {known:,} people, drawn at random, and this person is not among them"


def _in_context(found: Worked, outcome: Measured) -> Worked:
    """Add a last step: both controls beside the table's number, and whether the person is flagged."""
    told, numbers = [], {}
    for name, said in (("copy", "A copy of the real table scores"), ("independent", "An independent table scores")):
        control = getattr(outcome.controls, name)
        if isinstance(control, Estimate):
            told.append(f"{said} {say_number(control.value)}.")
            numbers[name] = control.value
    limit = outcome.card.flagged_from
    if limit is not None and found.of == "person":
        is_flagged = found.result >= limit
        told.append(f"A person is flagged from {limit:g} on; this one is{'' if is_flagged else ' not'}.")
        numbers["flagged from"] = limit
    return replace(found, steps=(*found.steps, Step(" ".join(told), numbers=numbers))) if told else found
