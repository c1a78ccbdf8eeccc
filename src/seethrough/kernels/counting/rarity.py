"""How likely rare values of one sample are to show in another one of the same population.

A value that c of n rows hold has, after Good and Turing, about the share (c + 1) / n * N_(c+1) / N_c of the population,
where N_c is the number of values that c rows hold. Both numbers are taken one larger, which keeps the share above 0,
and all values with one count are given the same share. Both err on the side of chance.

References: Good 1953, doi:10.1093/biomet/40.3-4.237.
"""

from math import sqrt

import numpy as np

from seethrough.kernels.arrays import Floats, Ints

EXACT = 3000
"""Values up to which the distribution of their number is added up; of more it is as good as normal."""


def chances_shown(counts: Ints, which: Ints, rows: int, drawn: int) -> Floats:
    """Give, for the values with the counts `which`, the chance to be among `drawn` rows; `counts` are of all values."""
    tally = np.bincount(counts, minlength=int(which.max(initial=0)) + 2).astype(np.float64)
    share = (which + 1) / rows * np.minimum(1.0, (tally[which + 1] + 1) / (tally[which] + 1))
    return np.asarray(1.0 - (1.0 - np.minimum(share, 1.0)) ** drawn)


def number_shown(chances: Floats) -> Floats:
    """Give the distribution of how many of independent events happen."""
    found = np.ones(1)
    for chance in chances:
        found = np.append(found * (1 - chance), 0.0) + np.append(0.0, found * chance)
    return found


def tail(chances: Floats, number: int) -> float:
    """Give the chance that at least `number` of independent events happen."""
    if number <= 0:
        return 1.0
    if len(chances) <= EXACT:
        return float(min(1.0, number_shown(chances)[number:].sum()))
    from scipy.special import ndtr

    spread = sqrt(float((chances * (1 - chances)).sum())) or 1e-12
    return float(ndtr(-(number - 0.5 - float(chances.sum())) / spread))
