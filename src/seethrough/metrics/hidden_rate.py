"""Hidden rate: how many real records are nearest to the very synthetic row that was made from them?

It needs to know which synthetic row came from which real record. With g(i) the row made from record i: a hit when
no synthetic row is nearer to y_i than z_g(i) in a two-dimensional projection fitted on the real table. The score is
the share of hits. Where the pairing is an accident it is about 1 / m.

References
----------
Guillaudeux et al. 2023, doi:10.1038/s41746-023-00771-5; Trudslev et al. 2025 and Hansen and Staer 2025 (reviews).

Deviations
----------
The original counts misses, in per cent, so that higher is more private. Most generators have no pairing; the check is
skipped unless the user says that row i was made from record i (`assume_aligned`) or gives the pairing (`origin`). A
tie is a hit (`ties=hit`), or counts by its share (`ties=fraction`). The copy control is the real table in its own
order.
"""

from dataclasses import dataclass, replace
from typing import ClassVar, Literal

import numpy as np
import numpy.typing as npt
from scipy.spatial import KDTree

from seethrough.bench.bench import Bench
from seethrough.bench.person.example import Example, list_rows, mean_step, say_number
from seethrough.bench.person.nearness import comparison_formula
from seethrough.bench.person.projected import near_in_projection, place_in_projection
from seethrough.bench.projections import NearestProjected, Projected
from seethrough.data.release import Part
from seethrough.errors import NotApplicable
from seethrough.kernels.arrays import Floats, Ints
from seethrough.kernels.statistics.intervals import bounded_mean
from seethrough.results.card import Card, Category, Evidence, Need, Verdict
from seethrough.results.estimate import Estimate
from seethrough.results.explained.worked import Lacking, Step, Worked
from seethrough.results.outcome import Measurement


@dataclass(frozen=True)
class HiddenRate:
    """The share of real records whose own synthetic row is the nearest one."""

    card: ClassVar[Card] = Card(
        name="hidden-rate",
        title="Hidden rate",
        question="How many real records lie nearest to the synthetic row that was made from them?",
        cannot_tell="Anything for a generator that does not make each row from one record.",
        category=Category.TRACING,
        evidence=Evidence.SIMILARITY,
        raw_unit="share of real records",
        formula="mean over i of [no z is nearer to y_i than z_g(i)], in the projection",
        cites=("doi:10.1038/s41746-023-00771-5",),
        ordering=Verdict.SOMETIMES,
        monotone=Verdict.INADEQUATE,
        needs=(Need.ORIGIN,),
        version=2,
        looks_at="The released row that was made from a person, and the one that is nearest to it in the projection.",
        flagged_from=0.5,
    )
    assume_aligned: bool = False
    origin: tuple[int, ...] = ()
    ties: Literal["hit", "fraction"] = "hit"
    dimensions: int = 2
    confidence: float = 0.95

    def measure(self, bench: Bench[Part], rng: np.random.Generator) -> Measurement:
        """Compare the distance to the own row with the smallest one."""
        own = self._origin(len(bench.table(Part.TRAIN)), len(bench.table(Part.SYNTHETIC)))
        real = bench.get(Projected(Part.TRAIN, Part.TRAIN, self.dimensions))
        synthetic = bench.get(Projected(Part.SYNTHETIC, Part.TRAIN, self.dimensions))
        nearest = bench.get(NearestProjected(Part.TRAIN, Part.SYNTHETIC, Part.TRAIN, self.dimensions))
        hits = own_is_nearest(real, synthetic[own], nearest).astype(np.float64)
        if self.ties == "fraction":
            hits /= count_ties(real, synthetic, nearest)
        low, high = bounded_mean(hits, self.confidence, rng)
        value = float(hits.mean())
        return Measurement(
            risk=Estimate(value, min(low, value), max(high, value), self.confidence),
            raw=value,
            n=len(hits),
            base_rate=1 / len(synthetic),
            per_record=hits,
        )

    def _origin(self, rows: int, others: int) -> Ints:
        if self.origin:
            if len(self.origin) != rows or not all(0 <= place < others for place in self.origin):
                raise NotApplicable(
                    f"the pairing does not name one of {others} synthetic rows for each of {rows} records"
                )
            return np.array(self.origin)
        if not self.assume_aligned:
            raise NotApplicable("it is not known which synthetic row was made from which real record")
        if rows != others:
            raise NotApplicable(f"{rows} real records and {others} synthetic rows cannot be paired in order")
        return np.arange(rows)

    def work_through(self, bench: Bench[Part], example: Example) -> Worked | Lacking:
        """Show the row that was made from this person beside the nearest one."""
        if example.row is None:
            return Lacking(self.card.name, "no released row was made from a person who was typed in")
        own = int(self._origin(len(bench.table(Part.TRAIN)), len(bench.table(Part.SYNTHETIC)))[example.row])
        synthetic = bench.get(Projected(Part.SYNTHETIC, Part.TRAIN, self.dimensions))
        mine = place_in_projection(bench, example, self.dimensions)
        near = near_in_projection(bench, example, self.dimensions)
        nearest = np.array([near.smallest])
        hit = own_is_nearest(mine, synthetic[[own]], nearest).astype(np.float64)
        ties = count_ties(mine, synthetic, nearest) if self.ties == "fraction" else np.ones(1, np.int64)
        value, far = float((hit / ties)[0]), float(np.sqrt(np.square(mine - synthetic[own]).sum(axis=1))[0])
        made = list_rows(bench, example, Part.SYNTHETIC, np.array([own]), "made from this person", np.array([far]))
        looked = replace(near.looked, rows=(made, *near.looked.rows))
        written = f"hit(y) = {comparison_formula('d(y, z_g)', '<=', 'd_YZ', (far, near.smallest), float(hit[0]))}"
        written += f" / {ties[0]} = {say_number(value)}" if self.ties == "fraction" else ""
        formula = Step("The person counts where no released row is nearer than its own:", written, {"hit(y)": value})
        return Worked(self.card.name, (looked, formula, mean_step(example, value, "By accident of pairing:")), value)


def own_is_nearest(real: Floats, own: Floats, nearest: Floats) -> npt.NDArray[np.bool_]:
    """Tell for which records no synthetic row is nearer than their own."""
    distance: Floats = np.sqrt(np.square(real - own).sum(axis=1))
    return distance <= nearest * (1 + 1e-12)


def count_ties(real: Floats, synthetic: Floats, nearest: Floats) -> Ints:
    """Count the synthetic rows at the smallest distance of each record."""
    balls = KDTree(synthetic).query_ball_point(real, nearest * (1 + 1e-12), return_length=True)
    return np.maximum(1, np.asarray(balls, np.int64))
