"""Infer: learn the secret from the release, as if its rows were people, and tell it for the target.

A classifier is trained on the released rows, from the known columns to the secret, and applied to the target. The score
of a value is its probability. It gains from what the columns say about the secret in anyone, which is no leak of one
person: in the game, where the target's secret is random, only what the classifier has remembered of the target helps.

Categories enter trees as their codes and a linear model as indicators; a level that no released row has is a code, or
an indicator, like any other. Several released tables are put under each other. The certainty is the probability of the
guess minus that of the next value.

What it sees
------------
What a classifier can learn from the release about a person's secret, what it has remembered of the person included.

What it misses
--------------
Single copied rows among many others that contradict them: a learner averages.

References
----------
Annamalai, Gadotti, Rocher 2024, A Linear Reconstruction Approach for Attribute Inference Attacks against Synthetic
Data, section 4.3.

Deviations
----------
Boosting and logistic regression can be chosen; the paper has a forest.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from seethrough.bench.secret_classifier import Classifier, SecretTask
from seethrough.kernels.learning.scores import lead
from seethrough.protocols.attack import AttributeView, Guesses


@dataclass(frozen=True)
class Infer:
    """Trains a classifier on the release; a random forest with scikit-learn's defaults unless another is named."""

    name: ClassVar[str] = "infer"
    title: ClassVar[str] = "Classifier learnt from the release"
    classifier: Classifier = "forest"

    def guess(self, view: AttributeView, rng: np.random.Generator) -> Guesses:
        """Learn from all released rows, tell the targets' classes."""
        task = SecretTask(view.secret, view.classes, self.classifier)
        released = view.rows_to_learn_from()
        scores = task.scores(released, view.known.take(view.targets), rng, view.budget)
        return Guesses(scores, lead(scores), {"classifier": self.classifier, "released rows": len(released)})
