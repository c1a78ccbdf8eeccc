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
from seethrough.bench.neighbours import NearestBetween, NearestOther, PlacedPair, remark_on_asking
from seethrough.bench.person.example import Example, say_number
from seethrough.bench.person.nearness import around_step, comparison_formula, rows_around
from seethrough.data.encoding import Space
from seethrough.data.release import Part
from seethrough.errors import NotApplicable
from seethrough.kernels.arrays import Bools, Floats, Ints
from seethrough.kernels.budget import Budget
from seethrough.kernels.neighbours.nearest import nearest_between, nearest_other
from seethrough.kernels.points import Points
from seethrough.kernels.statistics.intervals import difference, mean_of_two, wilson
from seethrough.results.card import Card, Category, Evidence, RestsOn, Verdict
from seethrough.results.estimate import Estimate
from seethrough.results.explained.worked import Step, Worked
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
        looks_at="The released row and the other real record nearest to a person, and which of them is nearer.",
        flagged_from=0.5,
        rests_on=RestsOn.DISTANCE,
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
        asked = remark_on_asking(bench, Part.SYNTHETIC)
        if self.against == "real":
            risk = Estimate(own.mean, *own.interval(self.confidence), self.confidence)
            return Measurement(
                risk, raw=1 - own.mean, n=own.rows, per_record=own.first(), details=details, warnings=asked
            )
        other = self._mixed(bench, Part.HOLDOUT, rng)
        loss = own.mean - other.mean
        low, high = difference((own.mean, own.interval(self.confidence)), (other.mean, other.interval(self.confidence)))
        risk = Estimate(max(0.0, loss), max(0.0, low), max(0.0, high), self.confidence)
        rows = own.rows + other.rows
        return Measurement(risk, raw=loss, n=rows, per_record=own.first(), details=details, warnings=asked)

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

    def work_through(self, bench: Bench[Part], example: Example) -> Worked:
        """Show the nearest row of either table, and whether it is one of the release."""
        across, home = (rows_around(bench, example, part, self.space) for part in (Part.SYNTHETIC, Part.TRAIN))
        if self.balance:
            kept = draw_balanced((len(home.distances), len(across.distances)), example.rng)
            if example.row is not None and example.row not in kept[0]:
                return self._left_out(example)
            home, across = (side.only(rows) for side, rows in zip((home, across), kept, strict=True))
        value, numbers = float(across.smallest <= home.smallest), (across.smallest, home.smallest)
        written = f"mixed(y) = {comparison_formula('d_YZ', '<=', 'd_YY', numbers, value)}"
        formula = Step("The person is mixed with the release where a released row is as near:", written, {"y": value})
        return Worked(
            self.card.name, (around_step(bench, example, across, home), formula, self._half_step(example, value)), value
        )

    def _left_out(self, example: Example) -> Worked:
        said = "With balance as many rows of the larger table are drawn as the smaller one has; this person was not."
        return Worked(self.card.name, (Step(said, "mixed(y) = 0"), self._half_step(example, 0.0)), 0.0)

    def _half_step(self, example: Example, value: float) -> Step:
        """Lead to the table: the mean of two shares, of real and of released rows that are mixed."""
        shares = [float(str(example.found.details[name])) for name in ("real rows mixed", "synthetic rows mixed")]
        mean, people = (
            example.found.risk.value,
            0 if example.found.per_record is None else len(example.found.per_record),
        )
        said = "The table's risk is the mean of two shares: real rows that are mixed, and released rows that are."
        if self.against == "holdout":
            said += " The same mean with people outside in the place of real rows is taken off."
        written = f"({say_number(shares[0])} + {say_number(shares[1])}) / 2 -> {say_number(mean)}"
        numbers = {"person": value, "real": shares[0], "released": shares[1], "risk": mean, "people": float(people)}
        return Step(f"{said} This person is one of {people:,} real rows.", written, numbers)


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


def draw_balanced(sizes: tuple[int, int], rng: np.random.Generator) -> tuple[Ints, Ints]:
    """Draw as many rows of the larger table as the smaller one has."""
    which, other_which = (np.sort(rng.permutation(size)[: min(sizes)]) for size in sizes)
    return which, other_which


def balance_sizes(mine: Points, others: Points, budget: Budget, rng: np.random.Generator) -> Mixed:
    """Look at as many rows of the larger table as the smaller one has."""
    which, other_which = draw_balanced((len(mine), len(others)), rng)
    first, second = mine.take(which), others.take(other_which)
    across = nearest_between(first, second, budget)
    mixed = across.rows <= nearest_other(first, budget), across.columns <= nearest_other(second, budget)
    return Mixed(*mixed, which, len(mine))
