"""Attribute inference risk: an attacker who knows the keys takes the nearest synthetic rows and predicts the secrets.

For each real record the synthetic rows nearest to it on the key columns are found, in the distance space, all ties
kept (the few nearest with `neighbours`). A category is predicted by their majority (ties of the majority share the
prediction), a number by their median. A binary secret is scored by the F1 of its positive level (1 or true, else
the rarer one in the real table), a secret of more levels by the F1 of each level, a number by the share of
predictions within 10 % of the truth. The risk is the mean of these scores, weighted by the entropy that each of
them has in the real table. The base rate is the same score for an attacker who always says the most frequent value
of the release.

The interval is a bootstrap over real records of the whole weighted score.

Where there is a holdout the base rate is the same score for its records, people who were not in the real table (at most
as many as real ones), and the raw value the risk minus that base rate, the leak; the base rate of guessing
without the keys is then among the details.

References
----------
Yan et al. 2022, doi:10.1038/s41467-022-35295-1; Trudslev et al. 2025 and Hansen and Staer 2025 (reviews).

Deviations
----------
Trudslev et al. weight records instead of attributes; with distinct rows that is plain accuracy (`variant=record`).
PrivEval takes every wrong prediction as a false positive, so that F1 = 2 P / (1 + P) with P the accuracy
(`variant=priveval`), without leaking the secret into the keys as its program does. Hansen and Staer's listing
divides by zero on tables without repeated rows. Yan et al.'s tolerance is relative to the true value; here to its
size, so that negative numbers can match too.
"""

from dataclasses import dataclass, replace
from typing import ClassVar, Literal

import numpy as np

from seethrough.bench.bench import Bench
from seethrough.bench.guesses import (
    WITHOUT_KEYS,
    Guess,
    bench_of_outsiders,
    columns_in_turn,
    describe_guess,
    guesses,
)
from seethrough.bench.person.attribution import settled_secret
from seethrough.bench.person.example import Example, list_rows, say_number
from seethrough.bench.person.predicting import nearest_on_keys, predict_secret
from seethrough.bench.predictions import Predicted, Predictions
from seethrough.data.release import Part
from seethrough.errors import ConfigError
from seethrough.kernels.arrays import Floats
from seethrough.results.card import Card, Category, Evidence, Need, RestsOn, Verdict
from seethrough.results.estimate import Estimate
from seethrough.results.explained.worked import Step, Worked
from seethrough.results.outcome import Measurement

RESAMPLES = 300

Variant = Literal["attribute", "record", "priveval"]


