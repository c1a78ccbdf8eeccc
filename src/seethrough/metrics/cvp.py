"""Close values probability: the share of real records with a synthetic row in their neighbourhood.

CVP = mean over i of [u_i <= 0.2], where u_i is the distance of real record i to its nearest synthetic row, brought
to [0, 1]. By default u_i is a fraction of the diameter of the box that the real table spans, so that a copy scores
1 and a far table 0.

References
----------
Qian, Cebere, van der Schaar 2023, arXiv:2301.07573 (synthcity); Trudslev et al. 2025 and Hansen and Staer 2025
(reviews).

Deviations
----------
Trudslev et al. normalise by the extremes of all pairs (`norm=pairs`), synthcity and PrivEval by those of the
nearest distances (`norm=nn`). Both ignore a shift of the whole table: data far from every real record then scores
as close as a copy, which is why they are not the default. PrivEval compares with `<` (`strict`).
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from seethrough.bench.bench import Bench
from seethrough.bench.normalised_distance import Ends, NormalisedNearest, refuse_endless
from seethrough.bench.person.closeness import work_closeness
from seethrough.bench.person.example import Example, mean_step
from seethrough.bench.person.nearness import comparison_formula
from seethrough.data.encoding import Space
from seethrough.data.release import Part
from seethrough.errors import ConfigError
from seethrough.kernels.statistics.intervals import wilson
from seethrough.results.card import Card, Category, Evidence, RestsOn, Verdict
from seethrough.results.estimate import Estimate
from seethrough.results.explained.worked import Step, Worked
from seethrough.results.outcome import Measurement


@dataclass(frozen=True)
class CloseValues:
    """The share of real records that are close to the release."""

    card: ClassVar[Card] = Card(
        name="cvp",
        title="Close values probability",
        question="How many real records have a synthetic row in their neighbourhood?",
        cannot_tell="Whether nearness is a leak: in a table of few columns everything is near to something.",
        category=Category.REIDENTIFICATION,
        evidence=Evidence.SIMILARITY,
        raw_unit="share of real records",
        formula="mean over i of [u_i <= near], with u_i = min(1, d_YZ(i) / diameter of the real table)",
        cites=("arXiv:2301.07573",),
        ordering=Verdict.INADEQUATE,
        monotone=Verdict.INADEQUATE,
        looks_at="The released row nearest to a person, and whether it is close, as a fraction of how far it could be.",
        flagged_from=0.5,
        rests_on=RestsOn.DISTANCE,
    )
    near: float = 0.2
    norm: Ends = "absolute"
    strict: bool = False
    space: Space = "gower"
    confidence: float = 0.95

    def __post_init__(self) -> None:
        """Refuse what has no meaning."""
        refuse_endless(self.norm, self.space)
        if not 0 <= self.near <= 1:
            raise ConfigError(f"parameter cvp.near is {self.near}; a number from 0 to 1 is expected")

    def measure(self, bench: Bench[Part], rng: np.random.Generator) -> Measurement:
        """Count the records within the neighbourhood."""
        found = bench.get(NormalisedNearest(self.norm, self.space))
        close = found.values < self.near if self.strict else found.values <= self.near
        share = float(close.mean())
        low, high = wilson(int(close.sum()), len(close), self.confidence)
        return Measurement(
            risk=Estimate(share, low, high, self.confidence),
            raw=share,
            n=len(close),
            per_record=close.astype(np.float64),
            warnings=found.warnings,
        )

    def work_through(self, bench: Bench[Part], example: Example) -> Worked:
        """Show the nearest released row, and whether it is in the neighbourhood."""
        near = work_closeness(bench, example, self.norm, self.space)
        value, comparison = float(near.value <= self.near), "<="
        if self.strict:
            value, comparison = float(near.value < self.near), "<"
        written = f"cvp(y) = {comparison_formula('u', comparison, 'near', (near.value, self.near), value)}"
        formula = Step(near.said, f"{near.written}; {written}", {**near.numbers, "cvp(y)": value})
        return Worked(self.card.name, (near.looked, formula, mean_step(example, value)), value)
