"""How many fewer released rows would do, by one attack that is cheap enough to ask in every audit.

The rows are halved at random, each part within the one before, and the near match (a person's row in all columns but
one) is looked for in each part. Chosen before anything is seen: the attack takes some milliseconds, so that all halves
together take less than one more near match on the whole release. `seethrough whatif` measures with all attacks.
"""

from dataclasses import replace

import numpy as np

from seethrough.auditing.evidence.people.persons import largest_of
from seethrough.auditing.evidence.pool import Pool
from seethrough.bench.pool import NearMatches, Seen
from seethrough.data.rows import by_content
from seethrough.errors import NotApplicable
from seethrough.kernels.arrays import Bools, Floats
from seethrough.results.estimate import Estimate
from seethrough.results.levers.advice import RowsLeak
from seethrough.seeds import stream

ATTACK = "near-match"
FEWEST_ROWS = 30
"""Rows below which a release is of no use to anybody."""
_NORMAL_95 = 1.959963984540054


def leak_by_rows(pool: Pool, seed: int, enough: float) -> tuple[RowsLeak, ...]:
    """Give the leak with all rows, half of them, and so on, until its lower end is below `enough`."""
    order = by_content(pool.release)[stream(seed, "fewer rows").permutation(len(pool.release))]
    found: list[RowsLeak] = []
    count = len(order)
    while count >= FEWEST_ROWS and (not found or found[-1].leak.low >= enough):
        part = pool.release if count == len(order) else pool.release.take(np.sort(order[:count]))
        try:
            found.append(RowsLeak(count, _leak(replace(pool, bench=pool.bench.with_table(Seen.RELEASE, part)))))
        except NotApplicable:
            return ()
        count //= 2
    return tuple(found)


def _leak(pool: Pool) -> Estimate:
    success = largest_of(pool.bench.get(NearMatches()), pool.persons, pool.size)
    return difference(success, pool.member_people)


def difference(success: Floats, members: Bools) -> Estimate:
    """Give the mean of members minus that of people outside, with the interval of Welch."""
    mine, others = success[members], success[~members]
    error = np.sqrt(np.var(mine) / len(mine) + np.var(others) / len(others))
    value = float(mine.mean() - others.mean())
    return Estimate(value, value - _NORMAL_95 * float(error), value + _NORMAL_95 * float(error))
