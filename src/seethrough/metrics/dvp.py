"""Distant values probability: the share of real records that are not far from every synthetic row.

DVP' = 1 - mean over i of [u_i >= 0.8], where u_i is the distance of real record i to its nearest synthetic row,
brought to [0, 1]; the share of distant records itself is the raw value. It hardly ever leaves 1 on real data.

References
----------
Qian, Cebere, van der Schaar 2023, arXiv:2301.07573 (synthcity); Trudslev et al. 2025 and Hansen and Staer 2025
(reviews).

Deviations
----------
As for `cvp`: the default norm is a fraction of the diameter of the real table; `norm=pairs` and `norm=nn` are the
papers' and the programs' own.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from seethrough.bench.bench import Bench
from seethrough.bench.normalised_distance import Ends, NormalisedNearest, refuse_endless
from seethrough.bench.person.closeness import work_closeness
from seethrough.bench.person.example import Example, mean_step, say_number
from seethrough.data.encoding import Space
from seethrough.data.release import Part
from seethrough.errors import ConfigError
from seethrough.kernels.statistics.intervals import wilson
from seethrough.results.card import Card, Category, Evidence, RestsOn, Verdict
from seethrough.results.estimate import Estimate
from seethrough.results.explained.worked import Step, Worked
from seethrough.results.outcome import Measurement


@dataclass(frozen=True)
class DistantValues:
    """The share of real records that are not far from the release."""

    card: ClassVar[Card] = Card(
        name="dvp",
        title="Distant values probability",
        question="How many real records are not far away from every synthetic row?",
        cannot_tell="Much at all: any release in the range of the data scores near 1.",
        category=Category.REIDENTIFICATION,
        evidence=Evidence.SIMILARITY,
        raw_unit="share of distant real records",
        formula="1 - mean over i of [u_i >= far], with u_i = min(1, d_YZ(i) / diameter of the real table)",
        cites=("arXiv:2301.07573",),
        ordering=Verdict.INADEQUATE,
        monotone=Verdict.INADEQUATE,
        looks_at="The released row nearest to a person, and whether it is far, as a fraction of how far it could be.",
        flagged_from=0.5,
        rests_on=RestsOn.DISTANCE,
    )
    far: float = 0.8
    norm: Ends = "absolute"
    space: Space = "gower"
    confidence: float = 0.95

    def __post_init__(self) -> None:
        """Refuse what has no meaning."""
        refuse_endless(self.norm, self.space)
        if not 0 <= self.far <= 1:
            raise ConfigError(f"parameter dvp.far is {self.far}; a number from 0 to 1 is expected")

    def measure(self, bench: Bench[Part], rng: np.random.Generator) -> Measurement:
        """Count the records that are not distant."""
        found = bench.get(NormalisedNearest(self.norm, self.space))
        near = found.values < self.far
        low, high = wilson(int(near.sum()), len(near), self.confidence)
        return Measurement(
            risk=Estimate(float(near.mean()), low, high, self.confidence),
            raw=1 - float(near.mean()),
            n=len(near),
            per_record=near.astype(np.float64),
            warnings=found.warnings,
        )

    def work_through(self, bench: Bench[Part], example: Example) -> Worked:
        """Show the nearest released row, and whether it is far away."""
        near = work_closeness(bench, example, self.norm, self.space)
        value = float(near.value < self.far)
        written = f"dvp(y) = 1 - [u >= far] = 1 - [{say_number(near.value)} >= {self.far:g}] = {value:g}"
        formula = Step(near.said, f"{near.written}; {written}", {**near.numbers, "dvp(y)": value})
        return Worked(self.card.name, (near.looked, formula, mean_step(example, value)), value)
