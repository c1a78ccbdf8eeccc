"""Identifiability score: is a synthetic row nearer than the nearest other real record, rare attributes counting more?

ID = mean over i of [d_YZ(i) < d_YY(i)], strictly, in the distance space whose columns are weighted by 1 / H_j, with
H_j the Shannon entropy of column j in the real table (numbers in at most ten quantile bins); a column without
entropy has weight 0. A fresh sample of the same population scores about one half. A real record with a twin in the
real table is never identifiable, in contrast to `auth`, where ties count as risk.

References
----------
Yoon, Drumright, van der Schaar 2020, doi:10.1109/JBHI.2020.2980262 (ADS-GAN); Trudslev et al. 2025 and Hansen and
Staer 2025 (reviews).

Deviations
----------
ADS-GAN multiplies by 1 / H, and so does this. Trudslev et al. define w = 1 / H and then divide by it, which
multiplies by H (`weights=entropy`); Hansen and Staer use none (`weights=none`), and synthcity computes weights and
then sets all to 1. PrivEval's stored results compare with the second nearest other real record (`real_rank=2`).
"""

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from seethrough.bench.bench import Bench
from seethrough.bench.marginals import ColumnEntropies
from seethrough.bench.neighbours import NearestFrom, NearestOther, PlacedRows, PlacedWhole, is_chunked
from seethrough.bench.passes.asked_distances import NearestDistancesPass, WeightedColumns
from seethrough.bench.person.example import Example, distances_between, mean_step, without_oneself
from seethrough.bench.person.nearness import RowsAround, around_step, comparison_formula, rows_around
from seethrough.data.encoding import points
from seethrough.data.release import Part
from seethrough.errors import ConfigError, NotApplicable
from seethrough.kernels.arrays import Floats
from seethrough.kernels.neighbours.extreme_distances import extremes
from seethrough.kernels.neighbours.nearest import nearest_other, nearest_other_of, nearest_to
from seethrough.kernels.points import Points
from seethrough.kernels.statistics.intervals import wilson
from seethrough.results.card import Card, Category, Evidence, RestsOn, Verdict
from seethrough.results.estimate import Estimate
from seethrough.results.explained.worked import Step, Worked
from seethrough.results.outcome import Measurement

Weights = Literal["inverse-entropy", "entropy", "none"]


@dataclass(frozen=True)
class Identifiability:
    """The share of real records that a synthetic row is nearer to than any other real record."""

    card: ClassVar[Card] = Card(
        name="id-score",
        title="Identifiability score",
        question="For how many real records is a synthetic row nearer than the nearest other real record, "
        "with uncommon attributes weighing more?",
        cannot_tell="Whether nearness comes from copying: a fresh sample of the same size already scores one half.",
        category=Category.REIDENTIFICATION,
        evidence=Evidence.SIMILARITY,
        raw_unit="share of real records",
        formula="mean over i of [d_YZ(i) < d_YY(i)], columns weighted by 1 / entropy",
        cites=("doi:10.1109/JBHI.2020.2980262",),
        ordering=Verdict.SOMETIMES,
        monotone=Verdict.INADEQUATE,
        looks_at="The released row and the other real record nearest to a person, uncommon values weighing more.",
        flagged_from=0.5,
        rests_on=RestsOn.DISTANCE,
    )
    weights: Weights = "inverse-entropy"
    real_rank: int = 1
    confidence: float = 0.95

    def __post_init__(self) -> None:
        """Refuse a rank that has no meaning."""
        if self.real_rank not in {1, 2}:
            raise ConfigError(f"parameter id-score.real_rank is {self.real_rank}; 1 or 2 is expected")

    def measure(self, bench: Bench[Part], rng: np.random.Generator) -> Measurement:
        """Compare the two nearest rows of every real record."""
        if len(bench.table(Part.TRAIN)) <= self.real_rank:
            raise NotApplicable(f"a nearest other real record needs more than {self.real_rank} real records")
        nearer = bench.get(Across(self.weights)) < bench.get(Home(self.weights, self.real_rank))
        share = float(nearer.mean())
        low, high = wilson(int(nearer.sum()), len(nearer), self.confidence)
        return Measurement(
            risk=Estimate(share, low, high, self.confidence),
            raw=share,
            n=len(nearer),
            per_record=nearer.astype(np.float64),
        )

    def work_through(self, bench: Bench[Part], example: Example) -> Worked:
        """Show the nearest row of either table where rare attributes weigh more, and which is nearer."""
        weights = column_weights(bench.get(ColumnEntropies(Part.TRAIN)), self.weights)
        across, home = (self._around(bench, example, part, weights) for part in (Part.SYNTHETIC, Part.TRAIN))
        far = float(np.partition(home.distances, self.real_rank - 1)[self.real_rank - 1])
        value = float(across.smallest < far)
        looked = around_step(bench, example, across, home)
        second = "second nearest" if self.real_rank == 2 else "nearest"
        said = f"The person counts where a released row is nearer than the {second} other real record:"
        written = f"id(y) = {comparison_formula('d_YZ', '<', 'd_YY', (across.smallest, far), value)}"
        formula = Step(said, written, {"d_YZ": across.smallest, "d_YY": far, "id(y)": value})
        return Worked(self.card.name, (looked, formula, mean_step(example, value)), value)

    def _around(self, bench: Bench[Part], example: Example, part: Part, weights: Floats) -> RowsAround:
        if self.weights == "none":
            return rows_around(bench, example, part)
        others = bench.get(Weighted(part, self.weights, True))
        placed = points(example.person)
        numeric = np.array([not column.kind.has_levels for column in example.person.schema.used], bool)
        mine = Points(placed.numbers * weights[numeric], placed.codes, others.weights)
        return RowsAround(part, without_oneself(distances_between(mine, others), example, part))


