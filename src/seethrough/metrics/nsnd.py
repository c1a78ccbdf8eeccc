"""Nearest synthetic neighbour distance: how near the nearest synthetic row is, on average.

NSND' = 1 - mean over i of u_i, where u_i is the distance of real record i to its nearest synthetic row, brought to
[0, 1]; the mean itself is the raw value.

References
----------
Qian, Cebere, van der Schaar 2023, arXiv:2301.07573 (synthcity); Trudslev et al. 2025 and Hansen and Staer 2025
(reviews).

Deviations
----------
Trudslev et al. report the mean as it is, which is 0 for a copy; the value here is turned so that a copy scores 1,
and the mean is the raw value. As for `cvp`, the default norm is a fraction of the diameter of the real table;
`norm=pairs` and `norm=nn` are the papers' and the programs' own. Where all distances agree, PrivEval returns 0,
even for a copy; here that counts as near, with a warning.
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
from seethrough.kernels.statistics.intervals import bounded_mean
from seethrough.results.card import Card, Category, Evidence, RestsOn, Verdict
from seethrough.results.estimate import Estimate
from seethrough.results.explained.worked import Step, Worked
from seethrough.results.outcome import Measurement


@dataclass(frozen=True)
class NearestSyntheticDistance:
    """One minus the mean normalised distance to the nearest synthetic row."""

    card: ClassVar[Card] = Card(
        name="nsnd",
        title="Nearest synthetic neighbour distance",
        question="How near is the nearest synthetic row to a real record, as a fraction of how far it could be?",
        cannot_tell="Whether nearness is a leak: any release in the range of the data is fairly near.",
        category=Category.REIDENTIFICATION,
        evidence=Evidence.SIMILARITY,
        raw_unit="mean normalised distance",
        formula="1 - mean over i of u_i, with u_i = min(1, d_YZ(i) / diameter of the real table)",
        cites=("arXiv:2301.07573",),
        ordering=Verdict.INADEQUATE,
        monotone=Verdict.INADEQUATE,
        version=2,
        looks_at="The released row nearest to a person, and its distance as a fraction of how far it could be.",
        flagged_from=0.99,
        rests_on=RestsOn.DISTANCE,
    )
    norm: Ends = "absolute"
    space: Space = "gower"
    confidence: float = 0.95

    def __post_init__(self) -> None:
        """Refuse what has no meaning."""
        refuse_endless(self.norm, self.space)

    def measure(self, bench: Bench[Part], rng: np.random.Generator) -> Measurement:
        """Average over the real records."""
        found = bench.get(NormalisedNearest(self.norm, self.space))
        mean = float(found.values.mean())
        low, high = bounded_mean(1 - found.values, self.confidence, rng)
        return Measurement(
            risk=Estimate(1 - mean, min(low, 1 - mean), max(high, 1 - mean), self.confidence),
            raw=mean,
            n=len(found.values),
            per_record=1 - found.values,
            warnings=found.warnings,
        )

    def work_through(self, bench: Bench[Part], example: Example) -> Worked:
        """Show the nearest released row, and its distance as a fraction."""
        near = work_closeness(bench, example, self.norm, self.space)
        value = 1 - near.value
        written = f"{near.written}; nsnd(y) = 1 - {say_number(near.value)} = {say_number(value)}"
        formula = Step(near.said, written, {**near.numbers, "nsnd(y)": value})
        return Worked(self.card.name, (near.looked, formula, mean_step(example, value)), value)
