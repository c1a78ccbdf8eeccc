"""Near match: all but one column of the person's row stand in the release, and few people are alike in them.

    success = max over columns left out of 1 / (number of people alike in the others) if a released row is alike, else 0

It sees copies of which one column was changed, permuted or blurred.

Numbers are compared to the digits that the release has: whoever holds a record rounds it as the release does before
looking it up. Of a census table that was copied with one number rounded to thousands and one to hundreds, exact matches
saw nothing without that.

What it sees
------------
Copies of which one column was changed, permuted or blurred.

What it misses
--------------
Copies with two changed columns, and copies of common rows.

References
----------
No paper: rows are counted that are equal in all columns but one.

Deviations
----------
None.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from seethrough.bench.bench import Bench
from seethrough.bench.pool import NearMatches, Seen
from seethrough.kernels.arrays import Floats
from seethrough.results.evidence import LeakFamily


@dataclass(frozen=True)
class NearMatch:
    """Finds people whose row stands in the release but for one column."""

    name: ClassVar[str] = "near-match"
    title: ClassVar[str] = "Match in all columns but one, weighted by rarity"
    families: ClassVar[tuple[LeakFamily, ...]] = (LeakFamily.IDENTITY, LeakFamily.MEMBERSHIP)
    is_share: ClassVar[bool] = True
    measure: ClassVar[str] = "are picked out by all columns but one"

    def rate(self, bench: Bench[Seen], rng: np.random.Generator) -> Floats:
        """Take the rarest match."""
        return bench.get(NearMatches())
