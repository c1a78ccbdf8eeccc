"""Nearest neighbour distance ratio: do synthetic rows single out one real record?

For a synthetic row let d1 <= d2 be the distances to its two nearest real records (other rows, also when they are
equal) in a two-dimensional projection fitted on the real table; r = d1 / d2, and 1 when d2 = 0. The risk is 1 -
mean r: 1 when every row sits on a real record that has no twin. Rows that are not copies score 1 / (k + 1) in k
dimensions whatever the generator does, one third for k = 2: the score has to be read against that, or calibrated,
or taken without projection.

The interval is about other real tables of this size from the same population, each with a projection of its own, and
this release: a bootstrap over rows, made wider where halves of the real table, each with its own projection, differ by
more (docs/reliability.md has the coverage).

References
----------
Guillaudeux et al. 2023, doi:10.1038/s41746-023-00771-5; Trudslev et al. 2025 and Hansen and Staer 2025 (reviews).

Deviations
----------
Trudslev et al. set r = 1 when d1 = 0 and average without turning it, which is not monotone: an exact copy scores 1,
a near copy 0, a far row 1 (`reading=paper-a`). The options `dimensions=none` (no projection), `calibrated` and
`per=real` (SynthEval) are there for use.
"""

from dataclasses import dataclass
from math import sqrt
from typing import ClassVar, Literal

import numpy as np

from seethrough.bench.bench import Bench
from seethrough.bench.neighbours import Extremal
from seethrough.bench.projections import (
    MOST_REFITTED,
    MOST_SEARCHED,
    REFITS,
    DrawnRows,
    HalvedProjections,
    TwoNearestProjected,
    two_nearest,
)
from seethrough.data.release import Part
from seethrough.errors import ConfigError, NotApplicable
from seethrough.kernels.arrays import Floats
from seethrough.kernels.statistics.intervals import bounded_mean, student_widening
from seethrough.results.card import Card, Category, Evidence, Verdict
from seethrough.results.estimate import Estimate
from seethrough.results.outcome import Measurement


@dataclass(frozen=True)
class DistanceRatio:
    """One minus the mean ratio of the nearest to the second nearest distance."""

    card: ClassVar[Card] = Card(
        name="nndr",
        title="Nearest neighbour distance ratio",
        question="Are synthetic rows much nearer to one real record than to the next?",
        cannot_tell="Anything between copies and chance in a projection: other rows score 1 / (k + 1) there.",
        category=Category.REIDENTIFICATION,
        evidence=Evidence.SIMILARITY,
        raw_unit="mean ratio of distances",
        formula="1 - mean over z of d1(z) / d2(z), with d1 <= d2 the distances to the two nearest real records",
        cites=("doi:10.1038/s41746-023-00771-5",),
        ordering=Verdict.SOMETIMES,
        monotone=Verdict.INADEQUATE,
        version=2,
    )
    dimensions: int | None = 2
    per: Literal["synthetic", "real"] = "synthetic"
    calibrated: bool = False
    reading: Literal["canonical", "paper-a"] = "canonical"
    confidence: float = 0.95

    def __post_init__(self) -> None:
        """Refuse what has no meaning."""
        if self.dimensions is not None and self.dimensions < 1:
            raise ConfigError(f"parameter nndr.dimensions is {self.dimensions}; 1 or more, or none, is expected")
        if self.calibrated and (self.dimensions is None or self.reading == "paper-a"):
            raise ConfigError("parameter nndr.calibrated needs a projection and the canonical reading")

    def measure(self, bench: Bench[Part], rng: np.random.Generator) -> Measurement:
        """Average the ratio over the rows."""
        target, source = (Part.TRAIN, Part.SYNTHETIC) if self.per == "synthetic" else (Part.SYNTHETIC, Part.TRAIN)
        if len(bench.table(target)) < 2:
            raise NotApplicable("a second nearest row needs a table of at least two rows")
        if self.dimensions is None:
            first, second = bench.get(Extremal(target, source, depth=2)).nearest
        else:
            first, second = bench.get(TwoNearestProjected(source, target, Part.TRAIN, self.dimensions))
        r = ratios(first, second, self.reading)
        scores = r if self.reading == "paper-a" else 1 - r
        value = float(scores.mean())
        low, high = bounded_mean(scores, self.confidence, rng)
        wider = 1.0 if self.dimensions is None or low == high else self._widening(bench, scores, self.dimensions)
        low, high = max(0.0, value - (value - low) * wider), min(1.0, value + (high - value) * wider)
        chance = 1 / (self.dimensions + 1) if self.calibrated and self.dimensions else 0.0
        value, low, high = (
            max(0.0, (end - chance) / (1 - chance)) for end in (value, min(low, value), max(high, value))
        )
        return Measurement(
            risk=Estimate(value, low, high, self.confidence),
            raw=float(r.mean()),
            n=len(r),
            per_record=scores if self.per == "real" else None,
        )

    def _widening(self, bench: Bench[Part], scores: Floats, dimensions: int) -> float:
        """Say how much wider the mean spreads with the real table than over single rows, at least 1."""
        halves = bench.get(HalvedProjections(Part.TRAIN, dimensions))
        plain = float(scores.std(ddof=1)) / sqrt(len(scores)) if len(scores) > 1 else 0.0
        if len(halves) < REFITS or plain == 0:
            return 1.0
        released = bench.get(DrawnRows(Part.SYNTHETIC, MOST_SEARCHED))
        means = []
        for half, projection in halves:
            real, made = projection.coordinates(half), projection.coordinates(released)
            r = ratios(*(two_nearest(made, real) if self.per == "synthetic" else two_nearest(real, made)), self.reading)
            means.append(float(r.mean()))
        rows = len(bench.table(Part.TRAIN))
        moved = float(np.std(means, ddof=1)) * sqrt(min(1.0, MOST_REFITTED / rows))
        return max(1.0, moved / plain) * student_widening(REFITS, self.confidence)


def ratios(first: Floats, second: Floats, reading: str) -> Floats:
    """Divide nearest by second nearest distances, 1 where the reading says that nothing is singled out."""
    alike = first == 0 if reading == "paper-a" else second == 0
    return np.where(alike, 1.0, first / np.where(second == 0, 1.0, second))
