"""Nearness: the nearer the nearest released row, the likelier the person was in the data.

    rating = - s_1          s_1: distance to the nearest released row

Exact copies tie at the top. In a table of categories few values are possible and most people tie.

What it sees
------------
Copies, exact or slightly blurred.

What it misses
--------------
Members whose nearest row is no nearer than that of people outside; in a table of categories nearly everybody ties.

References
----------
Chen, Yu, Zhang, Fritz 2020, doi:10.1145/3372297.3417238, the black-box attack.

Deviations
----------
Numbers in standard deviations of the reference, absolute differences, no calibration.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from seethrough.bench.bench import Bench
from seethrough.bench.pool import Neighbours, Seen
from seethrough.kernels.arrays import Floats
from seethrough.results.evidence import LeakFamily


@dataclass(frozen=True)
class Nearness:
    """Rates people by the distance to the nearest released row."""

    name: ClassVar[str] = "nearness"
    title: ClassVar[str] = "Distance to the nearest released row"
    families: ClassVar[tuple[LeakFamily, ...]] = (LeakFamily.MEMBERSHIP,)
    is_share: ClassVar[bool] = False
    measure: ClassVar[str] = ""

    def rate(self, bench: Bench[Seen], rng: np.random.Generator) -> Floats:
        """Negate the distance."""
        return -bench.get(Neighbours(Seen.RELEASE)).distances[:, 0]
