"""Median distance to the closest record: are synthetic rows as near to real records as real records are to each other?

r = median of d_YZ / median of d_YY, with d_YZ the distance of a real record to its nearest synthetic row and d_YY
to its nearest other real record. The risk is 2 (1 - sigmoid(r)) = 1 - tanh(r / 2): 1 for a copy, 0.538 where the
medians agree, 0 far away. The ratio itself is the raw value and the most useful number here.

The interval comes from those of the two medians (order statistics), combined on the scale of logarithms.

References
----------
Lautrup et al. 2025, doi:10.1007/s10618-024-01081-4 (SynthEval); Trudslev et al. 2025 and Hansen and Staer 2025
(reviews).

Deviations
----------
Trudslev et al. print sigmoid(r), which calls a far table risky (`squash=paper-a`); PrivEval's program returns 1 -
sigmoid(r), at most one half (`squash=priveval`); SynthEval's reading is 1 - tanh(r) over synthetic rows
(`squash=tanh`, `per=synthetic`). Hansen and Staer print 3 - sigmoid(r), which leaves [0, 1]. A median of 0 among
real records: the ratio is 1 if the other median is 0 as well, infinite (risk 0, raw value none) otherwise, both
with a warning; other programs return 0 or 1 there without one.
"""

from dataclasses import dataclass
from math import exp, inf, tanh
from typing import ClassVar, Literal

import numpy as np

from seethrough.bench.bench import Bench
from seethrough.bench.neighbours import NearestBetween, NearestFrom, NearestOther, remark_on_asking
from seethrough.bench.person.example import Example, say_number, whole_table
from seethrough.bench.person.nearness import around_step, rows_around
from seethrough.data.encoding import Space
from seethrough.data.release import Part
from seethrough.errors import NotApplicable
from seethrough.kernels.statistics.intervals import median, ratio
from seethrough.results.card import Card, Category, Evidence, RestsOn, Verdict
from seethrough.results.estimate import Estimate
from seethrough.results.explained.worked import Step, Worked
from seethrough.results.outcome import Measurement

MEDIANS = "median across", "median among real records"
Squash = Literal["sigmoid", "tanh", "priveval", "paper-a"]


@dataclass(frozen=True)
class MedianDistance:
    """The median distance across, in units of the median distance among real records."""

    card: ClassVar[Card] = Card(
        name="mdcr",
        title="Median distance to closest record",
        question="Is the nearest synthetic row, in the median, nearer than the nearest other real record?",
        cannot_tell="Whether nearness is a leak: a fresh sample of the same population scores about 0.54.",
        category=Category.REIDENTIFICATION,
        evidence=Evidence.SIMILARITY,
        raw_unit="ratio of medians",
        formula="2 (1 - sigmoid(r)), with r = median d_YZ / median d_YY",
        cites=("doi:10.1007/s10618-024-01081-4",),
        ordering=Verdict.SOMETIMES,
        monotone=Verdict.SOMETIMES,
        looks_at="The released row and the other real record nearest to a person, and the medians over all people.",
        rests_on=RestsOn.DISTANCE,
    )
    per: Literal["real", "synthetic"] = "real"
    squash: Squash = "sigmoid"
    space: Space = "gower"
    confidence: float = 0.95

    def measure(self, bench: Bench[Part], rng: np.random.Generator) -> Measurement:
        """Compare the two medians."""
        if len(bench.table(Part.TRAIN)) < 2:
            raise NotApplicable("a nearest other real record needs at least two real records")
        pair = Part.TRAIN, Part.SYNTHETIC, self.space
        per_real = self.per == "real"
        across = bench.get(NearestFrom(*pair)) if per_real else bench.get(NearestBetween(*pair)).columns
        home = bench.get(NearestOther(Part.TRAIN, self.space))
        medians = median(across, self.confidence), median(home, self.confidence)
        value, low, high = ratio(*medians)
        low, high = sorted(squash_ratio(end, self.squash) for end in (low, high))
        degenerate = ("degenerate: at least half of the real records have a twin in the real table",)
        return Measurement(
            risk=Estimate(squash_ratio(value, self.squash), low, high, self.confidence),
            raw=None if value == inf else value,
            n=len(across),
            details={name: found[0] for name, found in zip(MEDIANS, medians, strict=True)},
            warnings=(
                *(degenerate if medians[1][0] == 0 else ()),
                *(() if per_real else remark_on_asking(bench, Part.SYNTHETIC)),
            ),
        )

    def work_through(self, bench: Bench[Part], example: Example) -> Worked:
        """Show the nearest row of either table, and where this person stands among all; there is no risk for each."""
        across, home = (rows_around(bench, example, part, self.space) for part in (Part.SYNTHETIC, Part.TRAIN))
        looked = around_step(bench, example, across, home)
        near = bench.get(NearestFrom(Part.TRAIN, Part.SYNTHETIC, self.space))
        nearer = float((near < across.smallest).mean())
        middle, among = (float(str(example.found.details[name])) for name in MEDIANS)
        said = (
            f"{nearer:.1%} of real records have a released row that is nearer. Only the medians over all count: "
            f"{say_number(middle)} to the nearest released row, {say_number(among)} to the nearest other real record."
        )
        numbers = {"nearer": nearer, "median d_YZ": middle, "median d_YY": among}
        ratio_said = "infinite" if example.found.raw is None else say_number(example.found.raw)
        written = f"r = {say_number(middle)} / {say_number(among)} = {ratio_said}"
        return whole_table(self.card.name, example, looked, Step(said, written, numbers))


def squash_ratio(value: float, squash: Squash) -> float:
    """Map a ratio to [0, 1]."""
    sigmoid = 1 / (1 + exp(-min(value, 700.0)))
    match squash:
        case "sigmoid":
            return 1 - tanh(value / 2)
        case "tanh":
            return 1 - tanh(value)
        case "priveval":
            return 1 - sigmoid
        case "paper-a":
            return sigmoid
