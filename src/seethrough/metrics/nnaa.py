"""Nearest neighbour adversarial accuracy: can real and synthetic rows be told apart by their nearest neighbour?

AA = ( mean over real rows of [d_YZ > d_YY] + mean over synthetic rows of [d_ZY > d_ZZ] ) / 2, where d_YZ is the
distance to the nearest row of the other table and d_YY to the nearest other row of the own one. The risk is 1 - AA:
1 for a copy, 1/2 for a fresh sample of the same population whatever the two sizes are, 0 for tables far apart.

References
----------
Yale et al. 2020, doi:10.1016/j.neucom.2019.12.136; Trudslev et al. 2025 and Hansen and Staer 2025 (reviews).

Deviations
----------
One fixed scale for all four distances, taken from the real table; programs that scale each search by its own range
let a single extreme synthetic row change the score. No resampling to equal sizes: none is needed, though `balance`
does it, once, by the seed. `against=holdout` gives the privacy loss of Yale et al., AA(holdout, synthetic) -
AA(real, synthetic), at least 0: how much better the release mixes with the people it was made from than with
others.
"""

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from seethrough.bench.bench import Bench
from seethrough.bench.neighbours import NearestBetween, NearestOther, PlacedPair
from seethrough.data.encoding import Space
from seethrough.data.release import Part
from seethrough.errors import NotApplicable
from seethrough.kernels.arrays import Bools, Floats, Ints
from seethrough.kernels.budget import Budget
from seethrough.kernels.neighbours.nearest import nearest_between, nearest_other
from seethrough.kernels.points import Points
from seethrough.kernels.statistics.intervals import difference, mean_of_two, wilson
from seethrough.results.card import Card, Category, Evidence, Verdict
from seethrough.results.estimate import Estimate
from seethrough.results.outcome import Measurement, Value


@dataclass(frozen=True)
class AdversarialAccuracy:
    """How well nearest neighbours mix the two tables."""

    card: ClassVar[Card] = Card(
        name="nnaa",
        title="Nearest neighbour adversarial accuracy",
        question="Do real and synthetic rows have their nearest neighbour in the other table?",
        cannot_tell="Whether mixing is copying: a fresh sample of the same population scores one half.",
        category=Category.TRACING,
        evidence=Evidence.SIMILARITY,
        raw_unit="adversarial accuracy",
        formula="1 - ( mean_i [d_YZ(i) > d_YY(i)] + mean_j [d_ZY(j) > d_ZZ(j)] ) / 2",
        cites=("doi:10.1016/j.neucom.2019.12.136",),
        ordering=Verdict.SOMETIMES,
        monotone=Verdict.INADEQUATE,
    )
    against: Literal["real", "holdout"] = "real"
    balance: bool = False
    space: Space = "gower"
    confidence: float = 0.95

    def measure(self, bench: Bench[Part], rng: np.random.Generator) -> Measurement:
        """Compare, for the rows of both tables, the nearest row across with the nearest at home."""
        own = self._mixed(bench, Part.TRAIN, rng)
        details: dict[str, Value] = {
            "real rows mixed": round(own.shares[0], 4),
            "synthetic rows mixed": round(own.shares[1], 4),
        }
        if self.against == "real":
            risk = Estimate(own.mean, *own.interval(self.confidence), self.confidence)
            return Measurement(risk, raw=1 - own.mean, n=own.rows, per_record=own.first(), details=details)
        other = self._mixed(bench, Part.HOLDOUT, rng)
        loss = own.mean - other.mean
        low, high = difference((own.mean, own.interval(self.confidence)), (other.mean, other.interval(self.confidence)))
        risk = Estimate(max(0.0, loss), max(0.0, low), max(0.0, high), self.confidence)
        return Measurement(risk, raw=loss, n=own.rows + other.rows, per_record=own.first(), details=details)

    def _mixed(self, bench: Bench[Part], part: Part, rng: np.random.Generator) -> "Mixed":
        for name, rows in ((part.value, len(bench.table(part))), ("synthetic", len(bench.table(Part.SYNTHETIC)))):
            if rows < 2:
                raise NotApplicable(f"a nearest other row needs at least two rows in the {name} table")
        if self.balance:
            pair = bench.get(PlacedPair(part, Part.SYNTHETIC, self.space, Part.TRAIN))
            return balance_sizes(*pair, bench.budget, rng)
        across = bench.get(NearestBetween(part, Part.SYNTHETIC, self.space, Part.TRAIN))
        homes = (bench.get(NearestOther(each, self.space, Part.TRAIN)) for each in (part, Part.SYNTHETIC))
        mixed, others = (far <= home for far, home in zip((across.rows, across.columns), homes, strict=True))
        return Mixed(mixed, others, np.arange(len(mixed)), len(mixed))


@dataclass(frozen=True, eq=False)
class Mixed:
    """Which rows of two tables have their nearest neighbour in the other; `which` are rows of the first, of `of`."""

    mine: Bools
    others: Bools
    which: Ints
    of: int

    @property
    def shares(self) -> tuple[float, float]:
        """The share of each table."""
        return float(self.mine.mean()), float(self.others.mean())

    @property
    def mean(self) -> float:
        """One minus the adversarial accuracy."""
        return sum(self.shares) / 2

    @property
    def rows(self) -> int:
        """Count the rows that were looked at."""
        return len(self.mine) + len(self.others)

    def interval(self, confidence: float) -> tuple[float, float]:
        """Combine the intervals of the two shares."""
        pairs = [
            (float(part.mean()), wilson(int(part.sum()), len(part), confidence)) for part in (self.mine, self.others)
        ]
        return mean_of_two(*pairs)

    def first(self) -> Floats:
        """Give the rows of the first table, 0 for those that were not looked at."""
        found = np.zeros(self.of)
        found[self.which] = self.mine
        return found


def balance_sizes(mine: Points, others: Points, budget: Budget, rng: np.random.Generator) -> Mixed:
    """Look at as many rows of the larger table as the smaller one has."""
    size = min(len(mine), len(others))
    which, other_which = (np.sort(rng.permutation(len(side))[:size]) for side in (mine, others))
    first, second = mine.take(which), others.take(other_which)
    across = nearest_between(first, second, budget)
    mixed = across.rows <= nearest_other(first, budget), across.columns <= nearest_other(second, budget)
    return Mixed(*mixed, which, len(mine))
