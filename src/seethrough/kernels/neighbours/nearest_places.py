"""The k nearest points of every point, by place; of equally far points those that come first.

Blocks of people are measured against all others, directly. Points that differ in their totals by rounding alone are
equally far (`points.TIE`), so neither blocks nor threads change what is found.
"""

from collections.abc import Callable

import numpy as np

from seethrough.kernels.arrays import Bools, Floats, Ints
from seethrough.kernels.budget import Budget
from seethrough.kernels.points import TIE, Points, block_totals

PAIRS = 1 << 20
BYTES_PER_PAIR = 32


def nearest_places(people: Points, others: Points, k: int, budget: Budget) -> Ints:
    """Find, for each of `people`, the places of the k nearest of `others`, ascending; of all where there are fewer."""
    kept = min(k, len(others))
    found = np.empty((len(people), kept), np.int64)
    affordable = int(budget.memory / budget.threads / BYTES_PER_PAIR)
    step = max(1, min(PAIRS, affordable) // max(1, len(others)))

    def job(start: int) -> Callable[[], None]:
        rows = np.arange(start, min(start + step, len(people)))
        return lambda: found.__setitem__(rows, _first(block_totals(people.take(rows), others), kept))

    budget.run([job(start) for start in range(0, len(people), step)])
    return found


def _first(totals: Floats, kept: int) -> Ints:
    """Take all that are nearer than the last one kept, and of those as far as it the first."""
    last = np.partition(totals, kept - 1, axis=1)[:, [kept - 1]]
    nearer: Bools = totals < last * (1 - TIE)
    tied = ~nearer & (totals <= last * (1 + TIE))
    left = kept - nearer.sum(axis=1, keepdims=True)
    taken = nearer | (tied & (np.cumsum(tied, axis=1) <= left))
    return np.nonzero(taken)[1].reshape(len(totals), kept)
