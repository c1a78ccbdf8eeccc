"""A secret as a class to be learnt: from records that show it, to records that do not."""

from dataclasses import dataclass
from functools import partial
from typing import Literal

import numpy as np

from seethrough.bench.one_hot import one_hot
from seethrough.data.encoding import points
from seethrough.data.rows import row_numbers, stack_tables
from seethrough.data.table import Table
from seethrough.kernels.arrays import Floats, Matrix
from seethrough.kernels.budget import Budget
from seethrough.kernels.counting.grouping import combine
from seethrough.kernels.learning import classifiers
from seethrough.kernels.learning.classifiers import USUAL, Forest, Labelled, Learner
from seethrough.kernels.points import Points

Classifier = Literal["forest", "boosted", "logistic"]
LEARNERS: dict[Classifier, Learner] = {
    "forest": classifiers.forest,
    "boosted": classifiers.boosted_tree_probabilities,
    "logistic": classifiers.logistic,
}


@dataclass(frozen=True)
class SecretTask:
    """What is to be told, and by which classifier; `classes` are the codes that the secret may have, in order.

    `forest` is the shape of the classifier of that name.
    """

    secret: str
    classes: tuple[int, ...]
    classifier: Classifier = "forest"
    forest: Forest = USUAL

    def scores(self, examples: Table, asked: Table, rng: np.random.Generator, budget: Budget) -> Floats:
        """Learn from `examples`, on the columns of `asked`; give the probability of each class for the latter's rows.

        Examples of another class are left out; where none is left, all classes are alike. Where no column tells
        anything, each class has its share of the examples.
        """
        values = examples.column(self.secret).astype(np.int64)
        usable = np.flatnonzero(np.isin(values, self.classes))
        if not len(usable):
            return np.full((len(asked), len(self.classes)), 1 / len(self.classes))
        known = examples.project(column.name for column in asked.schema.used).take(usable)
        labels = np.searchsorted(self.classes, values[usable])
        _, first, weights = np.unique(combine([row_numbers(known), labels]), return_index=True, return_counts=True)
        both = _matrix(points(stack_tables([known.take(first), asked])), self.classifier)
        if not both.shape[1]:  # a column of one value has nothing to tell
            shares = np.bincount(labels, minlength=len(self.classes)) / len(labels)
            return np.tile(shares, (len(asked), 1))
        learnt = Labelled(both[: len(first)], labels[first], weights, len(self.classes))
        grow = partial(classifiers.forest, shape=self.forest)
        learn = grow if self.classifier == "forest" else LEARNERS[self.classifier]
        return learn(learnt, both[len(first) :], rng, budget)


def _matrix(placed: Points, how: Classifier) -> Matrix:
    """Set numbers and categories side by side: indicators for a linear model, codes for trees."""
    if how == "logistic":
        return one_hot(placed.numbers, list(placed.codes))
    return np.column_stack([placed.numbers, placed.codes.T]).astype(np.float32)
