"""Classifiers of other packages, which are loaded when first used: random forest, LightGBM, logistic regression.

A `Learner` gives probabilities of classes. Rows are distinct and have weights, the number of equal rows that each
stands for: a million rows drawn from a thousand cost what a thousand cost. Labels are 0 to C - 1; a class that no row
has gets probability 0.

`boosted_scores` and `logistic_scores` tell two kinds of rows apart: they learn from `rows` which are positive, and
score `others`, the higher the likelier positive. Rows without columns are all alike and get one score.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from seethrough.kernels.arrays import Bools, Floats, Ints, Matrix, Single
from seethrough.kernels.budget import Budget
from seethrough.kernels.learning.boosting_library import AS_TRAINED, load_lightgbm
from seethrough.kernels.learning.decision_trees import DecisionTrees
from seethrough.kernels.learning.quiet import quiet_learners

TREES = 100
"""As many as scikit-learn's forests have by default."""
BATCH = 10
"""Trees whose votes are added up before they meet the others, always in this order: threads change no bit."""


@dataclass(frozen=True, eq=False)
class Labelled:
    """Distinct rows, the class of each, how many equal rows each stands for, and how many classes there are."""

    rows: Matrix
    labels: Ints
    weights: Ints
    classes: int


Learner = Callable[[Labelled, Matrix, np.random.Generator, Budget], Floats]


@dataclass(frozen=True)
class Forest:
    """How many trees a forest has, and how deep they may grow."""

    trees: int = TREES
    depth: int | None = None


USUAL = Forest()


def forest(known: Labelled, others: Matrix, rng: np.random.Generator, budget: Budget, shape: Forest = USUAL) -> Floats:
    """Random forest with scikit-learn's defaults, or of another shape.

    Drawing m of m rows with replacement is drawing how often each distinct row comes, a multinomial; a tree that is
    given these as weights is the tree of the rows themselves. So the forest is the same in distribution, whatever m.
    """
    votes = np.zeros((-(-shape.trees // BATCH), len(others), known.classes))
    children = rng.spawn(shape.trees)
    jobs = [
        lambda at=at: _grow(known, others, (children[at * BATCH : (at + 1) * BATCH], shape.depth), votes[at])
        for at in range(len(votes))
    ]
    with quiet_learners():  # hundreds of classes are meant
        budget.run(jobs)
    found: Floats = votes.sum(axis=0) / shape.trees
    return found


def _grow(known: Labelled, others: Matrix, trees: tuple[list[np.random.Generator], int | None], votes: Floats) -> None:
    total = int(known.weights.sum())
    rngs, depth = trees
    grown = DecisionTrees(known.rows, known.labels, depth)
    others = np.ascontiguousarray(others, np.float32)
    for rng in rngs:
        drawn = rng.multinomial(total, known.weights / total)
        votes[:, grown.present] += grown.votes(drawn, int(rng.integers(1 << 31)), others)


def boosted_tree_probabilities(known: Labelled, others: Matrix, rng: np.random.Generator, _: Budget) -> Floats:
    """Gradient boosting by LightGBM with its default trees; its leaves count rows, so every row is there by itself."""
    each = np.repeat(np.arange(len(known.weights)), known.weights)
    goal: dict[str, str | int] = {"objective": "multiclass", "num_class": known.classes}
    return _boosted(goal, (known.rows[each], known.labels[each], None), others, rng)


def boosted_scores(rows: Single, positive: Bools, others: Single, rng: np.random.Generator) -> Floats:
    """Probabilities by LightGBM with its default trees; the two classes weigh the same, whatever their sizes."""
    if not rows.shape[1]:
        return np.full(len(others), 0.5)
    share = float(positive.mean())
    weights = np.where(positive, 0.5 / share, 0.5 / (1 - share))
    return _boosted({"objective": "binary"}, (rows, positive.astype(np.float32), weights), others, rng)


def _boosted(
    goal: dict[str, str | int],
    examples: tuple[Matrix, Matrix | Ints, Floats | None],
    others: Matrix,
    rng: np.random.Generator,
) -> Floats:
    """Learn from rows, labels and weights; one thread and one order of summation give the same trees everywhere."""
    lightgbm = load_lightgbm()

    rows, labels, weights = examples
    settings = goal | {
        "verbosity": -1,
        "seed": int(rng.integers(1 << 31)),
        "num_threads": 1,
        "deterministic": True,
        "force_row_wise": True,
    }
    trees = lightgbm.train(settings, lightgbm.Dataset(rows, labels, weight=weights), **AS_TRAINED)
    return np.asarray(trees.predict(others, num_threads=1), np.float64)


def logistic(known: Labelled, others: Matrix, _: np.random.Generator, __: Budget) -> Floats:
    """Probabilities by multinomial logistic regression."""
    found = np.zeros((len(others), known.classes))
    present = np.unique(known.labels)
    if len(present) == 1:
        found[:, present] = 1.0
        return found
    model = _fit_logistic(known.rows, known.labels, known.weights)
    found[:, model.classes_] = model.predict_proba(others)
    return found


def logistic_scores(rows: Single, positive: Bools, others: Single, _: np.random.Generator) -> Floats:
    """Log odds by logistic regression."""
    if not rows.shape[1]:
        return np.zeros(len(others))
    return np.asarray(_fit_logistic(rows.astype(np.float64), positive).decision_function(others), np.float64)


def _fit_logistic(rows: Matrix, labels: Ints | Bools, weights: Ints | None = None) -> Any:
    """Fit scikit-learn's logistic regression, which draws no random numbers."""
    from sklearn.linear_model import LogisticRegression  # type: ignore[import-untyped]

    return LogisticRegression(max_iter=1000).fit(rows, labels, sample_weight=weights)
