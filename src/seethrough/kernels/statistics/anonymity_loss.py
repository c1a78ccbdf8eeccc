"""The anonymity loss coefficient: precision and recall of an attack beside those of a baseline.

    PRC(P, R) = P (1 - (log10 R / log10 R_min)^3)   for R > R_min = 1e-4,   else R
    ALC       = (PRC_attack - PRC_base) / (1 - PRC_base),   PRC_base at most 1 - 1e-8

R is the share of people guessed about, P the share of these guesses that is right. An attack may choose whom it guesses
about: people are ranked by how sure the attack is of them; for n = 1 .. N the hits among the first n have a Wilson
interval of 95 %; where that is narrower than 0.1, PRC of its middle is taken, and the n of the largest PRC counts, with
everybody as sure as the n-th. People who are equally sure share their hits, so that their order does not matter.

The coefficient has no lower end, depends on the number of people (500 right of 500 have a Wilson middle of .9962) and
can call a plain copy anonymous where the baseline is sure of many people.

References
----------
Francis and Wagner 2025, arXiv:2507.01710.
"""

from dataclasses import dataclass

import numpy as np

from seethrough.kernels.arrays import Floats, Ints
from seethrough.kernels.statistics.intervals import NORMAL_95

LEAST_RECALL = 1e-4
WIDEST = 0.1
"""Width of an interval from which on a precision is too uncertain to be taken."""
_NEARLY_ONE = 1 - 1e-8


@dataclass(frozen=True)
class RecallPoint:
    """Precision (the middle of its interval) at the recall that an attack chooses."""

    precision: float
    recall: float

    @property
    def coefficient(self) -> float:
        """Give the precision-recall coefficient."""
        return float(precision_recall(self.precision, self.recall))


def precision_recall(precision: Floats | float, recall: Floats | float) -> Floats:
    """Give PRC: precision, less where few people are guessed about."""
    share = np.asarray(recall, np.float64)
    shrunk = 1 - (np.log10(np.maximum(share, LEAST_RECALL)) / np.log10(LEAST_RECALL)) ** 3
    return np.where(share > LEAST_RECALL, precision * shrunk, share)


def anonymity_loss(attack: RecallPoint, base: RecallPoint) -> float:
    """Give ALC: 0 if the attack is as good as the baseline, 1 if it is right about everybody; may be negative."""
    baseline = min(base.coefficient, _NEARLY_ONE)
    return (attack.coefficient - baseline) / (1 - baseline)


def wilson_middle(hits: Floats, people: Floats) -> Floats:
    """Give the middle of the Wilson interval of 95 %."""
    return np.asarray((hits + NORMAL_95**2 / 2) / (people + NORMAL_95**2))


def _wilson_width(hits: Floats, people: Floats) -> Floats:
    spread = np.maximum(hits * (people - hits) / people, 0) + NORMAL_95**2 / 4
    return np.asarray(2 * NORMAL_95 / (people + NORMAL_95**2) * np.sqrt(spread))


def best_recall(hits: Floats, sureness: Ints) -> RecallPoint | None:
    """Choose whom to guess about; None where people are too few for any precision to be known to a tenth."""
    order = np.argsort(-sureness, kind="stable")
    begins = np.flatnonzero(np.diff(sureness[order], prepend=sureness[order[0]] + 1))
    sizes = np.diff(begins, append=len(order))
    shared = np.repeat(np.add.reduceat(hits[order], begins) / sizes, sizes)
    found, people = np.cumsum(shared), np.arange(1.0, len(order) + 1)
    usable = _wilson_width(found, people) < WIDEST
    if not usable.any():
        return None
    coefficients = np.where(usable, precision_recall(wilson_middle(found, people), people / len(order)), -np.inf)
    run = int(np.searchsorted(begins, np.argmax(coefficients), side="right")) - 1
    kept = int(begins[run] + sizes[run])
    return RecallPoint(float(wilson_middle(found[kept - 1 : kept], people[kept - 1 : kept])[0]), kept / len(order))


def surest(ranking: Floats) -> Ints:
    """Rank people by how sure an attack is of them, part by part; equal up to rounding is equal."""
    return np.asarray(np.unique(np.round(ranking, 9), axis=0, return_inverse=True)[1].ravel(), np.int64)
