"""Mean distance to the closest record, in a two-dimensional projection of the real table.

D = mean over real records of the distance to the nearest synthetic row in the projection (factor analysis of mixed
data, fitted on the real table alone); the risk is 1 / (1 + D). D is in units of standard deviations, 0 for a copy. Good
synthetic data also comes close to 1, and closer with more rows, because the plane fills up.

References
----------
Guillaudeux et al. 2023, doi:10.1038/s41746-023-00771-5; Trudslev et al. 2025 and Hansen and Staer 2025 (reviews).

Deviations
----------
The reviews write 1 - sigmoid(log D) without a base; the natural logarithm is taken, which is 1 / (1 + D). They
project the two tables separately in places; one projection, fitted on the real table, serves both here.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from seethrough.data.release import Part
from seethrough.kernels.intervals import bootstrap_mean
from seethrough.results import Card, Category, Estimate, Evidence, Measurement, Verdict
from seethrough.shared.bench import Bench
from seethrough.shared.projections import NearestProjected


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
    )
    dimensions: int = 2
    confidence: float = 0.95

    def measure(self, bench: Bench[Part], rng: np.random.Generator) -> Measurement:
        """Average the distance over the real records."""
        distances = bench.get(NearestProjected(Part.TRAIN, Part.SYNTHETIC, self.dimensions))
        mean = float(distances.mean())
        low, high = bootstrap_mean(distances, self.confidence, rng)
        return Measurement(
            risk=Estimate(closeness(mean), closeness(high), closeness(max(0.0, low)), self.confidence),
            raw=mean,
            n=len(distances),
            per_record=1 / (1 + distances),
        )


def closeness(distance: float) -> float:
    """Map a distance to a risk: 0 to 1, infinity to 0."""
    return 1 / (1 + distance)
