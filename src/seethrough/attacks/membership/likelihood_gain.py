"""Likelihood gain: how much better the nearest released row is explained once the person is added to other people.

    rating = ln(1 + exp(-s_1 / e) / sum_j exp(-t_j / e))      s_1: to the nearest released row z
                                                              t_j: from z to its j-th nearest person of the reference
    e = 0.3 x the median over people of the positive distance to the nearest person of the reference

A kernel density of the reference with the person gives z the density (R p(z) + K(z, x)) / (R + 1), so that the ratio to
p(z) is one look-up instead of a new density for each person; what is the same for everybody is left out.

What it sees
------------
Released rows that only one person explains: the person is near, and nobody of the reference is.

What it misses
--------------
Members in dense places, whose nearest row other people explain as well; it needs a reference.

References
----------
Ward et al. 2025, arXiv:2509.18014 (Synth-MIA, which has the attack as Gen-LRA).

Deviations
----------
The one nearest row, an exponential kernel over 20 neighbours, and a width that stays when the person is added.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from scipy.special import logsumexp

from seethrough.bench.bench import Bench
from seethrough.bench.pool import OFFSET, Neighbours, Seen, SpreadOfReleased, TypicalDistance
from seethrough.kernels.arrays import Floats
from seethrough.results.evidence import LeakFamily


@dataclass(frozen=True)
class LikelihoodGain:
    """Rates people by what they add to the likelihood of the nearest released row."""

    name: ClassVar[str] = "likelihood-gain"
    title: ClassVar[str] = "Gain in likelihood of the nearest released row"
    families: ClassVar[tuple[LeakFamily, ...]] = (LeakFamily.MEMBERSHIP,)
    is_share: ClassVar[bool] = False
    measure: ClassVar[str] = ""

    def rate(self, bench: Bench[Seen], rng: np.random.Generator) -> Floats:
        """Compare the person's kernel with those of other people."""
        width = OFFSET * bench.get(TypicalDistance(Seen.REFERENCE))
        lists = bench.get(Neighbours(Seen.RELEASE))
        around = logsumexp(-bench.get(SpreadOfReleased()) / width, axis=1)[lists.nearest]
        return np.asarray(np.logaddexp(0.0, -lists.distances[:, 0] / width - around))
