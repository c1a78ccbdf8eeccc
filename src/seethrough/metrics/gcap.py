"""Generalized CAP: an attacker who knows the keys takes the synthetic rows nearest to them and reads off the secret.

For a real record y let T(y) be the synthetic rows that differ from y in the fewest key columns, all ties kept, with
multiplicity. gcap(y) is the share of T(y) that has y's secret; the score is the mean over the real records. An
independent table scores about the base rate, the sum over values s of P_real(s) P_synthetic(s), plus what the keys
say about the secret in anyone, so 0.8 may be no leak at all: read it against the base rate and the controls.

Where there is a holdout the base rate is the same score for its records, people who were not in the real table (at most
as many as real ones), and the raw value the risk minus that base rate, the leak; the base rate of guessing without the
keys is then among the details.

References
----------
Hittmeir, Mayer, Ekelhart 2020, doi:10.1145/3374664.3375722; Trudslev et al. 2025 and Hansen and Staer 2025 (reviews).

Deviations
----------
Trudslev et al. write a single nearest row; their text and divisor speak of all, which is taken. Hansen and
Staer's listing returns one minus this mean, against their own text. A number as a key has to be equal, or,
with `numeric_keys=bin`, in the same tenth of the real table. Several secrets are guessed together (`multi=mean`: one
by one).
"""

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from seethrough.bench.bench import Bench
from seethrough.bench.correct_attribution import Agreement, AgreementRules, Multi, outside_score, worst_guess
from seethrough.bench.person.attribution import (
    attribution_mean_step,
    keys_step,
    nearest_keys,
    settled_secret,
    share_formula,
)
from seethrough.bench.person.example import Example
from seethrough.data.encoding import NumericKeys
from seethrough.data.release import Part
from seethrough.kernels.arrays import Floats
from seethrough.kernels.statistics.intervals import bounded_mean
from seethrough.results.card import Card, Category, Evidence, Need, RestsOn, Verdict
from seethrough.results.estimate import Estimate
from seethrough.results.explained.worked import Step, Worked
from seethrough.results.outcome import Measurement

NEAREST = "T(y): the released rows that differ from this person in the fewest keys."


@dataclass(frozen=True)
class GeneralizedCap:
    """How often the nearest rows on the keys give the secret away."""

    card: ClassVar[Card] = Card(
        name="gcap",
        title="Generalized CAP",
        question="Knowing the key columns, how often do the nearest synthetic rows show the right secret?",
        cannot_tell="Whether the secret was leaked or follows from the keys in anyone: compare with the base rate "
        "and the independent control.",
        category=Category.RECONSTRUCTION,
        evidence=Evidence.ATTACK,
        raw_unit="mean share of right secrets, minus that of people outside where there are any",
        formula="mean over y of #{z in T(y) : z[S] = y[S]} / #T(y), T(y) the z that differ from y in the fewest keys",
        cites=("doi:10.1145/3374664.3375722",),
        ordering=Verdict.WORKS,
        monotone=Verdict.WORKS,
        needs=(Need.SECRET,),
        looks_at="The released rows that differ from a person in the fewest keys, and how many show the secret.",
        flagged_from=0.5,
        rests_on=RestsOn.EQUALITY,
        version=3,
    )
    compares_outside: ClassVar[bool] = True
    multi: Multi = "joint"
    numeric_keys: NumericKeys = "exact"
    secret: tuple[str, ...] = ()
    confidence: float = 0.95

    def measure(self, bench: Bench[Part], rng: np.random.Generator) -> Measurement:
        """Try every guess and show the one that gains most over its base rate."""
        rules, score = AgreementRules(self.secret, self.multi, self.numeric_keys), gcap
        worst = worst_guess(bench, rules, score)
        low, high = bounded_mean(worst.scores, self.confidence, rng)
        outside = outside_score(bench, rules, worst.guess, score, rng)
        return Measurement(
            risk=Estimate(worst.risk, min(low, worst.risk), max(high, worst.risk), self.confidence),
            raw=worst.risk - (outside or 0.0),
            n=len(worst.scores),
            base_rate=worst.base_rate if outside is None else outside,
            per_record=worst.scores,
            details=worst.details_with(outside)
            | {"mean number of keys that differ": round(float(worst.distance.mean()), 4)},
            warnings=worst.warnings,
            settled=replace(self, secret=worst.guess.secrets),
        )

    def work_through(self, bench: Bench[Part], example: Example) -> Worked:
        """Show the rows nearest on the keys, and how many of them have this person's secret."""
        secret = settled_secret(example, self.secret)
        near = nearest_keys(bench, example, AgreementRules(secret, self.multi, self.numeric_keys))
        shares = [(each.agreeing, len(each.rows)) for each in near]
        value = sum(right / of for right, of in shares) / len(shares)
        looked = [keys_step(bench, example, each, wanted=NEAREST) for each in near]
        formula = Step(
            "The share of them that shows the secret:", share_formula("gcap", shares, value), {"gcap(y)": value}
        )
        return Worked(self.card.name, (*looked, formula, attribution_mean_step(example, value)), value)


def gcap(agreement: Agreement) -> Floats:
    """Share of right secrets among the nearest rows of each record."""
    return agreement.agree / agreement.nearest
