"""Artefacts that join the verdict: identifiers, whole rows as text, the order of rows; and people outside who are none.

A real identifier in the release, or a real row written out as text, is severe by itself where those of people outside
are not there. An order of rows that is kept is clear. All three say which released row is whom: they raise the grade of
that family. Without people outside, or with fewer than 30, they give the word "suspicious" and its reason inside a
verdict that stays "cannot tell"; so do copies, held against twins among real people.

People outside who are in the real table hide leaks: what is found stands, what is not found cannot be told.
"""

from collections.abc import Sequence
from dataclasses import replace

from seethrough.auditing.artefacts.release_artefacts import TWINS
from seethrough.auditing.evidence.verdict import verdict
from seethrough.kernels.statistics.intervals import difference, wilson
from seethrough.results.diagnostics import Artefact, ArtefactSign
from seethrough.results.estimate import Estimate
from seethrough.results.evidence import Finding, Grade, LeakFamily, ReleaseEvidence, ReleaseVerdict

GRADES = {"identifiers": Grade.SEVERE, "rows-as-text": Grade.SEVERE, "row-order": Grade.CLEAR}
"""Artefacts that decide, and the grade that each makes."""
SUSPICIOUS = (*GRADES, "exact-copies")
MEASURES = {
    "identifiers": "have their identifier in the release",
    "rows-as-text": "have their row written out in the release",
    "row-order": "stand at the same place of both files as in no other order",
}
CONFIDENCE = 0.95
OUTSIDE = "people outside"


def join_artefacts(
    evidence: ReleaseEvidence, artefacts: Sequence[Artefact], *, has_outsiders: bool, overlap: Artefact | None = None
) -> ReleaseEvidence:
    """Raise the grade of re-identification where an artefact decides; only name what is suspicious without others."""
    if overlap is not None:
        evidence = with_overlap(evidence, overlap)
    showing = [each for each in artefacts if each.sign is ArtefactSign.SHOWS]
    if not has_outsiders:
        suspicious = [each for each in showing if each.name in SUSPICIOUS]
        return _with_suspicion(evidence, suspicious) if suspicious else evidence
    deciding = [each for each in showing if each.name in GRADES]
    for artefact in sorted(deciding, key=lambda each: GRADES[each.name]):
        evidence = _raise_grade(evidence, artefact)
    return evidence


def with_overlap(evidence: ReleaseEvidence, overlap: Artefact) -> ReleaseEvidence:
    """Take back every "no leak found" where people outside are in the real table."""
    assert overlap.chance is not None
    reason = (
        f"{overlap.found:,} of {overlap.of:,} people outside are in the real table (chance would give "
        f"{100 * overlap.chance.value:.1f} in 100), which hides leaks"
    )
    findings = tuple(_doubt(finding, reason) for finding in evidence.findings)
    return replace(evidence, findings=findings, verdict=verdict(findings), warnings=(*evidence.warnings, reason))


def _doubt(finding: Finding, reason: str) -> Finding:
    grade = finding.grade if finding.grade.is_leak else Grade.CANNOT_TELL
    return replace(finding, grade=grade, cannot_tell=(*finding.cannot_tell, reason))


def _with_suspicion(evidence: ReleaseEvidence, artefacts: Sequence[Artefact]) -> ReleaseEvidence:
    told = "; ".join(artefact_fact(each) for each in artefacts)
    sentence = f"Suspicious: {told}. {evidence.verdict.sentence}"
    by = ", ".join(each.name for each in artefacts)
    warnings = (*evidence.warnings, f"suspicious: {told}")
    return replace(evidence, verdict=ReleaseVerdict(evidence.verdict.grade, sentence, by), warnings=warnings)


def _raise_grade(evidence: ReleaseEvidence, artefact: Artefact) -> ReleaseEvidence:
    grade = GRADES[artefact.name]
    old = evidence[LeakFamily.IDENTITY]
    if old.grade >= grade and grade is not Grade.SEVERE:
        return evidence
    new = _finding(artefact, old)
    findings = tuple(new if finding.family is LeakFamily.IDENTITY else finding for finding in evidence.findings)
    decided = evidence.verdict
    if grade > decided.grade or grade is Grade.SEVERE:
        decided = ReleaseVerdict(
            grade, _sentence(artefact_fact(artefact)), f"{LeakFamily.IDENTITY.value}: {artefact.name}"
        )
    return replace(evidence, findings=findings, verdict=decided)


def _finding(artefact: Artefact, old: Finding) -> Finding:
    chance = artefact.chance
    assert artefact.share is not None
    assert chance is not None
    mine = artefact.share, wilson(artefact.found, artefact.of, CONFIDENCE)
    others = chance.value, wilson(chance.value * chance.n, max(chance.n, 1), CONFIDENCE)
    low, high = difference(mine, others)
    return replace(
        old,
        grade=GRADES[artefact.name],
        attack=artefact.name,
        measure=MEASURES[artefact.name],
        members=artefact.share,
        outsiders=chance.value,
        leak=Estimate(artefact.share - chance.value, low, high, CONFIDENCE),
        lower=low,
        p=artefact.p,
        detectable=None,
        attacks=old.attacks + 1,
    )


def artefact_fact(artefact: Artefact) -> str:
    """Say what was found and what chance gives."""
    assert artefact.chance is not None
    found, chance = f"{artefact.found:,} of {artefact.of:,}", f"{100 * artefact.chance.value:.1f} in 100"
    column, *places = artefact.columns or ("",)
    match artefact.name:
        case "identifiers":
            where = ", ".join(map(repr, places or [column]))
            return (
                f"{found} real identifiers ({column!r}) are in the release, in {where}; of {_whose(artefact)} {chance}"
            )
        case "rows-as-text":
            return f"{found} real people have their row written out in {column!r}; of {artefact.against} {chance}"
        case "row-order":
            return (
                f"released rows keep the order of the real table: {found} are like the real row at the same place, "
                f"{chance} with rows permuted nearby (p = {artefact.p:.2g})"
            )
    alike = "have a twin among the other real people" if artefact.against == TWINS else f"{OUTSIDE} do"
    return f"{found} real people have their exact row in the release; {chance} {alike}"


def _whose(artefact: Artefact) -> str:
    return f"those of {OUTSIDE}" if artefact.against == OUTSIDE else artefact.against


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."
