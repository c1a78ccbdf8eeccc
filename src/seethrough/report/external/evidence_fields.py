"""Which fields of the evidence go out: grades, coarse leaks and classes of people; nothing about single attacks.

Attacks, shares of members and of people outside, p and exact leaks stay inside: which attack shows most and how many
people it recognises follows single people.
"""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial

from seethrough.report.external.coarsening import LEAK_INFLUENCE, Coarsening
from seethrough.report.external.others_words import SIGNS, TOO_FEW, verdict_words
from seethrough.report.external.rules import AS_IS, COUNT_CLASS, NUMBERLESS_TEXTS, Rule, keep_inside
from seethrough.results.evidence import Finding, Grade, GradeLimits, PoolSizes, ReleaseEvidence, ReleaseVerdict
from seethrough.results.evidence_words import worst_finding


def _attack(_: Finding, attack: str | None, __: Coarsening) -> str | None:
    return attack if attack in SIGNS else None


def _lower(finding: Finding, lower: float | None, coarse: Coarsening) -> float | None:
    """Round a leak down; that it reaches the limit of its grade is known from the grade."""
    if lower is None or not finding.grade.is_leak:
        return None
    reached = {Grade.CLEAR: coarse.limits.clear, Grade.SEVERE: coarse.limits.severe}.get(finding.grade, 0.0)
    return max(coarse.at_least(lower, LEAK_INFLUENCE), reached if lower >= reached else 0.0)


def _detectable(finding: Finding, size: float | None, coarse: Coarsening) -> float | None:
    """Say where no leak was found how large one would have been; which attack it is about follows single people."""
    if size is None or finding.grade is not Grade.NO_LEAK_FOUND or coarse.detectable >= 1:
        return None
    return coarse.detectable


_PLAIN: Mapping[type, Mapping[str, Rule]] = {
    Finding: {
        **dict.fromkeys(("family", "grade", "attacks"), AS_IS),
        "attack": Rule("only a sign of real rows", _attack),
        "lower": Rule("rounded down to a step", _lower),
        "detectable": Rule("by the number of people alone", _detectable),
        "cannot_tell": NUMBERLESS_TEXTS,
        "measure": keep_inside(""),
        **dict.fromkeys(("members", "outsiders", "leak", "p", "headline"), keep_inside(None)),
    },
    PoolSizes: dict.fromkeys(("members", "outsiders", "reference"), COUNT_CLASS),
    GradeLimits: dict.fromkeys(("clear", "severe", "set_by"), AS_IS),
}


def evidence_fields(by_type: Rule) -> dict[type, Mapping[str, Rule]]:
    """Name the fields of the evidence; `by_type` sends a value through the rules of its own type."""
    findings = partial(_findings, by_type)
    whole = {
        "verdict": Rule("said again from what goes out", partial(_said_again, findings)),
        "findings": Rule("by the rules of its own type, if people are enough", findings),
        **dict.fromkeys(("sizes", "limits"), by_type),
        **dict.fromkeys(("false_discovery_rate", "permutations", "is_designed"), AS_IS),
        **dict.fromkeys(("attacks", "people", "at_risk", "failed", "warnings"), keep_inside(())),
        **dict.fromkeys(("people_needed", "population_p", "secrets", "epsilon", "listed"), keep_inside(None)),
    }
    return {ReleaseEvidence: whole, **_PLAIN}


def for_people(evidence: ReleaseEvidence, coarse: Coarsening) -> Coarsening:
    """Be as coarse as the smaller group that was compared demands; its class is drawn once for the whole report."""
    people = replace(coarse, path="people").count(min(evidence.sizes.members, evidence.sizes.outsiders))
    return replace(coarse, people=people, limits=evidence.limits)


def _findings(
    by_type: Rule, evidence: ReleaseEvidence, findings: tuple[Finding, ...], coarse: Coarsening
) -> tuple[Finding, ...]:
    """Send the findings out; the verdict is made from the same, so the path is theirs whoever asks."""
    mine = for_people(evidence, replace(coarse, path=coarse.path.rpartition("/")[0]))
    if mine.has_too_few:
        return tuple(Finding(each.family, Grade.CANNOT_TELL, cannot_tell=(TOO_FEW,)) for each in findings)
    return tuple(by_type.apply(evidence, each, mine.under(each.family.value)) for each in findings)


def _said_again(
    findings: partial[tuple[Finding, ...]], evidence: ReleaseEvidence, _: ReleaseVerdict, coarse: Coarsening
) -> ReleaseVerdict:
    seen = findings(evidence, evidence.findings, coarse)
    sentence, decided_by = verdict_words(seen)
    return ReleaseVerdict(worst_finding(seen).grade, sentence, decided_by)
