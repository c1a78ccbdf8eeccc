"""How coarse a report for others is: steps by the number of people, and rounding at thresholds that nobody else knows.

Rounding at fixed places tells nothing most of the time and everything to somebody for whom the two possible values of
a person lie on both sides of a place. So the place is drawn: a number that one person moves by d changes what goes out
with probability d / step, whatever the table. Draws come from the operating system, or from a key that the custodian
keeps in the environment variable `SEETHROUGH_KEY`, and never from the seed of the audit, which readers know. With a key
a report that is made again from the same release is the same; without one, so is one that is made again by the same
process, and any other says more together with it than alone.
"""

import hashlib
import hmac
import os
import secrets
from dataclasses import dataclass, field, replace
from itertools import pairwise
from math import floor, sqrt

from seethrough.results.evidence import GradeLimits

KEY = "SEETHROUGH_KEY"
"""Names the environment variable with the custodian's key."""
FEWEST_PEOPLE = 200
"""With fewer members or people outside, nothing but that they are too few goes out."""
LEAK_INFLUENCE = 100
"""A step of a leak is at least so many people."""
CRITICAL = 3.0 + 0.84
"""Standard errors of a leak that some twenty attacks, tested together, find with a chance of 80 %."""
STEPS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0)
_CLASSES = (1, 2, 5)


def step_for(people: int, influence: int) -> float:
    """Give the smallest step of a share that so many people outweigh."""
    return next((step for step in STEPS if step * people >= influence), STEPS[-1])


@dataclass(frozen=True)
class Coarsening:
    """Draws the thresholds of one report; `path` is the field at hand, `people` the fewer of members and outsiders."""

    key: bytes
    path: str = ""
    people: int = 0
    limits: GradeLimits = field(default_factory=GradeLimits)

    def under(self, name: str) -> "Coarsening":
        """Go down to a field."""
        return replace(self, path=f"{self.path}/{name}")

    @property
    def threshold(self) -> float:
        """Draw the threshold of the field at hand, from 0 up to 1."""
        drawn = hmac.new(self.key, self.path.encode("utf-8", "backslashreplace"), hashlib.sha256).digest()
        return int.from_bytes(drawn[:8], "big") / 2**64

    @property
    def has_too_few(self) -> bool:
        """Tell whether people were compared, but too few to say anything."""
        return 0 < self.people < FEWEST_PEOPLE

    def count(self, number: int) -> int:
        """Give one of the two neighbours of a count among 1, 2, 5, 10, 20, 50 and so on."""
        if number < 1:
            return 0
        power: int = 10 ** (len(str(number)) - 1)
        bounds = [each * power for each in (*_CLASSES, 10)]
        low, high = next((low, high) for low, high in pairwise(bounds) if number < high)
        return high if number > low * (high / low) ** self.threshold else low

    def at_least(self, share: float, influence: int) -> float:
        """Give a step that is not above the share."""
        step = step_for(self.people, influence)
        return round(max(floor(share / step - self.threshold) * step, 0.0), 6)

    @property
    def detectable(self) -> float:
        """Give the leak that so many people show, rounded up to a step; by their class alone, whatever their values.

        The standard error is that of 2 AUC - 1 without a leak, sqrt(2 / (3 n)), which no difference of shares exceeds.
        """
        size = CRITICAL * sqrt(2 / (3 * self.people)) if self.people else 1.0
        return next((step for step in STEPS if step >= size), STEPS[-1])


_OF_THIS_PROCESS = secrets.token_bytes(32)


def draw_key(release: str) -> bytes:
    """Draw the key of one report from the digest of the release and the custodian's key, or one of this process."""
    mine = os.environ.get(KEY, "").encode("utf-8", "surrogateescape") or _OF_THIS_PROCESS
    return hmac.new(mine, release.encode(), hashlib.sha256).digest()
