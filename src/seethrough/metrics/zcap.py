"""Zero CAP: an attacker who knows the keys looks for exact matches and reads off their secret.

For a real record y let M be the synthetic rows with y's keys and C those of them that also have y's secret;
zcap(y) = C / M, and 0 when nothing matches. The score is the mean over the real records. Against a copy of the
real table it is 1 only if the keys determine the secret. An attacker whose matches were drawn at random
would be right with the base rate, the sum over values s of P_real(s) P_synthetic(s), on the records that match.

References
----------
Elliot 2014, "Final report on the disclosure risk associated with the synthetic data produced by the SYLLS team";
Hittmeir, Mayer, Ekelhart 2020, doi:10.1145/3374664.3375722; Trudslev et al. 2025 and Hansen and Staer 2025 (reviews).

Deviations
----------
Hansen and Staer's listing returns one minus this mean, against their own text; the direction here is the text's.
Several secrets are guessed together: all of them have to be right.
"""

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from seethrough.data.release import Part
from seethrough.kernels.intervals import bounded_mean
from seethrough.kernels.points import Floats
from seethrough.results import Card, Category, Estimate, Evidence, Measurement, Need, Verdict
from seethrough.shared.bench import Bench
from seethrough.shared.guesses import Agreement, worst_guess

FEW = 0.05


@dataclass(frozen=True)
class ZeroCap:
    """How often exact matches on the keys give the secret away."""

    card: ClassVar[Card] = Card(
        name="zcap",
        title="Zero CAP",
        question="Knowing the key columns, how often do synthetic rows with the same keys show the right secret?",
        cannot_tell="Whether the secret was leaked or follows from the keys in anyone: compare with the base rate "
        "and the independent control. Keys with many values hardly ever match, and then it is near 0.",
        category=Category.RECONSTRUCTION,
        evidence=Evidence.ATTACK,
        raw_unit="mean share of right secrets",
        formula="mean over y of #{z : z[K] = y[K], z[S] = y[S]} / max(1, #{z : z[K] = y[K]})",
        cites=("doi:10.1145/3374664.3375722",),
        ordering=Verdict.SOMETIMES,
        monotone=Verdict.INADEQUATE,
        needs=(Need.SECRET,),
        flags_at=0.5,
    )
    secret: tuple[str, ...] = ()
    confidence: float = 0.95

    def measure(self, bench: Bench[Part], rng: np.random.Generator) -> Measurement:
        """Try every guess and show the one that gains most over its base rate."""
        worst = worst_guess(bench, self.secret, zcap)
        matched = float((worst.agreement.distance == 0).mean())
        low, high = bounded_mean(worst.scores, self.confidence, rng)
        few = (f"only {matched:.1%} of the real records have a synthetic row with their keys",) if matched < FEW else ()
        return Measurement(
            risk=Estimate(worst.risk, low, high, self.confidence),
            raw=worst.risk,
            n=len(worst.scores),
            base_rate=worst.agreement.base_rate,
            per_record=worst.scores,
            details=worst.details | {"share of records matched": round(matched, 4)},
            warnings=worst.warnings + few,
            settled=replace(self, secret=worst.guess.secrets),
        )


def zcap(agreement: Agreement) -> Floats:
    """Share of right secrets among the exact matches of each record, 0 without a match."""
    return np.where(agreement.distance == 0, agreement.agree / agreement.nearest, 0.0)
