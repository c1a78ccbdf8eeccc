"""Confidence intervals.

Proportions have Wilson intervals; means of other values a bootstrap over real records, or its normal limit where there
are thousands of values; the mean of two proportions the square-and-add rule. All speak of sampling real records from
their population, not of another run of the generator; benchmarks/interval_coverage.py measures how often they cover.
"""

from math import exp, hypot, inf, log, sqrt

import numpy as np
from scipy.special import bdtr, bdtrik, betaincinv, ndtri, stdtrit

from seethrough.kernels.arrays import Floats

Interval = tuple[float, float]

RESAMPLES = 1000
MANY = 2000
"""Distinct values from which on the bootstrap gives way to its normal limit,"""
ENOUGH = 1000
"""and so it does from this sum of squared deviations on, in units of the range."""


OTHERS = 30
"""Values that differ from the most frequent one, from which on they are resampled."""


def normal_quantile(confidence: float) -> float:
    """Give how many standard deviations to either side of its mean a normal variable stays within at a confidence."""
    return float(ndtri(0.5 + confidence / 2))


def student_widening(estimates: int, confidence: float) -> float:
    """Give by how much an interval is wider whose standard error comes from so many estimates."""
    return float(stdtrit(estimates - 1, 0.5 + confidence / 2)) / normal_quantile(confidence)


NORMAL_95 = normal_quantile(0.95)
"""For intervals that are always stated at 95 %."""


def wilson(successes: float, trials: int, confidence: float) -> Interval:
    """Score interval of a binomial proportion.

    References
    ----------
    Wilson 1927, doi:10.1080/01621459.1927.10502953.
    """
    z = normal_quantile(confidence)
    centre = (successes + z**2 / 2) / (trials + z**2)
    half = z / (trials + z**2) * sqrt(max(0.0, successes * (trials - successes) / trials) + z**2 / 4)
    # At the ends the bound equals the proportion, but for rounding.
    low = 0.0 if successes <= 0 else max(0.0, centre - half)
    high = 1.0 if successes >= trials else min(1.0, centre + half)
    return low, high


def clopper_pearson(successes: int, trials: int, confidence: float) -> Interval:
    """Exact interval of a binomial proportion: it covers at least at its confidence.

    References
    ----------
    Clopper and Pearson 1934, doi:10.1093/biomet/26.4.404.
    """
    tail = (1 - confidence) / 2
    low = 0.0 if successes == 0 else float(betaincinv(successes, trials - successes + 1, tail))
    high = 1.0 if successes == trials else float(betaincinv(successes + 1, trials - successes, 1 - tail))
    return low, high


def mean_of_two(first: tuple[float, Interval], second: tuple[float, Interval]) -> Interval:
    """Interval of (a + b) / 2 from the intervals of two independent proportions a and b.

    The distances from each value to its bounds are added as squares ("method of variance estimates
    recovery"), which keeps the asymmetry that proportions near 0 and 1 have.

    References
    ----------
    Zou and Donner 2008, doi:10.1002/sim.3095.
    """
    (a, (a_low, a_high)), (b, (b_low, b_high)) = first, second
    middle = (a + b) / 2
    low = middle - sqrt((a - a_low) ** 2 + (b - b_low) ** 2) / 2
    high = middle + sqrt((a_high - a) ** 2 + (b_high - b) ** 2) / 2
    return max(0.0, low), min(1.0, high)


def difference(first: tuple[float, Interval], second: tuple[float, Interval]) -> Interval:
    """Interval of a - b from the intervals of two independent numbers, by the same rule."""
    (a, (a_low, a_high)), (b, (b_low, b_high)) = first, second
    return a - b - hypot(a - a_low, b_high - b), a - b + hypot(a_high - a, b - b_low)


