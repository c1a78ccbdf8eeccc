"""Probabilities of classes by classifiers of other packages, which are loaded when first used.

Rows are distinct and have weights, the number of equal rows that each stands for: a million rows drawn from a thousand
cost what a thousand cost. Labels are 0 to C - 1; a class that no row has gets probability 0.
"""

from collections.abc import Callable
from dataclasses import dataclass
from warnings import catch_warnings, filterwarnings

import numpy as np
import numpy.typing as npt

from seethrough.kernels.arrays import Floats, Ints
from seethrough.kernels.budget import Budget

Matrix = npt.NDArray[np.floating]

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


def forest(known: Labelled, others: Matrix, rng: np.random.Generator, budget: Budget) -> Floats:
    """Random forest with scikit-learn's defaults.

    Drawing m of m rows with replacement is drawing how often each distinct row comes, a multinomial; a tree that is
    given these as weights is the tree of the rows themselves. So the forest is the same in distribution, whatever m.
    """
    votes = np.zeros((TREES // BATCH, len(others), known.classes))
    children = rng.spawn(TREES)
    jobs = [
        lambda at=at: _grow(known, others, children[at * BATCH : (at + 1) * BATCH], votes[at])
        for at in range(len(votes))
    ]
    with catch_warnings():
        # Hundreds of classes are meant.
        filterwarnings("ignore", "The number of unique classes is greater than 50%", UserWarning)
        budget.run(jobs)
    found: Floats = votes.sum(axis=0) / TREES
    return found


def _grow(known: Labelled, others: Matrix, rngs: list[np.random.Generator], votes: Floats) -> None:
    from sklearn.tree import DecisionTreeClassifier  # type: ignore[import-untyped]

    total = int(known.weights.sum())
    others = np.ascontiguousarray(others, np.float32)
    for rng in rngs:
        drawn = rng.multinomial(total, known.weights / total)
        there = np.flatnonzero(drawn)
        tree = DecisionTreeClassifier(max_features="sqrt", random_state=int(rng.integers(1 << 31)))
        weights = drawn[there].astype(np.float64)
        tree.fit(known.rows[there].astype(np.float32), known.labels[there], sample_weight=weights)
        votes[:, tree.classes_] += tree.predict_proba(others, check_input=False)


def boosted_tree_probabilities(known: Labelled, others: Matrix, rng: np.random.Generator, _: Budget) -> Floats:
    """Gradient boosting by LightGBM with its default trees; its leaves count rows, so every row is there by itself."""
    import lightgbm

    settings = {
        "objective": "multiclass",
        "num_class": known.classes,
        "verbosity": -1,
        "seed": int(rng.integers(1 << 31)),
        # One thread and one order of summation, so that the same rows give the same trees on every machine.
        "num_threads": 1,
        "deterministic": True,
        "force_row_wise": True,
    }
    each = np.repeat(np.arange(len(known.weights)), known.weights)
    rows = lightgbm.Dataset(known.rows[each], known.labels[each])
    return np.asarray(lightgbm.train(settings, rows).predict(others, num_threads=1), np.float64)


def logistic(known: Labelled, others: Matrix, _: np.random.Generator, __: Budget) -> Floats:
    """Multinomial logistic regression by scikit-learn, which draws no random numbers."""
    from sklearn.linear_model import LogisticRegression  # type: ignore[import-untyped]

    found = np.zeros((len(others), known.classes))
    present = np.unique(known.labels)
    if len(present) == 1:
        found[:, present] = 1.0
        return found
    model = LogisticRegression(max_iter=1000).fit(known.rows, known.labels, sample_weight=known.weights)
    found[:, model.classes_] = model.predict_proba(others)
    return found
