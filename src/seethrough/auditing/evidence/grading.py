"""From answers to findings: how large the leak is, how sure, and which grade that makes.

A success is graded by the difference of its means. A rating is graded by the largest of four leaks: members found
minus false alarms at 10 %, at 1 % and at the smallest rate that the people outside resolve, and the mean advantage,
2 AUC - 1.
The lower end that grades is simultaneous over all statistics of the audit: leak - c se, where the maximum over all
permuted statistics stays below c with the stated confidence. The interval that is shown is Newcombe's for shares,
DeLong's for areas, Welch's for other means. Scores of an attack that was told labels vary up to sqrt 2 times as much
near no leak as these errors say (every pair of people counts twice in cross-fitted scores), so its se is taken so much
larger, its lower end so much lower, and whether it grades at all is decided by the p of its forward test.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import hypot, sqrt

import numpy as np
from scipy.special import ndtri

from seethrough.auditing.evidence.battery import AttackAnswers, Battery
from seethrough.auditing.evidence.significance import Significance
from seethrough.kernels.arrays import Bools, Floats
from seethrough.kernels.statistics.intervals import area, clopper_pearson, difference, wilson
from seethrough.kernels.statistics.operating_points import operating_point, precision
from seethrough.kernels.statistics.roc import placements
from seethrough.results.estimate import Estimate
from seethrough.results.evidence import (
    FALSE_ALARM_RATES,
    PREVALENCES,
    AttackEvidence,
    Finding,
    Grade,
    GradeLimits,
    LeakFamily,
    Precision,
    TruePositives,
)
from seethrough.results.evidence_words import AT_RATE, IN_PAIRS

LEVEL = 0.05
"""Adjusted p up to which a leak is called found."""
RATES = {rate: float(rate) for rate in FALSE_ALARM_RATES}
"""False alarm rates at which ratings are shown, by their names in the report."""
GRADED_RATES = 0.1, 0.01
POWER = float(ndtri(0.8))
CROSS_FITTED = sqrt(2)
"""By how much the standard error of cross-fitted scores may exceed that of fixed ones."""


@dataclass(frozen=True)
class _Leak:
    """One way to state a leak: shares of members and of people outside, the standard error and the interval."""

    measure: str
    members: float
    outsiders: float
    error: float
    interval: tuple[float, float]

    @property
    def sureness(self) -> float:
        return (self.members - self.outsiders) / self.error

    def lower(self, critical: float) -> float:
        return self.members - self.outsiders - critical * self.error


def attack_evidence(
    answers: Sequence[AttackAnswers], members: Bools, significance: Significance, confidence: float
) -> tuple[AttackEvidence, ...]:
    """State the leak of every attack."""
    return tuple(_evidence(answer, members, significance, number, confidence) for number, answer in enumerate(answers))


def _evidence(
    answer: AttackAnswers, members: Bools, significance: Significance, number: int, confidence: float
) -> AttackEvidence:
    critical = significance.critical(number, confidence)
    mine, others = answer.scores[answer.asked & members], answer.scores[answer.asked & ~members]
    leaks = [_success(answer.measure, mine, others, confidence)]
    auc, tpr = None, dict[str, TruePositives | None]()
    if not answer.is_share:
        auc = _auc(mine, others, confidence)
        tpr = {name: _true_positives(mine, others, rate, confidence) for name, rate in RATES.items()}
        leaks = _rating_leaks(mine, others, auc, confidence)
    if answer.p_forward is not None:
        leaks = [replace(leak, error=CROSS_FITTED * leak.error) for leak in leaks]
    graded = _graded(leaks, critical)
    return AttackEvidence(
        name=answer.name,
        families=answer.families,
        measure=graded.measure,
        members=graded.members,
        outsiders=graded.outsiders,
        leak=Estimate(graded.members - graded.outsiders, *graded.interval, confidence),
        lower=graded.lower(critical),
        p=significance.p(number),
        p_adjusted=significance.p_adjusted(number),
        detectable=(critical + POWER) * graded.error,
        auc=auc,
        tpr=tpr,
        n_members=len(mine),
        n_outsiders=len(others),
        secret=answer.secret,
        seconds=answer.seconds,
        notes=(*answer.notes, *_mean_shares(answer, members)),
    )


def _mean_shares(answer: AttackAnswers, members: Bools) -> tuple[str, ...]:
    """Tell the mean shares that the truth was given, for attacks whose published figure that is."""
    if not answer.share_of or answer.exposure is None:
        return ()
    mine, others = (100 * float(answer.exposure[answer.asked & group].mean()) for group in (members, ~members))
    return (f"{answer.share_of} that show the right value: {mine:.1f} of 100 for members, {others:.1f} for others",)


def _graded(leaks: Sequence[_Leak], critical: float) -> _Leak:
    """Take the leak with the largest lower end; where none is above 0, the one that is surest."""
    largest = max(leaks, key=lambda leak: leak.lower(critical))
    return largest if largest.lower(critical) > 0 else max(leaks, key=lambda leak: leak.sureness)


def _success(measure: str, mine: Floats, others: Floats, confidence: float) -> _Leak:
    """Compare two means of successes: as shares where all are 0 or 1, as means otherwise."""
    a, b = float(mine.mean()), float(others.mean())
    both = np.concatenate([mine, others])
    error = max(float(both.std(ddof=1)), 1 / len(both)) * sqrt(1 / len(mine) + 1 / len(others))
    if np.isin(both, (0.0, 1.0)).all():
        interval = difference(
            (a, wilson(float(mine.sum()), len(mine), confidence)),
            (b, wilson(float(others.sum()), len(others), confidence)),
        )
    else:
        half = _quantile(confidence) * hypot(_mean_error(mine), _mean_error(others))
        interval = a - b - half, a - b + half
    return _Leak(measure, a, b, error, interval)


def _rating_leaks(mine: Floats, others: Floats, auc: Estimate, confidence: float) -> list[_Leak]:
    error = (auc.high - auc.low) / _quantile(confidence)
    advantage = _Leak(IN_PAIRS, auc.value, 1 - auc.value, error, (2 * auc.low - 1, 2 * auc.high - 1))
    rates = {*GRADED_RATES, 1 / (len(others) + 1)}
    return [advantage, *(leak for rate in sorted(rates) if (leak := _tail(mine, others, rate, confidence)))]


def _tail(mine: Floats, others: Floats, rate: float, confidence: float) -> _Leak | None:
    """Compare members found with the false alarms that the rate allows."""
    point = operating_point(mine, others, rate)
    if point is None:
        return None
    found = point.found / len(mine)
    error = hypot(sqrt(max(found * (1 - found), 1 / len(mine)) / len(mine)), sqrt(rate * (1 - rate) / len(others)))
    alarms = rate, wilson(rate * len(others), len(others), confidence)
    interval = difference((found, wilson(point.found, len(mine), confidence)), alarms)
    return _Leak(f"{AT_RATE} {rate:.2g}", found, rate, error, interval)


def _auc(mine: Floats, others: Floats, confidence: float) -> Estimate:
    above, below = placements(mine, others), 1 - placements(others, mine)
    return Estimate(float(above.mean()), *area(above, below, confidence), confidence)


def _true_positives(mine: Floats, others: Floats, rate: float, confidence: float) -> TruePositives | None:
    point = operating_point(mine, others, rate)
    if point is None:
        return None
    found = point.found / len(mine), *clopper_pearson(point.found, len(mine), confidence)
    alarms = clopper_pearson(point.false_alarms, len(others), confidence)
    # That nobody outside is named does not make the rate 0.
    rated = max(point.false_alarms / len(others), 1 / (len(others) + 1))
    given = {share: _precision((found[0], found[1]), (rated, alarms[1]), float(share)) for share in PREVALENCES}
    return TruePositives(*found, point.false_alarms, *alarms, given)


def _precision(found: tuple[float, float], alarms: tuple[float, float], prevalence: float) -> Precision | None:
    """Give the share of members among those named, and at least: with fewer found and more alarms."""
    if not found[0]:
        return None
    return Precision(precision(found[0], alarms[0], prevalence), precision(found[1], max(alarms), prevalence))


def _mean_error(values: Floats) -> float:
    return float(values.std(ddof=1)) / sqrt(len(values))


def _quantile(confidence: float) -> float:
    return float(ndtri(0.5 + confidence / 2))


def findings(battery: Battery, attacks: Sequence[AttackEvidence], limits: GradeLimits) -> tuple[Finding, ...]:
    """Sum up each family by the attack that shows most."""
    return tuple(_finding(family, battery, attacks, limits) for family in LeakFamily)


def _finding(family: LeakFamily, battery: Battery, attacks: Sequence[AttackEvidence], limits: GradeLimits) -> Finding:
    mine = [attack for attack in attacks if family in attack.families]
    missing = tuple(reason for of, reason in battery.missing if of is family)
    if not mine:
        return Finding(family, Grade.CANNOT_TELL, cannot_tell=missing or ("no attack of this family was run",))
    grades = [(grade_of(attack, limits), attack) for attack in mine]
    grade, shown = max(grades, key=lambda pair: (pair[0], pair[1].lower if pair[0].is_leak else -(pair[1].p or 0.0)))
    if battery.untestable and not grade.is_leak:
        grade = Grade.CANNOT_TELL
    return Finding(
        family=family,
        grade=grade,
        attack=shown.label,
        measure=shown.measure,
        members=shown.members,
        outsiders=shown.outsiders,
        leak=shown.leak,
        lower=shown.lower,
        p=shown.p_adjusted,
        detectable=shown.detectable,
        attacks=len(mine),
        cannot_tell=(*battery.untestable, *missing),
    )


def grade_of(attack: AttackEvidence, limits: GradeLimits) -> Grade:
    """Grade one attack by its adjusted p, then by the simultaneous lower end of its leak."""
    if attack.p_adjusted is None or attack.p_adjusted > LEVEL:
        return Grade.NO_LEAK_FOUND
    if attack.lower >= limits.severe:
        return Grade.SEVERE
    return Grade.CLEAR if attack.lower >= limits.clear else Grade.SLIGHT
