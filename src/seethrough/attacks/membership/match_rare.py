"""Rare match: the person's whole row stands in the release, and few people have such a row.

    success = 1 / (number of people alike) if a released row equals the person's row, else 0

The chance to pick the right person among those whose row was found. Of the cheap ratings the one that sees copies best:
of audits of releases with 5 % copied rows of a survey it found 23 of 25, `match` 18.

Numbers are compared to the digits that the release has: whoever holds a record rounds it as the release does before
looking it up. Of a census table that was copied with one number rounded to thousands and one to hundreds, exact matches
saw nothing without that.

What it sees
------------
Verbatim copies of rows that few people have.

What it misses
--------------
Any change, however small, to a single column, and copies of common rows.

References
----------
No paper: equal rows are counted.

Deviations
----------
None.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from seethrough.bench.bench import Bench
from seethrough.bench.pool import ExactMatches, Seen
from seethrough.kernels.arrays import Floats
from seethrough.results.evidence import LeakFamily


@dataclass(frozen=True)
class MatchRare:
    """Finds people whose row stands in the release, and picks among those who are alike."""

    name: ClassVar[str] = "match-rare"
    title: ClassVar[str] = "Exact match, weighted by rarity"
    families: ClassVar[tuple[LeakFamily, ...]] = (LeakFamily.IDENTITY, LeakFamily.MEMBERSHIP)
    is_share: ClassVar[bool] = True
    measure: ClassVar[str] = "are picked out by their exact row"

    def rate(self, bench: Bench[Seen], rng: np.random.Generator) -> Floats:
        """Divide a match among the people alike."""
        return bench.get(ExactMatches()).rarity
