"""The verdict: the worst finding decides."""

from collections.abc import Sequence

from seethrough.results.evidence import Finding, Grade, ReleaseVerdict
from seethrough.results.evidence_words import verdict_sentence, worst_finding


def verdict(findings: Sequence[Finding]) -> ReleaseVerdict:
    """Take the worst finding; what could not be told never improves it."""
    worst = worst_finding(findings)
    decided_by = "all attacks"
    if worst.grade.is_leak:
        decided_by = f"{worst.family.value}: {worst.attack}"
    elif worst.grade is Grade.CANNOT_TELL:
        decided_by = "nothing could be tested"
    return ReleaseVerdict(worst.grade, verdict_sentence(findings, worst), decided_by)
