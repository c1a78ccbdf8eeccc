"""Nearest neighbour distance ratio: do synthetic rows single out one real record?

For a synthetic row let d1 <= d2 be the distances to its two nearest real records (other rows, also when they are
equal) in a two-dimensional projection fitted on the real table; r = d1 / d2, and 1 when d2 = 0. The risk is 1 -
mean r: 1 when every row sits on a real record that has no twin. Rows that are not copies score 1 / (k + 1) in k
dimensions whatever the generator does, one third for k = 2: the score has to be read against that, or calibrated,
or taken without projection.

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
from typing import ClassVar, Literal

import numpy as np

from seethrough.bench.bench import Bench
from seethrough.bench.neighbours import Extremal
from seethrough.bench.projections import TwoNearestProjected
from seethrough.data.release import Part
from seethrough.errors import ConfigError, NotApplicable
from seethrough.kernels.arrays import Floats
from seethrough.kernels.statistics.intervals import bounded_mean
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
        low, high = bounded_mean(scores, self.confidence, rng)
        value = float(scores.mean())
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


def ratios(first: Floats, second: Floats, reading: str) -> Floats:
    """Divide nearest by second nearest distances, 1 where the reading says that nothing is singled out."""
    alike = first == 0 if reading == "paper-a" else second == 0
    return np.where(alike, 1.0, first / np.where(second == 0, 1.0, second))
