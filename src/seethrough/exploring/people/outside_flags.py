"""How many of 100 people outside a check would flag: the check on people outside in the place of the real table.

Checks that look at people outside themselves, that need pairs of rows or that take long are not asked; for them the
number is not known.
"""

import numpy as np

from seethrough.auditing.checks.membership_check import MembershipCheck
from seethrough.auditing.explaining import explain_check
from seethrough.bench.bench import Bench
from seethrough.bench.guesses import bench_of_outsiders
from seethrough.bench.person.example import OnePerson
from seethrough.data.release import Part
from seethrough.errors import NotApplicable
from seethrough.exploring.answers.persons import CheckFlag, Person
from seethrough.protocols.check import Check
from seethrough.protocols.parameters import stream_name
from seethrough.results.card import Card, Need
from seethrough.results.explained.worked import Lacking
from seethrough.results.outcome import Failed, Measured, Outcome, Skipped
from seethrough.seeds import stream


def share_outside(check: Check, bench: Bench[Part], found: Measured, seed: int) -> float | None:
    """Give how many of 100 people outside are flagged; None where it cannot be said, or only slowly."""
    card = check.card
    if isinstance(check, MembershipCheck) and card.flagged_from is not None:
        return 100 * (1 - card.flagged_from)  # its risk is the share of people outside who are rated lower
    if card.flagged_from is None or card.slow or {Need.HOLDOUT, Need.ORIGIN} & set(card.needs):
        return None
    outsiders = bench_of_outsiders(bench, stream(seed, "people outside who are flagged"))
    if outsiders is None:
        return None
    settled: Check = found.measurement.settled or check  # type: ignore[assignment]
    try:
        risks = settled.measure(outsiders, stream(seed, stream_name(settled))).per_record
    except NotApplicable:
        return None
    known = risks[~np.isnan(risks)] if risks is not None else np.zeros(0)
    return 100 * float((known >= card.flagged_from).mean()) if len(known) else None


def flag_of(
    check: Check, bench: Bench[Part], outcome: Outcome, person: Person, outside: float | None, seed: int
) -> CheckFlag:
    """Say what one check says of a person."""
    rule = rule_of(check.card)
    if isinstance(outcome, Skipped | Failed):
        reason = outcome.reason if isinstance(outcome, Skipped) else f"it broke: {outcome.error}"
        return CheckFlag(outcome.check, None, None, rule, None, reason)
    risk, reason = _risk(check, bench, outcome, person, seed)
    limit = check.card.flagged_from
    flagged = None if risk is None or limit is None else risk >= limit
    return CheckFlag(outcome.check, risk, flagged, rule, outside, reason)


def _risk(check: Check, bench: Bench[Part], found: Measured, person: Person, seed: int) -> tuple[float | None, str]:
    """Look up the risk of a real row; work a person through who was typed in."""
    risks = found.measurement.per_record
    if risks is None:
        return None, "this check has no number for single people"
    if person.row is not None:
        value = float(risks[person.row])
        return (None, "this person was not among those asked about") if np.isnan(value) else (value, "")
    worked = explain_check(check, bench, found, OnePerson(person.values), seed=seed)
    if isinstance(worked, Lacking):
        return None, worked.reason
    return (worked.result, "") if worked.of == "person" else (None, "this check has no number for single people")


def rule_of(card: Card) -> str:
    """Say in a sentence when a check flags a person."""
    if card.flagged_from is None:
        return "this check flags nobody: its number is about the table"
    return f"flagged from a risk of {card.flagged_from:g} on"
