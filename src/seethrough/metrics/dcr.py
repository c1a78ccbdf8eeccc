"""Mean distance to the closest record, in a two-dimensional projection of the real table.

D = mean over real records of the distance to the nearest synthetic row in the projection (factor analysis of mixed
data, fitted on the real table alone); the risk is 1 / (1 + D). D is in units of standard deviations, 0 for a copy.
Good synthetic data also comes close to 1, and closer with more rows, because the plane fills up.

The interval is about what the value would be for other real tables of this size from the same population, each with a
projection of its own, and this release: a bootstrap over real records, made wider by how much 24 refits to resampled
records move the mean more than records alone do (docs/reliability.md has the coverage).

References
----------
Guillaudeux et al. 2023, doi:10.1038/s41746-023-00771-5; Trudslev et al. 2025 and Hansen and Staer 2025 (reviews).

Deviations
----------
The reviews write 1 - sigmoid(log D) without a base; the natural logarithm is taken, which is 1 / (1 + D). They
project the two tables separately in places; one projection, fitted on the real table, serves both here. PrivEval
takes the logarithm to base 10 (`log_base=10`) and averages over synthetic rows (`per=synthetic`). `dimensions=none`
measures in the full distance space, `reference=ratio` in units of the median distance among real records.
"""

from dataclasses import dataclass
from math import log
from typing import ClassVar, Literal

import numpy as np

from seethrough.bench.bench import Bench
from seethrough.bench.neighbours import NearestBetween, NearestFrom, NearestOther, remark_on_asking
from seethrough.bench.person.example import Example, say_number, whole_table
from seethrough.bench.person.nearness import around_step, rows_around
from seethrough.bench.person.projected import PlacedNear, near_in_projection
from seethrough.bench.projections import REFITS, NearestProjected, RefitSpread
from seethrough.data.release import Part
from seethrough.errors import ConfigError, NotApplicable
from seethrough.kernels.arrays import Floats
from seethrough.kernels.statistics.intervals import bootstrap_mean, student_widening
from seethrough.results.card import Card, Category, Evidence, Verdict
from seethrough.results.estimate import Estimate
from seethrough.results.explained.worked import Step, Worked
from seethrough.results.outcome import Measurement


