"""Leaks that can be subtracted: of each family the one that shows most, with what every person contributes to it.

The attack that was told who is a member takes part in the grade; its scores have no such contributions, so that the
leak which is compared is that of the strongest of all other attacks. A look-up asks about people who are alone with
their keys. Who these are changes with what is released, so that its leak is counted among all people here: those whose
secret it gives, of everybody.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from seethrough.auditing.evidence.assess import Assessment
from seethrough.auditing.evidence.attribute.joint_answers import LOOKUP
from seethrough.auditing.evidence.battery import AttackAnswers
from seethrough.auditing.evidence.grading import GRADED_RATES, grade_of
from seethrough.kernels.arrays import Bools, Floats
from seethrough.kernels.statistics.influence import (
    area_influence,
    half_widths,
    smallest_error,
    success_influence,
    tail_influence,
)
from seethrough.kernels.statistics.intervals import normal_quantile
from seethrough.results.estimate import Estimate
from seethrough.results.evidence import AttackEvidence, Finding, Grade, GradeLimits, LeakFamily
from seethrough.results.evidence_words import AT_RATE, IN_PAIRS
from seethrough.seeds import stream


@dataclass(frozen=True, eq=False)
class StatedLeak:
    """What a family shows: grade, strongest attack, its leak and lower end, and what each person contributes.

    `influence` counts everybody of the first pool, whoever was asked; `floor` is the smallest error it may have.
    """

    family: LeakFamily
    grade: Grade
    attack: str
    leak: Estimate
    lower: float
    influence: Floats
    floor: float

    @property
    def order(self) -> tuple[Grade, float]:
        """Order leaks by how bad they are."""
        return self.grade, self.lower if self.grade.is_leak else self.leak.value


def state_leaks(found: Assessment, limits: GradeLimits, kept: Bools | None = None) -> tuple[StatedLeak, ...]:
    """State the leak of every family that could be tested; `kept` tells who of the first pool is in this one."""
    return tuple(_stated_leaks(found, limits, kept))


def _stated_leaks(found: Assessment, limits: GradeLimits, kept: Bools | None) -> Iterator[StatedLeak]:
    if found.pool is None:
        return
    answers = {answer.label: answer for answer in found.answers}
    for finding in found.evidence.findings:
        mine = [
            (grade_of(each, limits), _stated(finding, each, answers[each.label], found.pool.member_people, kept))
            for each in found.evidence.attacks
            if finding.family in each.families and each.label in answers
        ]
        if mine:
            yield max(mine, key=lambda pair: (pair[0], pair[1].lower if pair[0].is_leak else pair[1].leak.value))[1]


def _stated(
    finding: Finding, shown: AttackEvidence, answer: AttackAnswers, inside: Bools, kept: Bools | None
) -> StatedLeak:
    people = np.arange(len(inside)) if kept is None else np.flatnonzero(kept)
    influence = np.zeros(len(inside) if kept is None else len(kept))
    leak, lower, floor = shown.leak, shown.lower, smallest_error(shown.n_members, shown.n_outsiders)
    if answer.name.startswith(LOOKUP):
        own = success_influence(answer.scores, inside)
        leak = leak_of_all(answer.scores, inside, own, leak.confidence)
        influence[people], lower = own, lower * float(answer.asked.mean())
    else:
        influence[people[answer.asked]] = influence_of(shown.measure, answer, inside)
    return StatedLeak(finding.family, finding.grade, shown.label, leak, lower, influence, floor)


def leak_of_all(scores: Floats, inside: Bools, influence: Floats, confidence: float) -> Estimate:
    """State a leak among all people, where those who can be asked about depend on what is released of them."""
    value = float(scores[inside].mean() - scores[~inside].mean())
    half = normal_quantile(confidence) * float(np.sqrt(np.square(influence).sum()))
    return Estimate(value, value - half, value + half, confidence)


def influence_of(measure: str, answer: AttackAnswers, inside: Bools) -> Floats:
    """Give what those who were asked about contribute to a leak that was graded by this measure."""
    scores, inside = answer.scores[answer.asked], inside[answer.asked]
    if answer.is_share:
        return success_influence(scores, inside)
    if measure == IN_PAIRS:
        return area_influence(scores, inside)
    rates = *GRADED_RATES, 1 / (np.count_nonzero(~inside) + 1)
    return tail_influence(scores, inside, next(rate for rate in rates if measure == f"{AT_RATE} {rate:.2g}"))


def worst_leak(leaks: Sequence[StatedLeak], family: LeakFamily | None = None) -> StatedLeak | None:
    """Pick the leak of a family, or the worst of all; None where nothing could be tested."""
    mine = [leak for leak in leaks if family in {None, leak.family}]
    return max(mine, key=lambda leak: leak.order, default=None)


def mean_leak(draws: Sequence[StatedLeak]) -> StatedLeak:
    """Average the same family over several draws of a release; the grade is that of the middle draw, the worse of two.

    The interval is as wide as that of a draw on average: it speaks of people, who are the same in all of them.
    """
    ranked = sorted(draws, key=lambda leak: leak.order)
    middle = ranked[len(ranked) // 2]
    value, low, high = (float(np.mean([getattr(leak.leak, end) for leak in draws])) for end in ("value", "low", "high"))
    return replace(
        middle,
        leak=Estimate(value, low, high, middle.leak.confidence),
        lower=float(np.mean([leak.lower for leak in draws])),
        influence=np.mean([leak.influence for leak in draws], axis=0),
    )


def changes(
    pairs: Sequence[tuple[StatedLeak, StatedLeak]], seed: int, confidence: float, name: str = "changes of leaks"
) -> list[Estimate]:
    """Give second minus first leak of every pair, with intervals that hold for all pairs at once."""
    if not pairs:
        return []
    differences = np.column_stack([second.influence - first.influence for first, second in pairs])
    floors = np.array([max(first.floor, second.floor) for first, second in pairs])
    halves = half_widths(differences, floors, confidence, stream(seed, name))
    values = [second.leak.value - first.leak.value for first, second in pairs]
    return [
        Estimate(value, value - half, value + half, confidence)
        for value, half in zip(values, map(float, halves), strict=True)
    ]
