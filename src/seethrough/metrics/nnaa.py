"""Nearest neighbour adversarial accuracy: can real and synthetic rows be told apart by their nearest neighbour?

AA = ( mean over real rows of [d_YZ > d_YY] + mean over synthetic rows of [d_ZY > d_ZZ] ) / 2, where d_YZ is the
distance to the nearest row of the other table and d_YY to the nearest other row of the own one. The risk is 1 - AA:
1 for a copy, 1/2 for a fresh sample of the same population whatever the two sizes are, 0 for tables far apart.

References
----------
Yale et al. 2020, doi:10.1016/j.neucom.2019.12.136; Trudslev et al. 2025 and Hansen and Staer 2025 (reviews).

Deviations
----------
One fixed scale for all four distances, taken from the real table; programs that scale each search by its own
range let a single extreme synthetic row change the score. No resampling to equal sizes: none is needed.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from seethrough.data.release import Part
from seethrough.errors import NotApplicable
from seethrough.kernels.intervals import mean_of_two, wilson
from seethrough.results import Card, Category, Estimate, Evidence, Measurement, Verdict
from seethrough.shared.bench import Bench
from seethrough.shared.neighbours import NearestBetween, NearestOther


@dataclass(frozen=True)
class AdversarialAccuracy:
    """How well nearest neighbours mix the two tables."""

    card: ClassVar[Card] = Card(
        name="nnaa",
        title="Nearest neighbour adversarial accuracy",
        question="Do real and synthetic rows have their nearest neighbour in the other table?",
        cannot_tell="Whether mixing is copying: a fresh sample of the same population scores one half.",
        category=Category.TRACING,
        evidence=Evidence.SIMILARITY,
        raw_unit="adversarial accuracy",
        formula="1 - ( mean_i [d_YZ(i) > d_YY(i)] + mean_j [d_ZY(j) > d_ZZ(j)] ) / 2",
        cites=("doi:10.1016/j.neucom.2019.12.136",),
        ordering=Verdict.SOMETIMES,
        monotone=Verdict.INADEQUATE,
    )
    confidence: float = 0.95

    def measure(self, bench: Bench[Part], rng: np.random.Generator) -> Measurement:
        """Compare, for the rows of both tables, the nearest row across with the nearest at home."""
        for part, name in ((Part.TRAIN, "real"), (Part.SYNTHETIC, "synthetic")):
            if len(bench.table(part)) < 2:
                raise NotApplicable(f"a nearest other row needs at least two {name} rows")
        across = bench.get(NearestBetween(Part.TRAIN, Part.SYNTHETIC))
        real = across.rows <= bench.get(NearestOther(Part.TRAIN))
        synthetic = across.columns <= bench.get(NearestOther(Part.SYNTHETIC))
        shares = [
            (float(part.mean()), wilson(int(part.sum()), len(part), self.confidence)) for part in (real, synthetic)
        ]
        risk = (shares[0][0] + shares[1][0]) / 2
        return Measurement(
            risk=Estimate(risk, *mean_of_two(*shares), self.confidence),
            raw=1 - risk,
            n=len(real) + len(synthetic),
            per_record=real.astype(np.float64),
            details={"real rows mixed": round(shares[0][0], 4), "synthetic rows mixed": round(shares[1][0], 4)},
        )
