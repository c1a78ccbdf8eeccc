"""Share of the release: how many of the rows around a person are released ones.

    rating = a / (a + b)      a: of the s_j at most u, b: of the r_j at most u; u: the 20th smallest of all s_j and r_j
                              s_j: to the j-th nearest released row, r_j: to the j-th nearest person of the reference

All that tie at u count. How many rows either table has moves all ratings alike and their order not at all.

What it sees
------------
Places that the release fills more than people do.

What it misses
--------------
One row that was remembered, which is one of twenty. It never led on the tables compared: of members in releases of a
diffusion model it found 1 % at 1 % false alarms, as chance does. It needs a reference.

References
----------
Ward et al. 2024, arXiv:2406.13012 (data plagiarism index).

Deviations
----------
Counts are capped at 20, the length of the lists.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from seethrough.bench.bench import Bench
from seethrough.bench.pool import NEIGHBOURS, Neighbours, Seen
from seethrough.kernels.arrays import Floats
from seethrough.results.evidence import LeakFamily


@dataclass(frozen=True)
class ShareOfRelease:
    """Rates people by the share of released rows among the rows around them."""

    name: ClassVar[str] = "share-of-release"
    title: ClassVar[str] = "Share of released rows among the rows around"
    families: ClassVar[tuple[LeakFamily, ...]] = (LeakFamily.MEMBERSHIP,)
    is_share: ClassVar[bool] = False
    is_optional: ClassVar[bool] = True
    measure: ClassVar[str] = ""
    neighbours: int = NEIGHBOURS

    def rate(self, bench: Bench[Seen], rng: np.random.Generator) -> Floats:
        """Count neighbours of both kinds within the distance of the 20th of all."""
        parts = Seen.RELEASE, Seen.REFERENCE
        near, others = (bench.get(Neighbours(part, self.neighbours)).distances for part in parts)
        both = np.sort(np.concatenate([near, others], axis=1), axis=1)
        border = both[:, min(self.neighbours, both.shape[1]) - 1, None]
        released, real = ((each <= border).sum(axis=1) for each in (near, others))
        return np.asarray(released / (released + real))
