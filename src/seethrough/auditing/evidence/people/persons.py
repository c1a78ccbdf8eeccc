"""From rows to people: what attacks answered for the rows of one person becomes one answer.

Guesses of a secret are combined by their mean, ratings by their maximum: one visit that stands in the release gives the
person away. Everything after this (permutations of labels, intervals, sizes, lists) counts people.
"""

from dataclasses import replace

import numpy as np

from seethrough.auditing.evidence.battery import AttackAnswers, Battery
from seethrough.auditing.evidence.pool import Pool
from seethrough.kernels.arrays import Floats, Ints


def by_person(battery: Battery, pool: Pool) -> Battery:
    """Combine all answers by person."""
    if pool.has_one_row_each:
        return battery
    return replace(battery, answers=tuple(_combined(answer, pool) for answer in battery.answers))


def _combined(answer: AttackAnswers, pool: Pool) -> AttackAnswers:
    who = pool.persons[answer.asked]
    combine = largest_of if answer.secret is None else mean_of
    exposure = None if answer.exposure is None else largest_of(answer.exposure[answer.asked], who, pool.size)
    return replace(
        answer,
        scores=combine(answer.scores[answer.asked], who, pool.size),
        exposure=exposure,
        asked=pool.of_people(answer.asked),
        truth=None,
        ranking=None,
    )


def mean_of(values: Floats, who: Ints, people: int) -> Floats:
    """Give the mean of each person's values; 0 for people who have none."""
    counts = np.bincount(who, minlength=people)
    return np.asarray(np.bincount(who, values, minlength=people) / np.maximum(counts, 1))


def largest_of(values: Floats, who: Ints, people: int) -> Floats:
    """Give the largest of each person's values; 0 for people who have none."""
    found = np.full(people, -np.inf)
    np.maximum.at(found, who, values)
    return np.where(np.isneginf(found), 0.0, found)
