"""Reconstruction of secrets: an adversary who knows everything else about the real people and sees the release.

The adversary is given the known columns of all real records and guesses the secret of each from the release. It is
asked about the holdout records, where there are any, in the same way: one call for both, whose order says nothing, so
that scales and bins are those of all people. An attack that solves for a whole table at once answers for a holdout
record as if this one alone had been in the real table too.

- The risk is the share of real records whose secret is guessed right.
- The base rate is the same share among holdout records, people of the same kind who were not in the real table, at
  most as many as real ones; without a holdout, the share that a classifier guesses right which has learnt from other
  real records alone (imputation). With a holdout imputation is among the details.
- The raw value is the risk minus the base rate, the leak: the advantage that the adversary has over people who were in
  the table.

Without leakage the risk is the base rate and the raw value 0: what the known columns say about the secret in anyone
helps on both sides. The risk of a record is the score that the attack gives to its true secret. Where the attack is
undecided between several values it counts as right in proportion. Records that are alike in all known columns cannot be
told apart, so the risk of a copy is 1 only where such records have the same secret.

Of more than 100,000 real records a part is attacked, those with certain values in a column or two, drawn at random.
Released rows and holdout records with other values are left out with them, so the counts of the release still fit the
people. The risk of the other records is not known.

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

from seethrough.auditing.checks.subpopulation import Subpopulation, subpopulation
from seethrough.auditing.checks.targets import (
    AttackQuestion,
    DealtPeople,
    Targets,
    attack_question,
    guess_for_everybody,
    pick_targets,
    released_kind,
)
from seethrough.auditing.checks.weighed_counts import WeighingByPlace, score_steps, weighed_steps
from seethrough.bench.baseline import CrossFittedBaseline
from seethrough.bench.bench import Bench
from seethrough.bench.person.example import Example, say_number
from seethrough.data.release import Part
from seethrough.errors import NotApplicable
from seethrough.games.scoring import class_auc
from seethrough.kernels.arrays import Floats
from seethrough.kernels.budget import Budget
from seethrough.kernels.learning.scores import expected_hits
from seethrough.kernels.statistics.intervals import wilson
from seethrough.protocols.attack import AttributeAttack
from seethrough.protocols.in_audits import card_of
from seethrough.protocols.weighing import WeighingAttack
from seethrough.results.card import Card, Category, Evidence, Need
from seethrough.results.estimate import Estimate
from seethrough.results.explained.worked import Lacking, Step, Worked
from seethrough.results.outcome import Measurement, Value
from seethrough.seeds import Seed, begin_again, seed_of

LEAST = 10
"""Records with a secret below which shares say nothing."""
MOST_IMPUTED = 2000
"""Real records that imputation learns from and is asked about."""
TOGETHER = "the attack answers for the people of the table together, so that it is defined for rows of the table only"
CARD = Card(
    name="reconstruction",
    title="Reconstruction of secrets",
    question="Knowing everything else about real people, how many of their secrets can be worked out from the release?",
    cannot_tell="Without a holdout, whether a secret was leaked or follows from the known columns in a way that "
    "imputation missed.",
    category=Category.RECONSTRUCTION,
    evidence=Evidence.ATTACK,
    raw_unit="share of right secrets minus base rate",
    formula="#{i in real : guess_i = secret_i} / #real",
    cites=("arXiv:2301.10053",),
    needs=(Need.SECRET,),
    stochastic=True,
    looks_at="Counts of released rows like a person in a few columns, and how many of them show which secret.",
    flagged_from=0.5,
)
"""What the checks of all attribute attacks have in common."""


@dataclass(frozen=True)
class ReconstructionCheck:
    """How many secrets of real records an attack reconstructs from the release, beyond those of other people."""

    runs: ClassVar[type] = AttributeAttack
    compares_outside: ClassVar[bool] = True
    attack: AttributeAttack
    most_records: int = 100_000
    confidence: float = 0.95

    @property
    def card(self) -> Card:
        """Say what the check is, with the name and the papers of its attack."""
        return card_of(self.attack, CARD)

    def measure(self, bench: Bench[Part], rng: np.random.Generator) -> Measurement:
        """Deal the records to the attack, compare what it says with what is true."""
        dealt = self.deal(bench, rng)
        asked, train, outside = dealt.asked, dealt.train, dealt.outside
        scores, details = self._scores(dealt, rng, bench.budget)
        rates = []
        if outside:
            rates.append(float(expected_hits(scores[len(train) :], outside.truth).mean()))
        rates.append(bench.get(CrossFittedBaseline(asked.secret, asked.known, asked.classes, MOST_IMPUTED)))
        return self._measured(asked, train, scores[: len(train)], rates, details, train.describe(dealt.group))

    def deal(self, bench: Bench[Part], rng: np.random.Generator) -> DealtPeople:
        """Pick the people who are asked about, inside and outside, and the released rows of their kind."""
        real = bench.table(Part.TRAIN)
        asked = attack_question(real.schema)
        group = subpopulation(real.project(asked.known), self.most_records, rng)
        train = pick_targets(real, asked, group)
        if len(train) < LEAST or len(np.unique(train.truth)) < 2:
            raise NotApplicable(
                f"{len(train)} real records show {asked.secret!r}; at least {LEAST}, with two values, are needed"
            )
        released = bench.table(Part.SYNTHETIC).project((*asked.known, asked.secret))
        outside = self._holdout(bench, asked, group, len(train), rng)
        return DealtPeople(asked, group, train, outside, released_kind(released, group))

    def _holdout(
        self, bench: Bench[Part], asked: AttackQuestion, group: Subpopulation, most: int, rng: np.random.Generator
    ) -> Targets | None:
        """Pick people who were not in the real table, where there are enough; no more of them than real ones."""
        try:
            found = pick_targets(bench.table(Part.HOLDOUT), asked, group).draw_at_most(most, rng)
        except NotApplicable:
            return None
        return found if len(found) >= LEAST else None

    def _scores(self, dealt: DealtPeople, rng: np.random.Generator, budget: Budget) -> tuple[Floats, dict[str, Value]]:
        """Let the attack score everybody, real records first; the order it sees them in carries nothing."""
        asked, people = dealt.asked, len(dealt)
        if not dealt.shows_a_class:
            details: dict[str, Value] = {"released rows with a known value of the secret": 0}
            return np.full((people, len(asked.classes)), 1 / len(asked.classes)), details
        order = rng.permutation(people)
        answer = guess_for_everybody(self.attack, dealt.view(order, budget), order < len(dealt.train), rng)
        scores = np.empty_like(answer.scores)
        scores[order] = answer.scores
        return scores, dict(answer.details)

    def _measured(
        self,
        asked: AttackQuestion,
        train: Targets,
        scores: Floats,
        rates: list[float],
        details: dict[str, Value],
        told: tuple[str, ...],
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
            warnings=(*asked.warnings, *told),
        )

    def work_through(self, bench: Bench[Part], example: Example) -> Worked | Lacking:
        """Show the released counts that weigh most for this person, where the attack adds up counts, and the score."""
        value = example.risk_in_run
        if value is None or example.row is None:
            return Lacking(self.card.name, TOGETHER)
        dealt, weighing = bench.get(WeighedAgain(self, seed_of(example.rng)))
        place = int(np.flatnonzero(dealt.train.places == example.row)[0])
        steps: tuple[Step, ...] = score_steps(self.card.title, dealt, value)
        if weighing is not None:
            weighed = weighing.of(place, int(dealt.train.truth[place]))
            steps = weighed_steps(bench, example, dealt, weighed, value)
        return Worked(self.card.name, (*steps, self._table_step(example, value)), value)

    def _table_step(self, example: Example, value: float) -> Step:
        found = example.found
        base = "People outside" if found.details.get("accuracy on holdout") is not None else "Imputation, without it"
        said = (
            f"A person counts where the true value has the largest score: {say_number(found.risk.value)} of "
            f"{found.n:,} people. {base}: {say_number(found.base_rate or 0.0)}."
        )
        return Step(said, "", {"person": value, "risk": found.risk.value, "base rate": found.base_rate or 0.0})


@dataclass(frozen=True)
class WeighedAgain:
    """Request: the people dealt as in a run, and what tells how counts weigh for each; None where nothing does."""

    check: ReconstructionCheck
    seed: Seed

    def compute(self, bench: Bench[Part]) -> tuple[DealtPeople, WeighingByPlace | None]:
        """Deal again by the same stream, and count."""
        rng, attack = begin_again(self.seed), self.check.attack
        dealt = self.check.deal(bench, rng)
        in_memory = dealt.released.places is not None  # the rows of a count are shown, which takes all of them
        if not isinstance(attack, WeighingAttack) or not in_memory or not dealt.shows_a_class:
            return dealt, None
        order = rng.permutation(len(dealt))
        weighing = attack.prepare_weighing(dealt.view(order, bench.budget), order < len(dealt.train), rng)
        return dealt, None if weighing is None else WeighingByPlace(weighing, np.argsort(order))
