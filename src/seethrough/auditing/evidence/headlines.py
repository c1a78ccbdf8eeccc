"""Which attack leads a family, by rules made before anybody looked, and which attacks point the wrong way."""

from collections.abc import Sequence
from dataclasses import replace

from seethrough.auditing.evidence.battery import SUPERVISED, AttackAnswers
from seethrough.auditing.evidence.significance import Significance
from seethrough.results.evidence import AttackEvidence, Finding, LeakFamily

HEADLINES = {LeakFamily.MEMBERSHIP: "log-ratio", LeakFamily.IDENTITY: "match-rare"}
"""Attacks that lead a family and that single people are rated by, named in advance: none is picked for its result."""
ENOUGH_TO_LEARN = 1000
"""Members, and people outside, from which on the supervised attack leads its family."""
WRONG_WAY = -4.0
"""A standardised statistic below which a rating finds people outside and not members."""


def headline_of(family: LeakFamily, attacks: Sequence[AttackEvidence]) -> str | None:
    """Name the attack that leads a family; None where it was not run."""
    for attack in attacks:
        enough = min(attack.n_members, attack.n_outsiders) >= ENOUGH_TO_LEARN
        if attack.name == SUPERVISED and family in attack.families and enough:
            return attack.label
    named = HEADLINES.get(family)
    return named if any(attack.label == named for attack in attacks) else None


def name_headlines(findings: Sequence[Finding], attacks: Sequence[AttackEvidence]) -> tuple[Finding, ...]:
    """Say in each finding which attack leads its family."""
    return tuple(replace(finding, headline=headline_of(finding.family, attacks)) for finding in findings)


def turned_round(answers: Sequence[AttackAnswers], significance: Significance) -> tuple[str, ...]:
    """Warn where ratings put people outside above members, which is no leak and yet does not happen by chance."""
    z = {answer.label: significance.weakness(number) for number, answer in enumerate(answers) if answer.secret is None}
    found = {label: value for label, value in z.items() if value < WRONG_WAY}
    if not found:
        return ()
    worst = min(found, key=lambda label: found[label])
    others = f" and {len(found) - 1} more ratings put" if len(found) > 1 else " puts"
    return (
        f"{worst}{others} people outside above members, far beyond chance (z {found[worst]:.1f}): they may be another "
        "population, or near copies of members were removed from the release",
    )
