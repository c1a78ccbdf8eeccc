"""Density ratio: how much denser the release is around the person than other people are.

    rating = ln sum_j exp(-s_j / e) - ln sum_j exp(-r_j / e)      s_j: to the j-th nearest released row, j = 1 .. 20
                                                                  r_j: to the j-th nearest person of the reference
    e = 0.3 x the median over people of the positive r_1

Sums are taken in logarithms and nothing is added to a density: a constant of 1e-20 decided published values.

What it sees
------------
Generators that put more rows around a member than other people explain, at few false alarms.

What it misses
--------------
Single rows that come very near to a member in a place where the release is sparse anyway; it needs a reference.

References
----------
van Breugel, Sun, Qian, van der Schaar 2023, arXiv:2302.12580 (DOMIAS).

Deviations
----------
An exponential kernel over the 20 nearest rows instead of a density estimated from all.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from seethrough.bench.bench import Bench
from seethrough.bench.pool import NEIGHBOURS, OFFSET, Neighbours, Seen, TypicalDistance
from seethrough.kernels.arrays import Floats
from seethrough.kernels.statistics.kernel_sums import log_kernel_sums
from seethrough.results.evidence import LeakFamily


@dataclass(frozen=True)
class DensityRatio:
    """Rates people by the density of the release over that of other people."""

    name: ClassVar[str] = "density-ratio"
    title: ClassVar[str] = "Density of the release over density of other people"
    families: ClassVar[tuple[LeakFamily, ...]] = (LeakFamily.MEMBERSHIP,)
    is_share: ClassVar[bool] = False
    measure: ClassVar[str] = ""
    neighbours: int = NEIGHBOURS

    def rate(self, bench: Bench[Seen], rng: np.random.Generator) -> Floats:
        """Subtract logarithms of sums."""
        width = OFFSET * bench.get(TypicalDistance(Seen.REFERENCE, self.neighbours))
        parts = Seen.RELEASE, Seen.REFERENCE
        near, others = (bench.get(Neighbours(part, self.neighbours)).distances for part in parts)
        return log_kernel_sums(near, width, bench.budget) - log_kernel_sums(others, width, bench.budget)
