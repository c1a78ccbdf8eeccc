"""What models say about the secrets of members whom they have not learnt from: no release is involved.

A random forest, boosted trees and a logistic regression are cross-fitted on real records: members, at most so many, are
dealt into five parts, and each part is told by a model that learnt from the other four.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from seethrough.auditing.evidence.pool import Pool
from seethrough.auditing.evidence.secrets import SecretQuestion, with_secret
from seethrough.bench.secret_classifier import Classifier, SecretTask
from seethrough.kernels.arrays import Floats, Ints
from seethrough.kernels.learning.scores import expected_hits, lead
from seethrough.kernels.statistics.anonymity_loss import surest
from seethrough.seeds import stream

FOLDS = 5
MODELS: tuple[Classifier, ...] = ("forest", "boosted", "logistic")


@dataclass(frozen=True, eq=False)
class ModelGuesses:
    """How well a model tells the secret of some people, and how sure it is of each."""

    model: str
    people: Ints
    hits: Floats
    sureness: Ints


def model_guesses(
    pool: Pool, question: SecretQuestion, most: int, seed: int, models: Sequence[Classifier] = MODELS
) -> list[ModelGuesses]:
    """Cross-fit models on members who show the secret, at most so many; the pool is in an order that says nothing."""
    people = np.flatnonzero(pool.members & question.asked)[:most]
    truth = question.truth[people]
    known = pool.people.project(question.known).take(people)
    table = with_secret(known, question.secret, truth + 1)
    codes = tuple(range(1, len(question.classes) + 1))
    fold = np.arange(len(people)) % FOLDS
    found: dict[Classifier, ModelGuesses] = {}

    def cross_fit(model: Classifier) -> None:
        rng = stream(seed, f"{model} of {question.secret}")
        scores = np.zeros((len(people), len(codes)))
        task = SecretTask(question.secret, codes, model)
        for part in range(FOLDS):
            asked, others = np.flatnonzero(fold == part), np.flatnonzero(fold != part)
            scores[asked] = task.scores(table.take(others), known.take(asked), rng, pool.bench.budget)
        found[model] = ModelGuesses(model, people, expected_hits(scores, truth), surest(lead(scores)[:, None]))

    pool.bench.budget.silent.run([partial(cross_fit, model) for model in models])
    return [found[model] for model in models]
