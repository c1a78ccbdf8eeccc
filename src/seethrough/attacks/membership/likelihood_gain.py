"""Likelihood gain: how much better the nearest released rows are explained once the person is added to other people.

    rating = sum over the k nearest released rows z of ln(1 + exp(-d(x, z) / e) / sum_j exp(-t_j(z) / e))
             t_j(z): from z to its j-th nearest person of the reference, j = 1 .. 20
    e = 0.3 x the median over people of the positive distance to the nearest person of the reference

Two ratings: `likelihood-gain` looks at the nearest row, `likelihood-gain-5` at five. A kernel density of the reference
with the person gives z the density (R p(z) + K(z, x)) / (R + 1), so that the ratio to p(z) is one look-up instead of a
new density for each person; what is the same for everybody is left out. Of equally near rows those come first that have
fewer people around, so that names of levels decide nothing.

What it sees
------------
Released rows that only one person explains: the person is near, and nobody of the reference is.

What it misses
--------------
Members in dense places, whose nearest row other people explain as well; it needs a reference.

Strong against
--------------
Bayesian networks on mixed columns: of all single ratings that of five rows had the largest area, .64 on a census table.
Against diffusion it is behind the log ratio.

References
----------
Ward et al. 2025, arXiv:2509.18014 (Synth-MIA, which has the attack as Gen-LRA).

Deviations
----------
An exponential kernel over 20 neighbours, and a width that stays when the person is added. Of equally near rows those
first by content would do as well where numbers tell rows apart; on networks of 16 categories their area was .567, and
.573 for those with fewer people around.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from seethrough.bench.bench import Bench
from seethrough.bench.pool import NEIGHBOURS, OFFSET, DensityAroundNearest, Neighbours, Seen, TypicalDistance
from seethrough.kernels.arrays import Floats
from seethrough.results.evidence import LeakFamily


@dataclass(frozen=True)
class LikelihoodGain:
    """Rates people by what they add to the likelihood of the nearest released row, or of the few nearest."""

    name: ClassVar[str] = "likelihood-gain"
    title: ClassVar[str] = "Gain in likelihood of the nearest released row"
    families: ClassVar[tuple[LeakFamily, ...]] = (LeakFamily.MEMBERSHIP,)
    is_share: ClassVar[bool] = False
    measure: ClassVar[str] = ""
    released: int = 1
    neighbours: int = NEIGHBOURS

    def rate(self, bench: Bench[Seen], rng: np.random.Generator) -> Floats:
        """Compare the person's kernel with those of other people."""
        width = OFFSET * bench.get(TypicalDistance(Seen.REFERENCE, self.neighbours))
        lists = bench.get(Neighbours(Seen.RELEASE, self.neighbours))
        around = bench.get(DensityAroundNearest(self.neighbours))[:, : self.released]
        gains = np.logaddexp(0.0, -lists.distances[:, : around.shape[1]] / width - around)
        return np.asarray(gains.sum(axis=1))


@dataclass(frozen=True)
class LikelihoodGainOfFive(LikelihoodGain):
    """The same for the five nearest released rows."""

    name: ClassVar[str] = "likelihood-gain-5"
    title: ClassVar[str] = "Gain in likelihood of the five nearest released rows"
    released: int = 5
