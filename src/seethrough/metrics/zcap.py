"""Zero CAP: an attacker who knows the keys looks for exact matches and reads off their secret.

For a real record y let M be the synthetic rows with y's keys and C those of them that also have y's secret;
zcap(y) = C / M, and 0 when nothing matches. The score is the mean over the real records. Against a copy of the
real table it is 1 only if the keys determine the secret. An attacker whose matches were drawn at random
would be right with the base rate, the sum over values s of P_real(s) P_synthetic(s), on the records that match.

Where there is a holdout the base rate is the same score for its records, people who were not in the real table (at most
as many as real ones), and the raw value the risk minus that base rate, the leak; the base rate of guessing without the
keys is then among the details.

References
----------
Elliot 2014, "Final report on the disclosure risk associated with the synthetic data produced by the SYLLS team";
Hittmeir, Mayer, Ekelhart 2020, doi:10.1145/3374664.3375722; Trudslev et al. 2025 and Hansen and Staer 2025 (reviews).

Deviations
----------
Hansen and Staer's listing returns one minus this mean, against their own text; the direction here is the text's.
Several secrets are guessed together: all of them have to be right (`multi=mean` guesses them one by one, as PrivEval
does). `unmatched=drop` leaves out records without a match, which is plain CAP. `numeric_keys=bin` puts numbers among
the keys into the tenths of the real table, since numbers of many values hardly ever match.
"""

from dataclasses import dataclass, replace
from typing import ClassVar, Literal

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
from seethrough.errors import NotApplicable
from seethrough.kernels.arrays import Floats
from seethrough.kernels.statistics.intervals import bounded_mean
from seethrough.results.card import Card, Category, Evidence, Need, RestsOn, Verdict
from seethrough.results.estimate import Estimate
from seethrough.results.explained.worked import Step, Worked
from seethrough.results.outcome import Measurement

FEW = 0.05
MATCHES = "The released rows nearest on the keys; only those that differ in none match."


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
        raw_unit="mean share of right secrets, minus that of people outside where there are any",
        formula="mean over y of #{z : z[K] = y[K], z[S] = y[S]} / max(1, #{z : z[K] = y[K]})",
        cites=("doi:10.1145/3374664.3375722",),
        ordering=Verdict.SOMETIMES,
        monotone=Verdict.INADEQUATE,
        needs=(Need.SECRET,),
        version=3,
        looks_at="The released rows with all keys of a person, and how many of them show the secret.",
        flagged_from=0.5,
        rests_on=RestsOn.EQUALITY,
    )
    compares_outside: ClassVar[bool] = True
    unmatched: Literal["zero", "drop"] = "zero"
    multi: Multi = "joint"
    numeric_keys: NumericKeys = "exact"
    secret: tuple[str, ...] = ()
    confidence: float = 0.95

    def measure(self, bench: Bench[Part], rng: np.random.Generator) -> Measurement:
        """Try every guess and show the one that gains most over its base rate."""
        rules = AgreementRules(self.secret, self.multi, self.numeric_keys)
        score = zcap if self.unmatched == "zero" else cap
        worst = worst_guess(bench, rules, score)
        if np.isnan(worst.risk):
            raise NotApplicable("no real record has a synthetic row with its keys")
        counted = worst.scores[~np.isnan(worst.scores)]
        low, high = bounded_mean(counted, self.confidence, rng)
        few = (f"only {worst.matched:.1%} of the real records have a synthetic row with their keys",)
        outside = outside_score(bench, rules, worst.guess, score, rng)
        return Measurement(
            risk=Estimate(worst.risk, min(low, worst.risk), max(high, worst.risk), self.confidence),
            raw=worst.risk - (outside or 0.0),
            n=len(counted),
            base_rate=worst.base_rate if outside is None else outside,
            per_record=np.nan_to_num(worst.scores),
            details=worst.details_with(outside) | {"share of records matched": round(worst.matched, 4)},
            warnings=worst.warnings + (few if worst.matched < FEW else ()),
            settled=replace(self, secret=worst.guess.secrets),
        )

    def work_through(self, bench: Bench[Part], example: Example) -> Worked:
        """Show the rows with this person's keys, and how many of them have the secret."""
        secret = settled_secret(example, self.secret)
        near = nearest_keys(bench, example, AgreementRules(secret, self.multi, self.numeric_keys))
        looked = [keys_step(bench, example, each, wanted=MATCHES) for each in near]
        if near[0].differ_in:
            value, written, said = 0.0, "zcap(y) = 0", "No released row has all keys of this person:"
        else:
            shares = [(each.agreeing, len(each.rows)) for each in near]
            value = sum(right / of for right, of in shares) / len(shares)
            written, said = share_formula("zcap", shares, value), "The share of them that shows the secret:"
        formula = Step(said, written, {"zcap(y)": value})
        last = attribution_mean_step(example, value)
        if near[0].differ_in and self.unmatched == "drop":
            last = Step("People without a match, as this one, are left out of the mean.", "", last.numbers)
        return Worked(self.card.name, (*looked, formula, last), value)


def zcap(agreement: Agreement) -> Floats:
    """Share of right secrets among the exact matches of each record, 0 without a match."""
    return np.where(agreement.distance == 0, agreement.agree / agreement.nearest, 0.0)


def cap(agreement: Agreement) -> Floats:
    """Share of right secrets among the exact matches of each record, none without a match."""
    return np.where(agreement.distance == 0, agreement.agree / agreement.nearest, np.nan)
