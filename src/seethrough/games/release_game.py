"""Reconstruction of secrets: an adversary who knows everything else about the real people and sees the release.

The adversary is given the known columns of real records and, mixed among them, of holdout records where there are any,
and guesses the secret of everybody.

- The risk is the share of real records whose secret is guessed right.
- The base rate is the same share among holdout records, people of the same kind who were not in the real table; without
  a holdout, the share that a classifier guesses right which has learnt from other real records alone (imputation).
- The raw value is the risk minus the base rate: the advantage that the adversary has over people who were in the table.

Without leakage the risk is the base rate and the raw value 0: what the known columns say about the secret in anyone
helps on both sides. The risk of a record is the score that the attack gives
to its true secret. Where the attack is undecided between several values it counts as right in proportion.

Of larger tables 2000 real and 1000 holdout records are attacked, drawn at random, and the risk of the other records is
shown as 0. The more people are asked about at once, the less 3-way counts tell about each: on thousands of records even
a copy of the table does not give all secrets away, so read the risk against the copy.

References
----------
Annamalai, Gadotti, Rocher 2024, A Linear Reconstruction Approach for Attribute Inference Attacks against Synthetic
Data.

Deviations
----------
The paper attacks one person whose secret was replaced by a random one before the release was made, which takes many
releases. Here one release is given, the secrets are as they are, and people outside it, or imputation, take the place
of chance. A record whose known columns equal another's cannot be told from it: both get the mean of their scores.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from seethrough.contracts.attack import AttributeAttack, AttributeView
from seethrough.data.release import Part
from seethrough.data.rows import by_content, stacked
from seethrough.errors import NotApplicable
from seethrough.games.people import People, Question, people, question, shared_by_twins
from seethrough.games.scoring import class_auc
from seethrough.kernels.intervals import wilson
from seethrough.kernels.points import Floats
from seethrough.kernels.scores import expected_hits
from seethrough.results import Card, Category, Estimate, Evidence, Measurement, Need, Value
from seethrough.shared.bench import Bench
from seethrough.shared.imputing import Imputed

LEAST = 10
"""Records with a secret below which shares say nothing."""


@dataclass(frozen=True)
class ReleaseGame:
    """How many secrets of real records an attack reconstructs from the release, beyond those of other people."""

    card: ClassVar[Card] = Card(
        name="recon",
        title="Reconstruction of secrets",
        question="Knowing everything else about real people, how many of their secrets can be worked out from the "
        "release?",
        cannot_tell="Without a holdout, whether a secret was leaked or follows from the known columns in a way that "
        "imputation missed.",
        category=Category.RECONSTRUCTION,
        evidence=Evidence.ATTACK,
        raw_unit="share of right secrets minus base rate",
        formula="#{i in real : guess_i = secret_i} / #real",
        cites=("arXiv:2301.10053",),
        needs=(Need.SECRET,),
        flags_at=0.9,
        stochastic=True,
    )
    attack: AttributeAttack
    most_records: int = 2000
    confidence: float = 0.95

    def measure(self, bench: Bench[Part], rng: np.random.Generator) -> Measurement:
        """Deal the records to the attack, compare what it says with what is true."""
        asked = question(bench.table(Part.TRAIN).schema)
        train = people(bench.table(Part.TRAIN), asked, self.most_records, rng)
        if len(train) < LEAST or len(np.unique(train.truth)) < 2:
            raise NotApplicable(
                f"{len(train)} real records show {asked.secret!r}; at least {LEAST}, with two values, are needed"
            )
        kept_out = self._holdout(bench, asked, rng)
        scores, details = self._scores(bench, asked, [train, *kept_out], rng)
        outside = [float(expected_hits(scores[len(train) :], some.truth).mean()) for some in kept_out]
        imputed = bench.get(Imputed(asked.secret, asked.known, asked.classes, self.most_records))
        return self._measured(asked, train, scores[: len(train)], [*outside, imputed], details)

    def _holdout(self, bench: Bench[Part], asked: Question, rng: np.random.Generator) -> list[People]:
        """Pick people who were not in the real table, where there are enough."""
        try:
            found = people(bench.table(Part.HOLDOUT), asked, max(LEAST, self.most_records // 2), rng)
        except NotApplicable:
            return []
        return [found] if len(found) >= LEAST else []

    def _scores(
        self, bench: Bench[Part], asked: Question, groups: list[People], rng: np.random.Generator
    ) -> tuple[Floats, dict[str, Value]]:
        """Let the attack score everybody; the order it sees them in depends on what it may see alone."""
        everybody = stacked([some.known for some in groups])
        order = by_content(everybody)[rng.permutation(len(everybody))]
        released = bench.table(Part.SYNTHETIC).project((*asked.known, asked.secret))
        if not np.isin(released.column(asked.secret), asked.classes).any():
            details: dict[str, Value] = {"released rows with a known value of the secret": 0}
            return np.full((len(everybody), len(asked.classes)), 1 / len(asked.classes)), details
        view = AttributeView(
            known=everybody.take(order),
            released=(released.take(by_content(released)),),
            secret=asked.secret,
            classes=asked.classes,
            targets=np.arange(len(everybody)),
            budget=bench.budget,
        )
        answer = self.attack.guess(view, rng)
        scores = np.empty_like(answer.scores)
        scores[order] = answer.scores
        return shared_by_twins(scores, everybody), dict(answer.details)

    def _measured(
        self, asked: Question, train: People, scores: Floats, rates: list[float], details: dict[str, Value]
    ) -> Measurement:
        """Sum up; `rates` are the accuracy on the holdout, if there is one, and that of imputation."""
        hits = expected_hits(scores, train.truth)
        risk = float(hits.mean())
        low, high = wilson(float(hits.sum()), len(hits), self.confidence)
        auc = class_auc(train.truth, scores) if len(asked.classes) == 2 else None
        return Measurement(
            risk=Estimate(risk, min(low, risk), max(high, risk), self.confidence),
            raw=risk - rates[0],
            n=len(train),
            base_rate=rates[0],
            per_record=train.spread(scores[np.arange(len(train)), train.truth]),
            details={
                "secret": asked.secret,
                "accuracy on holdout": round(rates[0], 4) if len(rates) > 1 else None,
                "imputation accuracy": round(rates[-1], 4),
                "area under the ROC curve": None if auc is None else round(auc, 4),
                **details,
            },
            warnings=(*asked.warnings, *train.warnings),
        )
