"""Nearness, then rarity: of people who are equally near to the release, those whose like is rarer come first.

    rating = (- s_1, r_1), compared in that order      s_1: distance to the nearest released row
                                                       r_1: distance to the nearest person of the reference

That a common record is met again says little. Rarity is measured among people of the reference.

What it sees
------------
Copies of rare rows, exact or slightly blurred; also in tables of categories, where nearness alone ties.

What it misses
--------------
Members whose nearest row is no nearer than that of people outside, however rare they are; it needs a reference.

References
----------
Chen, Yu, Zhang, Fritz 2020, doi:10.1145/3372297.3417238 (calibration by other records).

Deviations
----------
Rarity decides among equally near people only, instead of dividing one distance by the other.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from seethrough.bench.bench import Bench
from seethrough.bench.pool import Neighbours, Seen
from seethrough.kernels.arrays import Floats
from seethrough.kernels.counting.grouping import combine, dense_codes
from seethrough.results.evidence import LeakFamily


@dataclass(frozen=True)
class NearnessThenRarity:
    """Rates people by nearness to the release, ties by how rare they are."""

    name: ClassVar[str] = "nearness-then-rarity"
    title: ClassVar[str] = "Distance to the nearest released row, ties by rarity"
    families: ClassVar[tuple[LeakFamily, ...]] = (LeakFamily.MEMBERSHIP,)
    is_share: ClassVar[bool] = False
    measure: ClassVar[str] = ""

    def rate(self, bench: Bench[Seen], rng: np.random.Generator) -> Floats:
        """Rank by both, the first deciding."""
        near, rare = (bench.get(Neighbours(part)).distances[:, 0] for part in (Seen.RELEASE, Seen.REFERENCE))
        return combine([dense_codes(-near), dense_codes(rare)]).astype(np.float64)
