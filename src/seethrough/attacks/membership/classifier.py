"""Classifier: how much more a person looks like a released row than like other people, to boosted trees.

    rating = ln odds of "is released", by trees trained on the released rows against the reference

100 trees of 31 leaves, learning rate 0.1, both kinds of rows weighing the same; categories are declared as such, and a
level that neither kind has is missing. Nobody who is rated is among the rows trained on, so nothing is cross-fitted.

What it sees
------------
Regions where the release has more rows than the population, in any combination of columns.

What it misses
--------------
Single copies. A leaf holds twenty rows, so that one released row next to a person changes little.

Strong against
--------------
None of the tables compared. On four releases of a diffusion model its area was .533, on releases of a network on Adult
.492 and on ACS .570, where the log ratio has .599, .616 and .589.

References
----------
Ward et al. 2025, arXiv:2509.18014 (Synth-MIA, which has a forest trained on release against reference).

Deviations
----------
Boosted trees instead of a forest.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from seethrough.bench.bench import Bench
from seethrough.bench.membership.released_trees import ReleasedLogOdds
from seethrough.bench.pool import Seen
from seethrough.kernels.arrays import Floats
from seethrough.results.evidence import LeakFamily


@dataclass(frozen=True)
class Classifier:
    """Rates people by how much they look like released rows to boosted trees."""

    name: ClassVar[str] = "classifier"
    title: ClassVar[str] = "Log odds of being a released row, by boosted trees"
    families: ClassVar[tuple[LeakFamily, ...]] = (LeakFamily.MEMBERSHIP,)
    is_share: ClassVar[bool] = False
    is_optional: ClassVar[bool] = True
    measure: ClassVar[str] = ""

    def rate(self, bench: Bench[Seen], rng: np.random.Generator) -> Floats:
        """Ask the trees."""
        return bench.get(ReleasedLogOdds())
