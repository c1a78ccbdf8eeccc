"""Match: the person's whole row stands in the release.

    success = 1 if a released row equals the person's row in all columns, else 0

Its mean is the share of people who are found in the release verbatim. People outside are found too, where rows are
common; what members have beyond them is copied.

Numbers are compared to the digits that the release has: whoever holds a record rounds it as the release does before
looking it up. Of a census table that was copied with one number rounded to thousands and one to hundreds, exact matches
saw nothing without that.

What it sees
------------
Verbatim copies of whole rows.

What it misses
--------------
Any change, however small, to a single column.

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
from seethrough.bench.pool import Seen, is_matched
from seethrough.kernels.arrays import Floats
from seethrough.results.evidence import LeakFamily


@dataclass(frozen=True)
class Match:
    """Finds people whose whole row stands in the release."""

    name: ClassVar[str] = "match"
    title: ClassVar[str] = "Exact match"
    families: ClassVar[tuple[LeakFamily, ...]] = (LeakFamily.IDENTITY, LeakFamily.MEMBERSHIP)
    is_share: ClassVar[bool] = True
    measure: ClassVar[str] = "stand in the release with their exact row"

    def rate(self, bench: Bench[Seen], rng: np.random.Generator) -> Floats:
        """Look the row up."""
        return is_matched(bench).astype(np.float64)
