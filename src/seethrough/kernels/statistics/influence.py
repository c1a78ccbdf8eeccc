"""What each person contributes to the error of a leak, so that leaks of the same people can be subtracted.

A leak is a number of members minus a number of people outside. To first order its error is a sum over people:

    success       (s - mean) / n  of members,             - (s - mean) / n  of people outside
    2 AUC - 1     2 (share of the others rated below - AUC) / n, and in the same way for people outside (DeLong)
    found - alarms at a threshold: as success, of being rated above it

so that the variance of the difference of two leaks is the sum over people of the squared difference of what they
contribute, whichever attacks and whoever was asked. Where many differences are looked at, the same normal multipliers
of all people give the quantile that the largest of them stays below. Sums of people's contributions times their
multipliers are normal, with the contributions' products summed over people as covariance, and are drawn as such: a few
numbers for each draw, however many people there are.
"""

from math import sqrt

import numpy as np

from seethrough.kernels.arrays import Bools, Floats
from seethrough.kernels.budget import one_blas_thread
from seethrough.kernels.statistics.intervals import normal_quantile
from seethrough.kernels.statistics.roc import placements

MULTIPLIERS = 1999


def success_influence(scores: Floats, inside: Bools) -> Floats:
    """Give what people contribute to mean success of members minus that of others."""
    found = np.empty(len(scores))
    for group, sign in ((inside, 1.0), (~inside, -1.0)):
        found[group] = sign * (scores[group] - scores[group].mean()) / np.count_nonzero(group)
    return found


def area_influence(scores: Floats, inside: Bools) -> Floats:
    """Give what people contribute to 2 AUC - 1."""
    mine, others = scores[inside], scores[~inside]
    found = np.empty(len(scores))
    for group, shares in ((inside, placements(mine, others)), (~inside, 1 - placements(others, mine))):
        found[group] = 2 * (shares - shares.mean()) / len(shares)
    return found


def tail_influence(scores: Floats, inside: Bools, rate: float) -> Floats:
    """Give what people contribute to members found minus false alarms at a rate (`operating_points`)."""
    others = np.sort(scores[~inside])
    allowed = max(1, int(np.floor(rate * (len(others) + 1) + 1e-9)))
    return success_influence((scores > others[len(others) - allowed]).astype(np.float64), inside)


def half_widths(differences: Floats, floors: Floats, confidence: float, rng: np.random.Generator) -> Floats:
    """Give half the width of intervals that hold at once for all columns of `differences` (people x differences).

    A standard error is never below its floor: that nobody differs among so many is not certainty.
    """
    errors = np.maximum(np.sqrt(np.square(differences).sum(axis=0)), floors)
    if differences.shape[1] < 2:
        return np.asarray(normal_quantile(confidence) * errors)
    with one_blas_thread():  # sums must not depend on the threads of the machine
        drawn = rng.standard_normal((MULTIPLIERS, differences.shape[1])) @ _root(differences.T @ differences)
    largest = np.abs(drawn / errors).max(axis=1)
    critical = max(float(np.quantile(largest, confidence)), normal_quantile(confidence))
    return np.asarray(critical * errors)


def smallest_error(members: int, others: int) -> float:
    """Give the standard error of a leak to which one person of either kind contributes."""
    return sqrt(1 / members**2 + 1 / others**2)


def _root(covariance: Floats) -> Floats:
    """Give the symmetric square root, of which there is one, whatever order or sign eigenvectors come in."""
    values, vectors = np.linalg.eigh(covariance)
    found: Floats = (vectors * np.sqrt(np.maximum(values, 0.0))) @ vectors.T
    return found