def area(members: Floats, others: Floats, confidence: float) -> Interval:
    """Interval of the area under a ROC curve, the mean of `members`.

    `members` are the shares of the others below each member, `others` the shares of members above each other, which
    give the variance of the area (DeLong). It is taken for that of a proportion of as many trials as would have it, so
    that the interval stays in [0, 1] and has a width where everybody is told apart.

    References
    ----------
    DeLong et al. 1988, doi:10.2307/2531595.
    """
    share = float(members.mean())
    variance = sum(float(each.var(ddof=1)) / len(each) for each in (members, others))
    trials = min(len(members), len(others))
    if variance > 0:
        trials = max(1, round(share * (1 - share) / variance))
    low, high = wilson(share * trials, trials, confidence)
    return min(low, share), max(high, share)


def median(values: Floats, confidence: float) -> tuple[float, Interval]:
    """Median, and the interval between the order statistics that cover it, whatever the distribution.

    References
    ----------
    David and Nagaraja 2003, Order Statistics, section 7.1.
    """
    ordered, n = np.sort(values), len(values)
    below = int(bdtrik((1 - confidence) / 2, n, 0.5))
    below = below if bdtr(below, n, 0.5) <= (1 - confidence) / 2 else below - 1
    low, high = (ordered[below], ordered[n - 1 - below]) if below >= 0 else (ordered[0], ordered[-1])
    return float(np.median(ordered)), (float(low), float(high))


def ratio(above: tuple[float, Interval], below: tuple[float, Interval]) -> tuple[float, float, float]:
    """Ratio of two positive numbers and its interval, the distances to their bounds added as squares of logarithms.

    0 / 0 is 1 here, and x / 0 is infinite; the interval then has no other end than 0 or infinity.
    """
    (a, (a_low, a_high)), (b, (b_low, b_high)) = above, below
    if b == 0:
        return (1.0, 0.0, inf) if a == 0 else (inf, 0.0, inf)
    if a == 0:
        return 0.0, 0.0, (a_high / b_low if b_low > 0 else inf)
    down = hypot(log(a / a_low) if a_low > 0 else inf, log(b_high / b))
    up = hypot(log(a_high / a), log(b / b_low) if b_low > 0 else inf)
    return a / b, a / b * exp(-down), (a / b * exp(up) if up < inf else inf)


def bootstrap_mean(values: Floats, confidence: float, rng: np.random.Generator, resamples: int = RESAMPLES) -> Interval:
    """Percentile bootstrap interval of a mean.

    Resampling n values is drawing how often each distinct value comes, a multinomial, so the cost
    is that of the distinct values and does not grow with the rows that share them. Where the values
    are many and spread over their range, the resampled mean is as good as normal, and the normal
    quantiles are taken.
    """
    tail = (1 - confidence) / 2
    n, reach = len(values), float(np.ptp(values))
    distinct, counts = np.unique(values, return_counts=True)
    if len(distinct) > MANY or (reach and n * float(values.var()) / reach**2 > ENOUGH):
        half = normal_quantile(confidence) * float(values.std()) / sqrt(n)
        return float(values.mean()) - half, float(values.mean()) + half
    means = rng.multinomial(n, counts / n, size=resamples) @ distinct / n
    low, high = np.quantile(means, [tail, 1 - tail])
    return float(low), float(high)


def bounded_mean(values: Floats, confidence: float, rng: np.random.Generator) -> Interval:
    """Interval of the mean of values in [0, 1].

    The bootstrap, except where all values agree: it would then claim certainty, while the score
    interval of a proportion, which has the largest variance that such values can have, does not.
    Where all but a few agree, resamples say little of the few: with 5 in 400 the bootstrap covered
    at 89 %. There the mean is taken for a proportion of as many trials as would have its variance.
    """
    mean, n = float(values.mean()), len(values)
    distinct, counts = np.unique(values, return_counts=True)
    if len(distinct) == 1:
        return wilson(float(values.sum()), n, confidence)
    if n - int(counts.max()) >= OTHERS:
        return bootstrap_mean(values, confidence, rng)
    trials = max(1, round(mean * (1 - mean) * n / float(values.var())))
    low, high = wilson(mean * trials, trials, confidence)
    return min(low, mean), max(high, mean)
