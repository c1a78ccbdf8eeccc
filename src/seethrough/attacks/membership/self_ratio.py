"""Self ratio: how much nearer the nearest released row is than the others around it.

    rating = mean over j of ln(s_j + e) - ln(s_1 + e)      s_j: to the j-th nearest released row, j = 1 .. 20
    e = 0.3 x the median over people of the positive s_1

A generator that has remembered a person puts one row very near and no more than usual around it. It needs no people
outside as a reference.

What it sees
------------
One released row that comes very near to a member while the others around keep their distance, as a diffusion model
leaves behind; it needs no reference.

What it misses
--------------
Generators that repeat a remembered row many times: then all neighbours are near.

References
----------
A relative of the nearest neighbour distance ratio (metrics/nndr.py), with an offset and a mean over 20 neighbours.

Deviations
----------
A mean of logarithms with an offset instead of the ratio of the first two distances.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from seethrough.bench.bench import Bench
from seethrough.bench.pool import NEIGHBOURS, OFFSET, Neighbours, Seen, TypicalDistance
from seethrough.errors import NotApplicable
from seethrough.kernels.arrays import Floats
from seethrough.results.evidence import LeakFamily


@dataclass(frozen=True)
class SelfRatio:
    """Rates people by how much the nearest released row stands out among those around."""

    name: ClassVar[str] = "self-ratio"
    title: ClassVar[str] = "Log ratio of distances to near and nearest released rows"
    families: ClassVar[tuple[LeakFamily, ...]] = (LeakFamily.MEMBERSHIP,)
    is_share: ClassVar[bool] = False
    measure: ClassVar[str] = ""
    neighbours: int = NEIGHBOURS

    def rate(self, bench: Bench[Seen], rng: np.random.Generator) -> Floats:
        """Compare logarithms of distances."""
        if len(bench.table(Seen.RELEASE)) < 2:
            raise NotApplicable("a release of one row has no second nearest row")
        offset = OFFSET * bench.get(TypicalDistance(Seen.RELEASE, self.neighbours))
        near = np.log(bench.get(Neighbours(Seen.RELEASE, self.neighbours)).distances + offset)
        return np.asarray(near.mean(axis=1) - near[:, 0])
