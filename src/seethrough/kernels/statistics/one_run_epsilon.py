"""A lower bound of epsilon from one release, where a fair coin decided who was in the data.

For each of m people a fair coin decided, independently, whether they were in. An adversary who sees the release alone
names r of them as members, and W are. If the release is epsilon-differentially private (delta = 0), W is at most as
large as a binomial variable of r trials with chance e^epsilon / (1 + e^epsilon), whatever the adversary does. So

    epsilon >= log(q / (1 - q)),   q the lower end of Clopper and Pearson for W of r,

with the stated confidence. The r people rated highest are named, for every r of a grid that depends on m alone; the
bound is the largest over the grid, each at 1 / (size of the grid) of the error allowed (Bonferroni). Without a leak W
is binomial with chance 1/2, and the bound is above 0 with at most the error allowed.

The ceiling is the bound that naming members only would give: log(t^(1/r) / (1 - t^(1/r))) for W = r and error t. With
t = 5 % and one r it is 3.5 for 100 people named, 5.8 for 1,000 and 8.1 for 10,000; of m people about m / 2 are members,
so that m people allow what m / 2 people named do.

References
----------
Steinke, Nasr and Jagielski 2023, Privacy Auditing with One (1) Training Run, theorem 5.2 with delta = 0.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import log

import numpy as np

from seethrough.kernels.arrays import Bools
from seethrough.kernels.statistics.intervals import clopper_pearson

FEWEST_NAMED = 10


@dataclass(frozen=True)
class OneRunBound:
    """The bound, the guesses that gave it, the largest it could have been, and all numbers of guesses tried."""

    epsilon: float
    named: int
    right: int
    ceiling: float
    grid: tuple[int, ...]


def naming_grid(people: int) -> tuple[int, ...]:
    """Give the numbers of people to name: 10, 30, 100, 300 and so on, up to half of them."""
    steps = (FEWEST_NAMED * 10**power * factor for power in range(18) for factor in (1, 3))
    return tuple(step for step in steps if 2 * step <= people)


def epsilon_of(right: int, named: int, error: float) -> float:
    """Give the bound for so many right of those named; 0 where it says nothing."""
    low, _ = clopper_pearson(right, named, 1 - 2 * error)
    return max(0.0, log(low / (1 - low))) if low > 0 else 0.0


def one_run_epsilon(is_member: Bools, grid: Sequence[int], confidence: float) -> OneRunBound:
    """Bound epsilon; `is_member` has the people in the order of their ratings, the highest first."""
    error = (1 - confidence) / len(grid)
    right = [int(np.count_nonzero(is_member[:named])) for named in grid]
    bounds = [epsilon_of(found, named, error) for found, named in zip(right, grid, strict=True)]
    best = int(np.argmax(bounds))
    members = int(np.count_nonzero(is_member))
    ceiling = max(epsilon_of(min(named, members), named, error) for named in grid)
    return OneRunBound(bounds[best], grid[best], right[best], ceiling, tuple(grid))