@dataclass(frozen=True)
class AttributeInference:
    """How well the nearest rows on the keys predict the secrets."""

    card: ClassVar[Card] = Card(
        name="air",
        title="Attribute inference risk",
        question="Knowing the key columns, how well do the nearest synthetic rows predict the secret?",
        cannot_tell="Whether the secret was leaked or follows from the keys in anyone: compare with the base rate "
        "and the independent control.",
        category=Category.RECONSTRUCTION,
        evidence=Evidence.ATTACK,
        raw_unit="weighted F1, minus that of people outside where there are any",
        formula="sum over secrets a of w_a F1_a, w_a = H_a / sum of H, predictions from the nearest z on the keys",
        cites=("doi:10.1038/s41467-022-35295-1",),
        ordering=Verdict.SOMETIMES,
        monotone=Verdict.INADEQUATE,
        needs=(Need.SECRET,),
        version=2,
        looks_at="The released rows nearest to a person on the keys, and the secret that most of them show.",
        flagged_from=0.5,
        rests_on=RestsOn.DISTANCE,
    )
    compares_outside: ClassVar[bool] = True
    variant: Variant = "attribute"
    neighbours: int = 1
    tolerance: float = 0.1
    secret: tuple[str, ...] = ()
    confidence: float = 0.95

    def __post_init__(self) -> None:
        """Refuse what has no meaning."""
        if self.neighbours < 1:
            raise ConfigError(f"parameter air.neighbours is {self.neighbours}; 1 or more is expected")
        if not self.tolerance >= 0:
            raise ConfigError(f"parameter air.tolerance is {self.tolerance}; a number from 0 on is expected")

    def measure(self, bench: Bench[Part], rng: np.random.Generator) -> Measurement:
        """Try every guess and show the one that gains most over its base rate."""
        schema = bench.table(Part.TRAIN).schema
        tried = guesses(schema, self.secret)
        turns = columns_in_turn(schema, tried) if self.neighbours == 1 else ()
        found = {guess: bench.get(Predictions(guess, self.tolerance, self.neighbours, turns=turns)) for guess in tried}
        constant = {guess: bench.get(Predictions(guess, self.tolerance, constant=True)) for guess in tried}
        risks, base = ({guess: self._score(each[guess]) for guess in tried} for each in (found, constant))
        worst = max(tried, key=lambda guess: risks[guess] - base[guess])
        low, high = self._interval(found[worst], rng)
        details, warnings = describe_guess(worst, risks)
        outside = self._outside(bench, worst, found[worst], rng)
        if outside is not None:
            details[WITHOUT_KEYS] = round(base[worst], 4)
        return Measurement(
            risk=Estimate(risks[worst], min(low, risks[worst]), max(high, risks[worst]), self.confidence),
            raw=risks[worst] - (outside or 0.0),
            n=len(found[worst].cell),
            base_rate=base[worst] if outside is None else outside,
            per_record=found[worst].right[found[worst].cell],
            details=details,
            warnings=warnings,
            settled=replace(self, secret=worst.secrets),
        )

    def _outside(self, bench: Bench[Part], guess: Guess, inside: Predicted, rng: np.random.Generator) -> float | None:
        """Score the same guess for people outside, with the levels and weights of the real table."""
        outsiders = bench_of_outsiders(bench, rng)
        if outsiders is None:
            return None
        return self._score(outsiders.get(Predictions(guess, self.tolerance, self.neighbours)).weighed_as(inside))

    def _score(self, predicted: Predicted) -> float:
        return float(self._scores(predicted, predicted.counts[None, :].astype(np.float64))[0])

    def _interval(self, predicted: Predicted, rng: np.random.Generator) -> tuple[float, float]:
        """Resample the records, cell by cell, and score every resample."""
        n = int(predicted.counts.sum())
        weights = rng.multinomial(n, predicted.counts / n, size=RESAMPLES).astype(np.float64)
        tail = (1 - self.confidence) / 2
        low, high = np.quantile(self._scores(predicted, weights), [tail, 1 - tail])
        return float(low), float(high)

    def _scores(self, predicted: Predicted, weights: Floats) -> Floats:
        """Score the records under several weightings of the cells, one row of `weights` each."""
        if self.variant != "attribute":
            accuracy: Floats = weights @ predicted.right / weights.sum(axis=1)
            return accuracy if self.variant == "record" else 2 * accuracy / (1 + accuracy)
        entropies = np.concatenate([secret.entropies for secret in predicted.secrets])
        even = np.full(len(entropies), 1 / len(entropies))
        shares = entropies / entropies.sum() if entropies.sum() > 0 else even
        scores: Floats = np.concatenate([secret.scores(weights) for secret in predicted.secrets], axis=1) @ shares
        return np.minimum(scores, 1.0)

    def work_through(self, bench: Bench[Part], example: Example) -> Worked:
        """Show the rows nearest on the keys, and what they predict for each secret."""
        [guess] = guesses(bench.table(Part.TRAIN).schema, settled_secret(example, self.secret))
        near = nearest_on_keys(bench, example, guess.keys, self.neighbours)
        count, far = len(near.rows), say_number(near.distance)
        said = f"The released rows nearest on {len(guess.keys)} keys: {count:,}, at distance {far}."
        listed = list_rows(bench, example, Part.SYNTHETIC, near.rows, "nearest on the keys")
        looked = Step(said, "", {"rows": float(count), "distance": near.distance}, (listed,))
        rights = [predict_secret(bench, example, name, near.rows, self.tolerance) for name in guess.secrets]
        value = sum(each.right for each in rights) / len(rights)
        written = " + ".join(each.written for each in rights)
        written = f"({written}) / {len(rights)}" if len(rights) > 1 else written
        formula = Step(
            " ".join(each.said for each in rights), f"air(y) = {written} = {say_number(value)}", {"air(y)": value}
        )
        return Worked(self.card.name, (looked, formula, self._table_step(example, value)), value)

    def _table_step(self, example: Example, value: float) -> Step:
        """Lead to the table: what is right for each person makes the F1 of each value, or the accuracy."""
        risk, base = example.found.risk.value, example.found.base_rate or 0.0
        how = {
            "attribute": "F1 of each value of the secret, weighted by its entropy",
            "record": "mean over people",
            "priveval": "2 P / (1 + P), with P the mean over people",
        }[self.variant]
        outside = (
            "for people outside" if WITHOUT_KEYS in example.found.details else "where the same is said to everybody"
        )
        said = f"The table's risk, the {how}, is {say_number(risk)}; {outside} it is {say_number(base)}."
        return Step(said, "", {"person": value, "risk": risk, "base rate": base})
