"""Count: how many released rows lie near a person.

    rating = number of s_j at most rho      s_j: to the j-th nearest released row, j = 1 .. 20
    rho    = the median over people of the positive s_1 (0 where everybody stands in the release)

What it sees
------------
Places where released rows crowd. It needs no people outside as a reference.

What it misses
--------------
One row that was remembered. Counts are whole numbers, so that most people tie and few are found at few false alarms;
it never led on the tables compared.

References
----------
Hilprecht, Haerterich, Bernau 2019, PoPETs 2019(4), 232-249 (Monte Carlo attack).

Deviations
----------
Counts are capped at 20, the length of the lists; the radius is one median and not chosen by quantile.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from seethrough.bench.bench import Bench
from seethrough.bench.pool import NEIGHBOURS, Neighbours, Seen
from seethrough.kernels.arrays import Floats
from seethrough.results.evidence import LeakFamily


@dataclass(frozen=True)
class NearCount:
    """Rates people by the number of released rows within a typical distance."""

    name: ClassVar[str] = "count"
    title: ClassVar[str] = "Number of released rows near by"
    families: ClassVar[tuple[LeakFamily, ...]] = (LeakFamily.MEMBERSHIP,)
    is_share: ClassVar[bool] = False
    is_optional: ClassVar[bool] = True
    measure: ClassVar[str] = ""
    neighbours: int = NEIGHBOURS

    def rate(self, bench: Bench[Seen], rng: np.random.Generator) -> Floats:
        """Count neighbours within the typical distance."""
        near = bench.get(Neighbours(Seen.RELEASE, self.neighbours)).distances
        apart = near[:, 0][near[:, 0] > 0]
        radius = float(np.median(apart)) if len(apart) else 0.0
        return np.asarray((near <= radius).sum(axis=1), np.float64)
