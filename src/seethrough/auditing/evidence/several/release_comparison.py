"""Which of several releases leaks more? The same people, each rated or guessed on two releases.

    d(x) = s_A(x) - s_B(x)       leak(A) - leak(B) = mean of d over members - mean of d over people outside

What makes a person easy on both releases cancels in d, and what anybody could infer from either release cancels between
members and people outside. If neither release owes anything to who of the pool was in the data, labels are exchangeable
given both, so that permuting them tests the difference exactly. All attacks that two releases have, for every pair of
releases, enter one test with the maximum over all of them, on both sides of 0: no order of releases is preferred.

A success enters as it is. A rating has units of its own on each release, so it enters by what has none: mid-ranks
(scaled so that the difference of means is 2 AUC - 1) and membership in the tops.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import NamedTuple

import numpy as np

from seethrough.auditing.evidence.assess import Assessment, EvidenceRules
from seethrough.auditing.evidence.battery import AttackAnswers
from seethrough.auditing.evidence.contrasts import (
    Contrast,
    ContrastFound,
    compare_contrasts,
    people_drawn,
    permutations_for,
)
from seethrough.auditing.evidence.grading import LEVEL
from seethrough.auditing.evidence.significance import TOPS, rating_vectors
from seethrough.kernels.arrays import Bools, Floats, Ints
from seethrough.results.comparison import RankedRelease, ReleaseComparison, ReleaseDifference
from seethrough.results.evidence import Grade, ReleaseEvidence
from seethrough.results.evidence_words import IN_PAIRS
from seethrough.seeds import stream

RATING_MEASURES = (IN_PAIRS, *(f"are among the 1 in {share} people rated highest" for share in TOPS))
VECTORS = len(RATING_MEASURES)


@dataclass(frozen=True, eq=False)
class AssessedRelease:
    """What is kept of a release until all are assessed: its evidence, who was rated (members or not), their answers."""

    name: str
    evidence: ReleaseEvidence
    members: Bools
    answers: tuple[AttackAnswers, ...]


def keep_answers(name: str, found: Assessment) -> AssessedRelease:
    """Keep what the comparison needs, and let go of the pool: it has the same people for every release."""
    members = np.zeros(0, bool) if found.pool is None else found.pool.member_people
    return AssessedRelease(name, found.evidence, members, found.answers)


class _Pair(NamedTuple):
    """One attack on two releases."""

    first: int
    second: int
    answers: tuple[AttackAnswers, AttackAnswers]


def compare_releases(
    releases: Sequence[AssessedRelease], rules: EvidenceRules, device: str = "cpu"
) -> ReleaseComparison:
    """Compare every pair of releases by every attack that both have, and rank the releases."""
    result = ReleaseComparison(
        tuple(release.name for release in releases),
        rank_releases([release.evidence for release in releases]),
        notes=_notes(releases),
    )
    usable = [number for number, release in enumerate(releases) if release.answers]
    members = [releases[number].members for number in usable]
    assert all(np.array_equal(each, members[0]) for each in members), "the pool is the same for every release"
    pairs = [pair for i, j in combinations(usable, 2) for pair in _pairs(i, j, releases)]
    return _with_differences(result, pairs, members[0], rules, device) if pairs else result


def _with_differences(
    result: ReleaseComparison, pairs: Sequence[_Pair], members: Bools, rules: EvidenceRules, device: str
) -> ReleaseComparison:
    people = people_drawn(members, VECTORS * len(pairs), stream(rules.seed, "people compared"))
    members = members[people]
    stated = [_stated(pair, people) for pair in pairs]
    permutations = permutations_for(sum(map(len, stated)), rules.permutations)
    rng = stream(rules.seed, "label permutations for several releases")
    contrasts = [each.of_difference for some in stated for each in some]
    tested = iter(compare_contrasts(contrasts, members, rng, permutations, rules.confidence, device))
    return replace(
        result,
        differences=tuple(
            _difference(pair, some, [next(tested) for _ in some], members)
            for pair, some in zip(pairs, stated, strict=True)
        ),
        members=int(members.sum()),
        outsiders=int((~members).sum()),
        permutations=permutations,
    )


def _pairs(i: int, j: int, releases: Sequence[AssessedRelease]) -> Iterator[_Pair]:
    others = {answer.label: answer for answer in releases[j].answers}
    for answer in releases[i].answers:
        if answer.label in others:
            yield _Pair(i, j, (answer, others[answer.label]))


class _Paired(NamedTuple):
    """One way to state the leak of an attack on two releases, for the same people."""

    measure: str
    who: Ints
    values: tuple[Floats, Floats]

    @property
    def of_difference(self) -> Contrast:
        return Contrast(self.who, self.values[0] - self.values[1])

    def leaks(self, members: Bools) -> tuple[float, float]:
        first, second = (np.subtract(*Contrast(self.who, each).means(members)) for each in self.values)
        return float(first), float(second)


def _stated(pair: _Pair, people: Ints) -> list[_Paired]:
    """State what an attack gave people on both releases, in each of the ways in which it enters the test."""
    first, second = pair.answers
    who = np.flatnonzero(first.asked[people] & second.asked[people])
    scores = first.scores[people[who]], second.scores[people[who]]
    if first.is_share:
        return [_Paired(first.measure, who, scores)]
    vectors = [_without_units(each) for each in scores]
    return [_Paired(*each) for each in zip(RATING_MEASURES, [who] * VECTORS, zip(*vectors, strict=True), strict=False)]


def _without_units(scores: Floats) -> list[Floats]:
    ranks, *tops = rating_vectors(scores)
    return [2 * ranks / len(scores), *tops]


def _difference(
    pair: _Pair, stated: Sequence[_Paired], tested: Sequence[ContrastFound], members: Bools
) -> ReleaseDifference:
    """State the difference by what shows it most."""
    best = min(range(len(tested)), key=lambda number: (tested[number].p, -tested[number].strength))
    first_leak, second_leak = stated[best].leaks(members)
    return ReleaseDifference(
        first=pair.first + 1,
        second=pair.second + 1,
        attack=pair.answers[0].label,
        family=pair.answers[0].families[0],
        measure=stated[best].measure,
        first_leak=first_leak,
        second_leak=second_leak,
        difference=tested[best].estimate,
        p=tested[best].p,
        told_apart=tested[best].p <= LEVEL,
    )


def _notes(releases: Sequence[AssessedRelease]) -> tuple[str, ...]:
    """Say which releases could not be compared, or were attacked with less than the others."""
    return tuple(
        f"{release.name}: {reason}"
        for release in releases
        for reason in dict.fromkeys(reason for finding in release.evidence.findings for reason in finding.cannot_tell)
    )


def rank_releases(found: Sequence[ReleaseEvidence]) -> tuple[RankedRelease, ...]:
    """Order releases by grade, then by the lower end of their largest leak; a release that leaks nothing has 0."""
    leaks = [_largest_leak(evidence) for evidence in found]
    told = [number for number, leak in enumerate(leaks) if leak is not None]
    ranks = {number: _rank(found[number].verdict.grade, leaks[number]) for number in told}
    order = sorted(told, key=lambda number: (ranks[number], number))
    placed = [
        _ranked(number, found[number], leaks[number], 1 + sum(other < ranks[number] for other in ranks.values()))
        for number in order
    ]
    return (*placed, *(_ranked(n, found[n], None, None) for n in range(len(found)) if leaks[n] is None))


def _rank(grade: Grade, leak: float | None) -> tuple[int, float]:
    return (list(Grade).index(grade) if grade.is_leak else 0), leak or 0.0


def _largest_leak(evidence: ReleaseEvidence) -> float | None:
    if evidence.verdict.grade is Grade.CANNOT_TELL:
        return None
    return max((max(finding.lower or 0.0, 0.0) for finding in evidence.findings if finding.grade.is_leak), default=0.0)


def _ranked(number: int, evidence: ReleaseEvidence, leak: float | None, place: int | None) -> RankedRelease:
    leaking = [finding for finding in evidence.findings if finding.grade.is_leak]
    worst = max(leaking, key=lambda finding: (finding.grade, finding.lower or 0.0), default=None)
    return RankedRelease(number + 1, place, evidence.verdict.grade, leak, worst.attack if worst else None)
