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
from seethrough.bench.neighbours import Extremal, remark_on_asking
from seethrough.bench.person.example import (
    Example,
    distances_to,
    list_rows,
    mean_step,
    nearest_first,
    say_number,
    whole_table,
)
from seethrough.bench.person.projected import place_in_projection
from seethrough.bench.projections import (
    MOST_REFITTED,
    MOST_SEARCHED,
    REFITS,
    DrawnRows,
    HalvedProjections,
    Projected,
    TwoNearestProjected,
    two_nearest,
)
from seethrough.data.release import Part
from seethrough.errors import ConfigError, NotApplicable
from seethrough.kernels.arrays import Floats
from seethrough.kernels.statistics.intervals import bounded_mean, student_widening
from seethrough.results.card import Card, Category, Evidence, Verdict
from seethrough.results.estimate import Estimate
from seethrough.results.explained.worked import Step, Worked
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
        looks_at="The released rows whose nearest real record is this person, and how near the next one is.",
        flagged_from=0.5,
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
        target = Part.TRAIN if self.per == "synthetic" else Part.SYNTHETIC
        if len(bench.table(target)) < 2:
            raise NotApplicable("a second nearest row needs a table of at least two rows")
        first, second = self._two_nearest(bench)
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
            warnings=remark_on_asking(bench, Part.SYNTHETIC) if self.per == "synthetic" else (),
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

    def work_through(self, bench: Bench[Part], example: Example) -> Worked:
        """Show the released rows that are nearest to this person, and how much nearer than to the next."""
        if self.per == "real":
            return self._work_real(bench, example)
        first, second = self._two_nearest(bench)
        far = self._distances(bench, example)
        rows = np.flatnonzero(far <= first * (1 + 1e-12))
        r = ratios(first[rows], second[rows], self.reading)
        said = (
            f"Released rows whose nearest real record is this person: {len(rows):,} of {len(first):,}. "
            "Each has a ratio r = d1 / d2 of its distances to the nearest and to the next real record."
        )
        shown, remark = (
            (rows, "nearest to this person") if len(rows) else (nearest_first(far), "nearer to another person")
        )
        listed = list_rows(bench, example, Part.SYNTHETIC, shown, remark, far[shown])
        looked = Step(said, "", {"rows": float(len(rows)), "of": float(len(first))}, (listed,))
        mean = example.found.raw or 0.0
        own = "none" if not len(rows) else say_number(float(r.mean()))
        written = f"mean r = {say_number(mean)}; of the rows nearest to this person: {own}"
        numbers = {"mean r": mean} | ({"r here": float(r.mean())} if len(rows) else {})
        return whole_table(
            self.card.name, example, looked, Step("Only the mean over all released rows counts:", written, numbers)
        )

    def _work_real(self, bench: Bench[Part], example: Example) -> Worked:
        """Compare the two released rows nearest to this person."""
        far = self._distances(bench, example)
        rows = nearest_first(far)
        if self.dimensions is None:
            first, second = (np.sort(far)[[place]] for place in (0, 1))
        else:
            others = bench.get(Projected(Part.SYNTHETIC, Part.TRAIN, self.dimensions))
            first, second = two_nearest(place_in_projection(bench, example, self.dimensions), others)
        r = ratios(first, second, self.reading)
        value = float((r if self.reading == "paper-a" else 1 - r)[0])
        d1, d2 = float(first[0]), float(second[0])
        said = f"The nearest released row is at distance d1 = {say_number(d1)}, the next at d2 = {say_number(d2)}."
        listed = list_rows(bench, example, Part.SYNTHETIC, rows, "nearest released rows", far[rows])
        turned = "r" if self.reading == "paper-a" else "1 - r"
        written = f"nndr(y) = {turned}, r = {say_number(d1)} / {say_number(d2)}: {say_number(value)}"
        steps = Step(said, "", {"d1": d1, "d2": d2}, (listed,)), Step("The ratio:", written, {"nndr(y)": value})
        return Worked(self.card.name, (*steps, mean_step(example, value)), value)

    def _two_nearest(self, bench: Bench[Part]) -> tuple[Floats, Floats]:
        target, source = (Part.TRAIN, Part.SYNTHETIC) if self.per == "synthetic" else (Part.SYNTHETIC, Part.TRAIN)
        if self.dimensions is None:
            first, second = bench.get(Extremal(target, source, depth=2)).nearest
            return first, second
        return bench.get(TwoNearestProjected(source, target, Part.TRAIN, self.dimensions))

    def _distances(self, bench: Bench[Part], example: Example) -> Floats:
        if self.dimensions is None:
            return distances_to(bench, example, Part.SYNTHETIC)
        others = bench.get(Projected(Part.SYNTHETIC, Part.TRAIN, self.dimensions))
        mine = place_in_projection(bench, example, self.dimensions)
        return np.asarray(np.sqrt(np.square(others - mine).sum(axis=1)))


def ratios(first: Floats, second: Floats, reading: str) -> Floats:
    """Divide nearest by second nearest distances, 1 where the reading says that nothing is singled out."""
    alike = first == 0 if reading == "paper-a" else second == 0
    return np.where(alike, 1.0, first / np.where(second == 0, 1.0, second))
