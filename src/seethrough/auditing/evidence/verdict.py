"""The verdict in one sentence, the deciding fact first."""

from collections.abc import Sequence

from seethrough.results.evidence import Finding, Grade, LeakFamily, ReleaseVerdict

WHAT = {
    LeakFamily.MEMBERSHIP: "who was in the data",
    LeakFamily.ATTRIBUTE: "what people's secrets are",
    LeakFamily.IDENTITY: "which released row is whom",
}


def verdict(findings: Sequence[Finding]) -> ReleaseVerdict:
    """Take the worst finding; what could not be told never improves it."""
    told = [finding for finding in findings if finding.grade is not Grade.CANNOT_TELL]
    if not told:
        reasons = dict.fromkeys(reason for finding in findings for reason in finding.cannot_tell)
        return ReleaseVerdict(Grade.CANNOT_TELL, f"{_sentence('; '.join(reasons))}", "nothing could be tested")
    worst = max(told, key=lambda finding: (finding.grade, finding.lower or 0.0))
    if worst.grade.is_leak:
        return ReleaseVerdict(worst.grade, leak_sentence(worst), f"{worst.family.value}: {worst.attack}")
    return ReleaseVerdict(worst.grade, no_leak_sentence(told, findings), "all attacks")


def leak_sentence(finding: Finding) -> str:
    """Say what members have beyond people outside, in people out of 100."""
    members, outsiders = (_people(share) for share in (finding.members, finding.outsiders))
    leak = finding.leak
    assert leak is not None
    return (
        f"Of 100 members {members} {finding.measure}, of 100 people outside {outsiders}: "
        f"{_people(leak.value)} ({_people(leak.low)} to {_people(leak.high)}) come from the data ({finding.attack})."
    )


def no_leak_sentence(told: Sequence[Finding], findings: Sequence[Finding]) -> str:
    """Say that nothing was found, how large a leak would have been, and what was not tested."""
    sizes = [finding.detectable for finding in told if finding.detectable is not None]
    attacks = max(finding.attacks for finding in told)
    untested = [WHAT[finding.family] for finding in findings if finding.grade is Grade.CANNOT_TELL]
    beyond = f" Not tested: {', '.join(untested)}." if untested else ""
    return (
        f"Members are indistinguishable from people who were not in the data, by all attacks ({attacks} in the largest "
        f"family). A leak of {_people(max(sizes))} in 100 people would have been found with a chance of 80 %.{beyond}"
    )


def _people(share: float | None) -> str:
    assert share is not None
    number = 100 * share
    return f"{number:.0f}" if abs(number) >= 10 or number == round(number) else f"{number:.1f}"


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."
