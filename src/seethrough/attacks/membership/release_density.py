"""Density: how dense the release is around a person.

    rating = ln sum_j exp(-s_j / e)      s_j: to the j-th nearest released row, j = 1 .. 20
    e = 0.3 x the median over people of the positive distance to the nearest person of the reference;
        without a reference, of the positive s_1

What it sees
------------
Places where released rows crowd, as they do around members in a release of a generator that has learnt too much. It
needs no people outside as a reference.

What it misses
--------------
The difference between a remembered person and a common one, for people are many in dense places anyway; it never led
on the tables compared.

References
----------
van Breugel, Sun, Qian, van der Schaar 2023, arXiv:2302.12580 (as the attack that density ratios improve upon).

Deviations
----------
An exponential kernel over the 20 nearest rows instead of a density estimated from all; constants are left out.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from seethrough.bench.bench import Bench
from seethrough.bench.pool import NEIGHBOURS, OFFSET, Neighbours, Seen, TypicalDistance, has_reference
from seethrough.kernels.arrays import Floats
from seethrough.kernels.statistics.kernel_sums import log_kernel_sums
from seethrough.results.evidence import LeakFamily


@dataclass(frozen=True)
class ReleaseDensity:
    """Rates people by the density of the release around them."""

    name: ClassVar[str] = "density"
    title: ClassVar[str] = "Density of the release"
    families: ClassVar[tuple[LeakFamily, ...]] = (LeakFamily.MEMBERSHIP,)
    is_share: ClassVar[bool] = False
    is_optional: ClassVar[bool] = True
    measure: ClassVar[str] = ""
    neighbours: int = NEIGHBOURS

    def rate(self, bench: Bench[Seen], rng: np.random.Generator) -> Floats:
        """Add up kernels in logarithms."""
        scale = Seen.REFERENCE if has_reference(bench) else Seen.RELEASE
        width = OFFSET * bench.get(TypicalDistance(scale, self.neighbours))
        distances = bench.get(Neighbours(Seen.RELEASE, self.neighbours)).distances
        return log_kernel_sums(distances, width, bench.budget)