@dataclass(frozen=True)
class Weighted:
    """Request: the rows of a table, or of the larger one that it was drawn from, as points of the weighted space."""

    part: Part
    weights: Weights
    whole: bool = False

    def compute(self, bench: Bench[Part]) -> Points:
        """Weight every column by the entropy it has in the real table."""
        placed = bench.get(PlacedWhole(self.part) if self.whole else PlacedRows(self.part))
        return bench.get(ColumnWeights(self.weights)).weigh(placed)


@dataclass(frozen=True)
class ColumnWeights:
    """Request: what each column weighs, by the entropy it has in the real table."""

    weights: Weights

    def compute(self, bench: Bench[Part]) -> WeightedColumns:
        """Weight numbers and categories."""
        columns = bench.table(Part.TRAIN).schema.used
        return WeightedColumns(
            column_weights(bench.get(ColumnEntropies(Part.TRAIN)), self.weights),
            tuple(not column.kind.has_levels for column in columns),
        )


@dataclass(frozen=True)
class Across:
    """Request: the distance of each real record to its nearest synthetic row."""

    weights: Weights

    def compute(self, bench: Bench[Part]) -> Floats:
        """Search the weighted space, or share the search of others where nothing is weighted."""
        if self.weights == "none":
            return bench.get(NearestFrom(Part.TRAIN, Part.SYNTHETIC))
        real = bench.get(Weighted(Part.TRAIN, self.weights))
        if is_chunked(bench, Part.SYNTHETIC):
            asking = NearestDistancesPass(real, bench.get(ColumnWeights(self.weights)), bench.budget.silent)
            return asking.run(bench.table(Part.SYNTHETIC))
        return nearest_to(real, bench.get(Weighted(Part.SYNTHETIC, self.weights)), bench.budget)


@dataclass(frozen=True)
class Home:
    """Request: the distance of each real record to its nearest, or second nearest, other real record."""

    weights: Weights
    rank: int

    def compute(self, bench: Bench[Part]) -> Floats:
        """Search the real table against itself; the record itself is the nearest of all and does not count."""
        if self.weights == "none" and self.rank == 1:
            return bench.get(NearestOther(Part.TRAIN))
        everybody = PlacedWhole(Part.TRAIN) if self.weights == "none" else Weighted(Part.TRAIN, self.weights, True)
        real, drawn = bench.get(everybody), bench.drawn_from(Part.TRAIN)
        if self.rank > 1:
            asking = real if drawn is None else real.take(drawn.rows)
            found: Floats = extremes(real, asking, self.rank + 1, bench.budget).nearest[self.rank]
            return found
        return nearest_other(real, bench.budget) if drawn is None else nearest_other_of(real, drawn.rows, bench.budget)


def column_weights(entropies: Floats, weights: Weights) -> Floats:
    """Turn entropies into weights; a column without entropy counts for nothing."""
    if weights == "none":
        return np.ones(len(entropies))
    if weights == "entropy":
        return entropies
    return np.divide(1, entropies, out=np.zeros(len(entropies)), where=entropies > 0)
