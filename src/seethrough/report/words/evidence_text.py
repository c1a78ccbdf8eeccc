"""The evidence of a release in the report's words: grades, findings, what they rest on."""

from collections.abc import Iterator
from math import ceil

from seethrough.results.evidence import AttackEvidence, Finding, Grade, GradeLimits, ReleaseEvidence
from seethrough.results.evidence_words import exchangeability_sentence, fact, people, people_at_most
from seethrough.results.provenance import Threshold

LEVEL = 0.05
"""Adjusted p up to which a leak is called found; people who are not the custodian learn no more of a p."""
HEADLINE_RATE = "0.01"
"""The false alarm rate at which the leading attack is summed up."""
_CALLED = {
    Grade.CANNOT_TELL: "cannot tell",
    Grade.NO_LEAK_FOUND: "no leak found",
    Grade.SLIGHT: "slight leak",
    Grade.CLEAR: "clear leak",
    Grade.SEVERE: "severe leak",
}


def grade_name(grade: Grade) -> str:
    """Name a grade in two or three words."""
    return _CALLED[grade]


def p_value(p: float | None) -> str:
    """Write a p; a report for others has none."""
    return "withheld" if p is None else f"{p:.2g}"


def finding_sentence(finding: Finding) -> str:
    """Say what was found in one family; where nothing could be told, why."""
    if finding.grade is Grade.CANNOT_TELL:
        return f"{'; '.join(map(_capital, finding.cannot_tell))}."
    return f"{fact(finding)}."


def finding_detail(finding: Finding) -> str:
    """Say which attack shows most, how sure that is, how large a leak would have been found, and what is not told."""
    if finding.grade is Grade.CANNOT_TELL:
        return f"On what could be compared: {fact(finding)}." if finding.leak else ""
    said = []
    if finding.attack is not None and finding.p is not None:
        said.append(
            f"{finding.attack} shows most of {finding.attacks} attacks" if finding.attacks > 1 else finding.attack
        )
        said.append(f"adjusted p {p_value(finding.p)}")
    if finding.detectable is not None:
        said.append(f"a leak of {people_at_most(finding.detectable)} in 100 would have been found")
    if finding.cannot_tell:
        said.append(f"could not be told: {', '.join(finding.cannot_tell)}")
    return f"{'; '.join(said)}." if said else ""


def finding_brief(finding: Finding) -> str:
    """Say how large a leak would have been found, where none was."""
    if finding.grade is not Grade.NO_LEAK_FOUND or finding.detectable is None:
        return ""
    return f"A leak of {people_at_most(finding.detectable)} in 100 would have been found."


def headline_sentence(attack: AttackEvidence, finding: Finding, attacks: int) -> str:
    """Say what the attack named in advance finds, then which one is strongest and what that was adjusted for."""
    said = f"{attack.label} leads, by a rule made in advance"
    if attack.auc is not None:
        said += f": area {attack.auc.value:.3f} ({attack.auc.low:.3f} to {attack.auc.high:.3f})"
    if found := attack.tpr.get(HEADLINE_RATE):
        said += f"; {people(found.value)} of 100 members are recognised at 1 % false alarms"
    if finding.attack is None or finding.p is None:
        return f"{said}."
    return f"{said}. Strongest: {finding.attack} (p {p_value(finding.p)}, adjusted for {attacks} attacks)."


def people_sentence(evidence: ReleaseEvidence) -> str:
    """Say how many people are listed and how sure the list is; without a list, what it would take."""
    sizes, rate = evidence.sizes, evidence.false_discovery_rate
    if number := evidence.exposed_people:
        if number == 1:
            return "1 member stands out as almost nobody outside does."
        who = f"{number:,} of {sizes.members:,} members stand out as almost nobody outside does"
        return f"{who}, at most {_in(rate)} by chance."
    least = ceil(sizes.members / (rate * (sizes.outsiders + 1)))
    alone = ceil(sizes.members / rate) - 1
    return (
        f"Nobody can be listed with at most {_in(rate)} by chance. With {sizes.outsiders:,} people outside "
        f"a list has at least {least:,} people; to name a single one, {alone:,} people outside are needed."
    )


def _in(rate: float) -> str:
    return "one in ten" if rate == 0.1 else f"one in {round(1 / rate)}"


def small_print(evidence: ReleaseEvidence) -> str:
    """Say what the verdict rests on: sizes, permutations and the limits of grades."""
    sizes = evidence.sizes
    said = [
        f"{sizes.members:,} members and {sizes.outsiders:,} people outside were attacked, {sizes.reference:,} more are "
        "the attacks' reference.",
        exchangeability_sentence(evidence),
    ]
    if evidence.permutations:
        said.append(
            f"p: {evidence.permutations:,} permutations of who is a member, adjusted over {len(evidence.attacks)} "
            'attacks. "Would have been found": with a chance of 80 %.'
        )
    said.append(f"Grades: {', '.join(grade_rules(evidence.limits))} ({set_by(evidence.limits)}).")
    return " ".join(said)


def smallest_print(evidence: ReleaseEvidence, *, explains: bool = True) -> str:
    """Say in a line or two what the verdict rests on, and what "would have been found" means."""
    sizes = evidence.sizes
    tested = f"; {evidence.permutations:,} permutations" if evidence.permutations else ""
    explained = ' "Would have been found": in 8 of 10 audits.' if explains else ""
    return f"{sizes.members:,} members and {sizes.outsiders:,} people outside were attacked{tested}.{explained}"


def short_rules(limits: GradeLimits) -> str:
    """Say from where on a leak is clear, and severe."""
    return f"clear from {people(limits.clear)} and severe from {people(limits.severe)} people in 100"


def set_by(limits: GradeLimits) -> str:
    """Say who set the limits of grades."""
    return "default limits" if limits.set_by == "default" else f"limits set by {limits.set_by}"


def grade_rules(limits: GradeLimits) -> tuple[str, ...]:
    """Say from where on a leak has which grade."""
    return (
        f"slight if adjusted p is at most {100 * LEVEL:.0f} %",
        f"clear if then the lower end is at least {people(limits.clear)} in 100",
        f"severe if it is at least {people(limits.severe)} in 100 or real identifiers are in the release",
    )


def thresholds(limits: GradeLimits) -> tuple[Threshold, ...]:
    """Give the limits of grades for the record."""
    who = "Seethrough" if limits.set_by == "default" else limits.set_by
    return tuple(Threshold(rule, who) for rule in grade_rules(limits))


def remarks(evidence: ReleaseEvidence) -> Iterator[str]:
    """Say what a reader has to know about the comparison, unless a finding has said it."""
    told = {reason for finding in evidence.findings for reason in finding.cannot_tell}
    decides = evidence.verdict.sentence.lower()
    left = [each for each in evidence.warnings if each not in told and each.lower() not in decides]
    yield from (f"{_capital(warning)}." for warning in left)
    yield from (f"Attack failed: {error}" for error in evidence.failed)


def _capital(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}"
