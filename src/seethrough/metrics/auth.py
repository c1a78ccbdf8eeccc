"""Authenticity: is the nearest synthetic row at least as near as the nearest other real record?

With d_YZ the distance of a real record to its nearest synthetic row and d_YY to its nearest other real record,
the risk is mean[d_YZ <= d_YY]; a tie counts as risk. A fresh sample of the same population gives about
m / (n - 1 + m), the chance that the nearest of n - 1 + m exchangeable rows is synthetic: 1/2 for tables of one size.

References
----------
Alaa et al. 2022, arXiv:2102.08921; Trudslev et al. 2025 and Hansen and Staer 2025 (reviews).

Deviations
----------
Alaa et al. score synthetic points (`per=synthetic`: a row is authentic when its nearest real record has another real
record nearer than it); the reviews, and this by default, score real records. The value here is one minus the share of
authentic records, so that 1 means no privacy. PrivEval looks at numbers alone (`space=numeric`).
"""

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
import numpy.typing as npt

from seethrough.bench.bench import Bench
from seethrough.bench.neighbours import AllNearest, NearestFrom, NearestOther
from seethrough.bench.person.example import Example, mean_step, whole_table
from seethrough.bench.person.nearness import around_step, comparison_formula, rows_around
from seethrough.data.encoding import Space
from seethrough.data.release import Part
from seethrough.errors import NotApplicable
from seethrough.kernels.arrays import Floats
from seethrough.kernels.neighbours.all_nearest import Nearest
from seethrough.kernels.statistics.intervals import wilson
from seethrough.results.card import Card, Category, Evidence, RestsOn, Verdict
from seethrough.results.estimate import Estimate
from seethrough.results.explained.worked import Step, Worked
from seethrough.results.outcome import Measurement


@dataclass(frozen=True)
class Authenticity:
    """The share of real records that a synthetic row is nearer to than any other real record."""

    card: ClassVar[Card] = Card(
        name="auth",
        title="Authenticity",
        question="For how many real records is a synthetic row at least as near as the nearest other real record?",
        cannot_tell="Whether nearness comes from copying: a fresh sample of the same size already scores one half.",
        category=Category.REIDENTIFICATION,
        evidence=Evidence.SIMILARITY,
        raw_unit="share of real records",
        formula="mean over i of [d_YZ(i) <= d_YY(i)]",
        cites=("arXiv:2102.08921",),
        ordering=Verdict.SOMETIMES,
        monotone=Verdict.SOMETIMES,
        looks_at="The released row and the other real record nearest to a person, and which of them is nearer.",
        flagged_from=0.5,
        rests_on=RestsOn.DISTANCE,
    )
    per: Literal["real", "synthetic"] = "real"
    space: Space = "gower"
    confidence: float = 0.95

    def measure(self, bench: Bench[Part], rng: np.random.Generator) -> Measurement:
        """Compare the two nearest rows of every record."""
        if len(bench.table(Part.TRAIN)) < 2:
            raise NotApplicable("a nearest other real record needs at least two real records")
        home = bench.get(NearestOther(Part.TRAIN, self.space))
        if self.per == "real":
            exposed = bench.get(NearestFrom(Part.TRAIN, Part.SYNTHETIC, self.space)) <= home
        else:
            exposed = unauthentic(bench.get(AllNearest(Part.SYNTHETIC, Part.TRAIN, self.space, Part.TRAIN)), home)
        share = float(exposed.mean())
        low, high = wilson(int(exposed.sum()), len(exposed), self.confidence)
        return Measurement(
            risk=Estimate(share, low, high, self.confidence),
            raw=share,
            n=len(exposed),
            per_record=exposed.astype(np.float64) if self.per == "real" else None,
        )

    def work_through(self, bench: Bench[Part], example: Example) -> Worked:
        """Show the nearest row of either table, and which is nearer."""
        across, home = (rows_around(bench, example, part, self.space) for part in (Part.SYNTHETIC, Part.TRAIN))
        looked = around_step(bench, example, across, home)
        if self.per == "synthetic":
            said = "With per = synthetic released rows are counted, not people: those as near to their nearest real "
            said += "record as that record's nearest other one."
            return whole_table(self.card.name, example, looked, Step(said, self.card.formula))
        value = float(across.smallest <= home.smallest)
        numbers = across.smallest, home.smallest
        written = f"auth(y) = {comparison_formula('d_YZ', '<=', 'd_YY', numbers, value)}"
        formula = Step("The person counts where a released row is at least as near:", written, {"auth(y)": value})
        return Worked(self.card.name, (looked, formula, mean_step(example, value)), value)


def unauthentic(nearest: Nearest, home: Floats) -> npt.NDArray[np.bool_]:
    """Tell which synthetic rows are as near to a nearest real record as that record's nearest other one."""
    reach = np.zeros(nearest.links.shape[1])
    np.maximum.at(reach, nearest.column_groups, home)
    farthest = nearest.links.multiply(reach).max(axis=1).toarray().ravel()
    found: npt.NDArray[np.bool_] = nearest.distances <= farthest[nearest.row_groups]
    return found
