"""Evidence in words, in people out of 100: what the verdict says, and the report in every form."""

from collections.abc import Sequence
from math import ceil, floor

from seethrough.results.estimate import Estimate
from seethrough.results.evidence import AttackEvidence, EpsilonBound, Finding, Grade, LeakFamily, ReleaseEvidence

IN_PAIRS = "are rated above the other of a random pair"
"""The measure of a rating that is graded by its ranks: members and people outside are shares of pairs."""
AT_RATE = "are found at a false alarm rate of"
"""Begins the measure of a rating that is graded at one rate, which is the share of people outside."""
NAMES = {
    LeakFamily.MEMBERSHIP: "Membership",
    LeakFamily.ATTRIBUTE: "Attribute inference",
    LeakFamily.IDENTITY: "Re-identification",
}
QUESTIONS = {
    LeakFamily.MEMBERSHIP: "who was in the data",
    LeakFamily.ATTRIBUTE: "what their secrets are",
    LeakFamily.IDENTITY: "which row is whom",
}


def worst_finding(findings: Sequence[Finding]) -> Finding:
    """Find the finding that decides; what could not be told never improves the verdict."""
    return max(findings, key=lambda finding: (finding.grade, finding.lower or 0.0))


def verdict_sentence(findings: Sequence[Finding], worst: Finding) -> str:
    """Say what decides the verdict, the deciding fact first; `worst` is the finding that decides."""
    if worst.grade.is_leak:
        return f"{fact(worst)}; attack: {worst.attack}."
    if worst.grade is Grade.NO_LEAK_FOUND:
        return _no_leak(findings)
    reasons = "; ".join(dict.fromkeys(reason for finding in findings for reason in finding.cannot_tell))
    return f"{reasons[:1].upper()}{reasons[1:]}."


def _no_leak(findings: Sequence[Finding]) -> str:
    """Say that nothing was found, how large a leak would have been, and what was not tested."""
    told = [finding for finding in findings if finding.grade is not Grade.CANNOT_TELL]
    sizes = [finding.detectable for finding in told if finding.detectable is not None]
    untested = [QUESTIONS[finding.family] for finding in findings if finding.grade is Grade.CANNOT_TELL]
    found = "No attack distinguishes members from people who were not in the data."
    size = f" {detectable(max(sizes))}" if sizes else ""
    beyond = f" Could not be tested: {', '.join(untested)}." if untested else ""
    return f"{found}{size}{beyond}"


def detectable(size: float) -> str:
    """Say how large a leak would have been found."""
    return f"A leak of {people_at_most(size)} in 100 people would have been found with a chance of 80 %."


def people(share: float, *, fine: bool = False) -> str:
    """Write a share as people out of 100, a small number with one digit; a rounded zero is never negative.

    `fine` gives the digit to large numbers too, where their small difference stands beside them.
    """
    number = round(100 * share, 6)
    digits = 0 if (abs(number) >= 9.95 and not fine) or number == round(number) else 1
    return f"{round(number, digits) + 0.0:.{digits}f}"


def both(found: Finding | AttackEvidence) -> tuple[str, str]:
    """Write members and people outside so that their difference can be seen."""
    assert found.members is not None
    assert found.outsiders is not None
    is_small = abs(found.members - found.outsiders) < 0.0995
    return people(found.members, fine=is_small), people(found.outsiders, fine=is_small)


def people_at_most(share: float) -> str:
    """Write a share as people out of 100, rounded up to one digit, so that no more is promised than holds."""
    return people(ceil(1000 * share - 1e-9) / 1000)


def with_ends(leak: Estimate) -> str:
    """Write a leak in people out of 100, with its interval."""
    return f"{people(leak.value)} ({people(leak.low)} to {people(leak.high)})"


def rate_of(share: float) -> str:
    """Write a false alarm rate as people: 10 in 100, 1 in 3,751."""
    if share <= 0:
        return "fewer than 1 in 100"
    return f"{people(share)} in 100" if share >= 0.01 else f"1 in {round(1 / share):,}"


def fact(found: Finding | AttackEvidence) -> str:
    """Say how members fare beside people outside, in one sentence without its full stop."""
    if found.members is None or found.outsiders is None or found.leak is None:
        return found.measure
    (members, outsiders), more = both(found), _more(found.leak)
    if found.measure == IN_PAIRS:
        return (
            f"In {members} of 100 pairs of a member and a person outside the member is rated higher; "
            "chance would give 50"
        )
    if found.measure.startswith(AT_RATE):
        alarms = rate_of(found.outsiders)
        return f"{members} of 100 members are recognised with false alarms for {alarms} people outside: {more}"
    return f"{members} of 100 members {found.measure}, against {outsiders} of 100 people outside: {more}"


def _more(leak: Estimate) -> str:
    if leak.low > 0:
        return f"{with_ends(leak)} more"
    return f"a difference of {with_ends(leak)}"


def exchangeability_sentence(evidence: ReleaseEvidence) -> str:
    """Say why members and people outside may be compared: by the coins of a split, or by assumption."""
    if evidence.is_designed:
        return (
            "Members and people outside are exchangeable by design: coins decided who is a member (seethrough split)."
        )
    return "That members and people outside come from one population is assumed."


def epsilon_sentence(bound: EpsilonBound) -> str:
    """Say what one release shows of its epsilon, and how much it could have shown."""
    most = f"an audit set of {bound.people:,} can show at most {_at_least(bound.ceiling)}"
    sure = f"{100 * bound.confidence:.0f} % confidence"
    if bound.low <= 0:
        return f"No epsilon above 0 is shown ({sure}, {bound.attack}); {most}."
    return (
        f"Epsilon is at least {_at_least(bound.low)} ({sure}, delta 0): {bound.right:,} of the {bound.named:,} people "
        f"rated highest by {bound.attack} were in the data; {most}."
    )


def _at_least(bound: float) -> str:
    """Write a lower bound with two digits, rounded down, so that no more is claimed than holds."""
    return f"{floor(100 * bound + 1e-9) / 100:.2f}"
