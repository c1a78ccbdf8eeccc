"""What a report for others says of its findings, from coarse values alone."""

from collections.abc import Sequence

from seethrough.results.evidence import Finding, Grade, LeakFamily
from seethrough.results.evidence_words import QUESTIONS, detectable, people, worst_finding

SIGNS = {
    "identifiers": "Real identifiers stand in the release",
    "rows-as-text": "Real rows stand in the release, written out as text",
    "row-order": "Released rows stand in the order of the real table",
}
"""Signs of real rows that decide a grade, and what is said of each."""
_SUCCESS = {
    LeakFamily.MEMBERSHIP: ("recognises", ""),
    LeakFamily.ATTRIBUTE: ("guesses the secrets of", " right"),
    LeakFamily.IDENTITY: ("re-identifies", ""),
}
TOO_FEW = "too few people were compared for a report to others; the custodian's report has the grade"
_NO_LEAK = "No attack distinguishes members from people who were not in the data."


def finding_sentence(finding: Finding) -> str:
    """Say what was found in one family; where nothing could be told, why."""
    if finding.grade is Grade.CANNOT_TELL:
        return _reasons((finding,))
    if finding.grade is Grade.NO_LEAK_FOUND:
        return _no_leak((finding,))
    if finding.attack in SIGNS:
        return f"{SIGNS[finding.attack]}."
    does, to = _SUCCESS[finding.family]
    if not finding.lower:
        return f"An attack {does} members{to} more often than people outside."
    return f"An attack {does} at least {people(finding.lower)} more of 100 members{to} than of 100 people outside."


def verdict_words(findings: Sequence[Finding]) -> tuple[str, str]:
    """Say what decides the verdict, and in which family."""
    worst = worst_finding(findings)
    if worst.grade.is_leak:
        return finding_sentence(worst), worst.family.value
    told = [finding for finding in findings if finding.grade is Grade.NO_LEAK_FOUND]
    if not told:
        return _reasons(findings), "nothing could be tested"
    untested = [QUESTIONS[finding.family] for finding in findings if finding.grade is Grade.CANNOT_TELL]
    beyond = f" Could not be tested: {', '.join(untested)}." if untested else ""
    return f"{_no_leak(told)}{beyond}", "all attacks"


def _no_leak(told: Sequence[Finding]) -> str:
    sizes = [finding.detectable for finding in told]
    stated = [size for size in sizes if size is not None]
    return f"{_NO_LEAK} {detectable(max(stated))}" if len(stated) == len(sizes) else _NO_LEAK


def _reasons(findings: Sequence[Finding]) -> str:
    reasons = "; ".join(dict.fromkeys(reason for finding in findings for reason in finding.cannot_tell))
    return f"{reasons[:1].upper()}{reasons[1:]}."
