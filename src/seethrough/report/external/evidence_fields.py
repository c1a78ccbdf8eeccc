"""Which fields of the evidence go out: grades, and shares in whole people out of 100; nothing about single people."""

from collections.abc import Mapping
from functools import partial
from math import ceil, floor

from seethrough.report.external.rules import AS_IS, COARSE_COUNT, SIGN_KEPT, TWO_DIGITS, Rule, coarse_text, keep_inside
from seethrough.results.evidence import (
    AttackEvidence,
    EpsilonBound,
    Finding,
    GradeLimits,
    PoolSizes,
    ReleaseEvidence,
    ReleaseVerdict,
)
from seethrough.results.evidence_words import AT_RATE, verdict_sentence, worst_finding

LEVEL = 0.05
SMALLEST_RATE = 0.01


def _coarse_p(_: object, p: float | None) -> float | None:
    return None if p is None else LEVEL if p <= LEVEL else 1.0


def _up(_: object, share: float | None) -> float | None:
    return None if share is None else ceil(100 * share) / 100


def _down(_: object, share: float | None) -> float | None:
    return None if share is None else floor(100 * share) / 100


def _measure(found: Finding | AttackEvidence, measure: str) -> str:
    """Keep the smallest rate inside: it says how many people outside there are."""
    tiny = measure.startswith(AT_RATE) and found.outsiders is not None and found.outsiders < SMALLEST_RATE
    return f"{AT_RATE} less than {SMALLEST_RATE}" if tiny else measure


COARSE_P = Rule("at most 5 % or above", _coarse_p)
ROUNDED_UP = Rule("rounded up to whole people in 100", _up)
ROUNDED_DOWN = Rule("rounded down to whole people in 100", _down)
COARSE_MEASURE = Rule("without the smallest rate", _measure)
COARSE_TEXTS = Rule("sentences with rounded numbers", lambda _, texts: tuple(map(coarse_text, texts)))


_PLAIN: Mapping[type, Mapping[str, Rule]] = {
    Finding: {
        **dict.fromkeys(("family", "grade", "attack", "attacks", "headline"), AS_IS),
        **dict.fromkeys(("members", "outsiders"), TWO_DIGITS),
        "measure": COARSE_MEASURE,
        "leak": SIGN_KEPT,
        "lower": ROUNDED_DOWN,
        "p": COARSE_P,
        "detectable": ROUNDED_UP,
        "cannot_tell": COARSE_TEXTS,
    },
    AttackEvidence: {
        **dict.fromkeys(("name", "families", "secret"), AS_IS),
        **dict.fromkeys(("members", "outsiders"), TWO_DIGITS),
        **dict.fromkeys(("p", "p_adjusted"), COARSE_P),
        **dict.fromkeys(("n_members", "n_outsiders"), COARSE_COUNT),
        "measure": COARSE_MEASURE,
        "leak": SIGN_KEPT,
        "lower": ROUNDED_DOWN,
        "detectable": ROUNDED_UP,
        "auc": keep_inside(None),
        "tpr": keep_inside({}),
        "seconds": keep_inside(0.0),
        "notes": keep_inside(()),
    },
    EpsilonBound: {
        **dict.fromkeys(("low", "ceiling"), ROUNDED_DOWN),
        **dict.fromkeys(("named", "right", "people"), COARSE_COUNT),
        **dict.fromkeys(("confidence", "attack"), AS_IS),
        "grid": keep_inside(()),
    },
    PoolSizes: dict.fromkeys(("members", "outsiders", "reference"), COARSE_COUNT),
    GradeLimits: dict.fromkeys(("clear", "severe", "set_by"), AS_IS),
}


def evidence_fields(by_type: Rule) -> dict[type, Mapping[str, Rule]]:
    """Name the fields of the evidence; `by_type` sends a value through the rules of its own type."""
    whole = {
        "verdict": Rule("said again with rounded numbers", partial(_said_again, by_type)),
        **dict.fromkeys(("findings", "attacks", "sizes", "limits", "epsilon"), by_type),
        **dict.fromkeys(("false_discovery_rate", "permutations", "is_designed"), AS_IS),
        **dict.fromkeys(("people", "at_risk", "failed"), keep_inside(())),
        **dict.fromkeys(("people_needed", "population_p", "secrets"), keep_inside(None)),
        "warnings": COARSE_TEXTS,
    }
    return {ReleaseEvidence: whole, **_PLAIN}


def _said_again(by_type: Rule, evidence: ReleaseEvidence, verdict: ReleaseVerdict) -> ReleaseVerdict:
    names = [f"{finding.family.value}: {finding.attack}" for finding in evidence.findings]
    decides = names.index(verdict.decided_by) if verdict.decided_by in names else None
    worst = evidence.findings.index(worst_finding(evidence.findings)) if decides is None else decides
    coarse = by_type.apply(evidence, evidence.findings)
    return ReleaseVerdict(verdict.grade, verdict_sentence(coarse, coarse[worst]), verdict.decided_by)