@dataclass(frozen=True)
class DistanceToClosestRecord:
    """How near the nearest synthetic row is, on average, in a projection."""

    card: ClassVar[Card] = Card(
        name="dcr",
        title="Distance to closest record",
        question="How near does the nearest synthetic row come to a real record, on average?",
        cannot_tell="Whether nearness is a leak: a faithful release of many rows comes near without copying anyone.",
        category=Category.REIDENTIFICATION,
        evidence=Evidence.SIMILARITY,
        raw_unit="mean distance in standard deviations",
        formula="1 / (1 + D), with D the mean over i of the distance of y_i to the nearest z in the projection",
        cites=("doi:10.1038/s41746-023-00771-5",),
        ordering=Verdict.SOMETIMES,
        monotone=Verdict.WORKS,
        version=2,
        looks_at="The released row nearest to a person in the projection, and its distance in standard deviations.",
        flagged_from=0.99,
    )
    dimensions: int | None = 2
    per: Literal["real", "synthetic"] = "real"
    log_base: Literal["e", "10"] = "e"
    reference: Literal["none", "ratio"] = "none"
    confidence: float = 0.95

    def __post_init__(self) -> None:
        """Refuse what has no meaning."""
        if self.dimensions is not None and self.dimensions < 1:
            raise ConfigError(f"parameter dcr.dimensions is {self.dimensions}; 1 or more, or none, is expected")
        if self.reference == "ratio" and self.dimensions is not None:
            raise ConfigError(
                "parameter dcr.reference = ratio needs dimensions = none, the space of the other distance"
            )

    def measure(self, bench: Bench[Part], rng: np.random.Generator) -> Measurement:
        """Average the distance over the records."""
        distances = self._distances(bench)
        mean = float(distances.mean())
        low, high = self._interval(bench, distances, rng)
        power = 1.0 if self.log_base == "e" else 1 / log(10)
        value, low, high = (closeness(max(0.0, end), power) for end in (mean, max(high, mean), min(low, mean)))
        return Measurement(
            risk=Estimate(value, low, high, self.confidence),
            raw=mean,
            n=len(distances),
            per_record=1 / (1 + distances**power) if self.per == "real" else None,
            warnings=remark_on_asking(bench, Part.SYNTHETIC) if self.per == "synthetic" else (),
        )

    def _interval(self, bench: Bench[Part], distances: Floats, rng: np.random.Generator) -> tuple[float, float]:
        """Bootstrap the mean over records, and widen it by what refitting the projection adds."""
        low, high = bootstrap_mean(distances, self.confidence, rng)
        if self.dimensions is None or self.per == "synthetic" or low == high:
            return low, high
        mean = float(distances.mean())
        wider = bench.get(RefitSpread(Part.TRAIN, Part.SYNTHETIC, self.dimensions))
        wider *= student_widening(REFITS, self.confidence)
        return mean - (mean - low) * wider, mean + (high - mean) * wider

    def _distances(self, bench: Bench[Part]) -> Floats:
        pair = (Part.TRAIN, Part.SYNTHETIC) if self.per == "real" else (Part.SYNTHETIC, Part.TRAIN)
        if self.dimensions is not None:
            return bench.get(NearestProjected(*pair, Part.TRAIN, self.dimensions))
        both, per_real = (Part.TRAIN, Part.SYNTHETIC), self.per == "real"
        distances = bench.get(NearestFrom(*both)) if per_real else bench.get(NearestBetween(*both)).columns
        if self.reference == "none":
            return distances
        unit = float(np.median(bench.get(NearestOther(Part.TRAIN)))) if len(bench.table(Part.TRAIN)) > 1 else 0.0
        if unit == 0:
            raise NotApplicable("the median distance among real records is 0, so it is no unit of distance")
        return distances / unit

    def work_through(self, bench: Bench[Part], example: Example) -> Worked:
        """Show the nearest released row, in the projection, and what its distance makes of this person."""
        power = 1.0 if self.log_base == "e" else 1 / log(10)
        near = self._near(bench, example)
        distance = near.smallest
        raised = "d" if power == 1 else f"d^{power:.4g}"
        if self.per == "synthetic":
            said = "With per = synthetic the distance of each released row to its nearest real record is averaged."
            return whole_table(self.card.name, example, near.looked, Step(said, self.card.formula))
        value = float((1 / (1 + np.array([distance]) ** power))[0])
        written = f"dcr(y) = 1 / (1 + {raised}) = 1 / (1 + {say_number(distance**power)}) = {say_number(value)}"
        formula = Step("The risk of this person:", written, {"d": distance, "dcr(y)": value})
        return Worked(self.card.name, (near.looked, formula, self._table_step(example, distance)), value)

    def _near(self, bench: Bench[Part], example: Example) -> "PlacedNear":
        if self.dimensions is not None:
            return near_in_projection(bench, example, self.dimensions)
        around = rows_around(bench, example, Part.SYNTHETIC)
        unit = 1.0 if self.reference == "none" else float(np.median(bench.get(NearestOther(Part.TRAIN))))
        return PlacedNear(around.smallest / unit, around_step(bench, example, around))

    def _table_step(self, example: Example, distance: float) -> Step:
        """Lead to the table: distances are averaged before they become a risk."""
        mean, people, risk = example.found.raw or 0.0, example.found.n, example.found.risk.value
        said = (
            f"The mean distance of {people:,} people is D = {say_number(mean)}; the table's risk is {say_number(risk)}."
        )
        numbers = {"d": distance, "D": mean, "people": float(people), "risk": risk}
        if example.row is None:
            return Step(f"{said} A person who was typed in is not among them.", "", numbers)
        numbers["adds"] = (distance - mean) / people
        written = f"({say_number(distance)} - {say_number(mean)}) / {people:,} = {say_number(numbers['adds'])}"
        return Step(f"{said} To D this person adds", written, numbers)


def closeness(distance: float, power: float = 1.0) -> float:
    """Map a distance to a risk, 0 to 1 and infinity to 0: one minus the sigmoid of its logarithm."""
    return 1 / (1 + float(distance**power))
