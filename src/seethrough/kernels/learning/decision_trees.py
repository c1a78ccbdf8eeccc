"""Decision trees of scikit-learn on rows drawn anew for each: Gini impurity, sqrt(d) columns a split, best split.

`DecisionTreeClassifier.fit` looks at every table again before it grows a tree, at its classes, its weights, its types,
which takes longer than a small tree. Rows are looked at once here, and the parts that grow its trees are called with
the same values. They are no public part of scikit-learn: where they are missing or called otherwise, the classifier
itself is asked. The trees are the same to the bit (`tests/kernels/learning/test_decision_trees.py`).
"""

from functools import lru_cache
from typing import Any

import numpy as np

from seethrough.kernels.arrays import Floats, Ints, Single

_UNBOUNDED = (1 << 31) - 1


class DecisionTrees:
    """Rows with their classes, on which trees are grown; a row may be drawn several times, or not at all."""

    def __init__(self, rows: Single, labels: Ints, depth: int | None) -> None:
        self.present, classes = np.unique(labels, return_inverse=True)
        self._rows, self._classes = np.ascontiguousarray(rows, np.float32), classes.astype(np.float64)[:, None]
        self._depth, self._state = depth, np.random.RandomState(0)

    def votes(self, drawn: Ints, seed: int, others: Single) -> Floats:
        """Grow a tree on rows that were drawn so often; give shares of the classes `present` for other rows."""
        if not _can_build():
            return self._fitted_votes(drawn, seed, others)
        # A row of weight 0 is passed over.
        tree = _build(self._rows, self._classes, drawn.astype(np.float64), self._seeded(seed), self._depth)
        found: Floats = tree.predict(others)
        return found

    def _seeded(self, seed: int) -> np.random.RandomState:
        self._state.seed(seed)  # as a new one, which costs more than a small tree
        return self._state

    def _fitted_votes(self, drawn: Ints, seed: int, others: Single) -> Floats:
        from sklearn import config_context  # type: ignore[import-untyped]
        from sklearn.tree import DecisionTreeClassifier  # type: ignore[import-untyped]

        there = np.flatnonzero(drawn)
        votes = np.zeros((len(others), len(self.present)))
        with config_context(assume_finite=True, skip_parameter_validation=True):
            tree = DecisionTreeClassifier(max_features="sqrt", max_depth=self._depth, random_state=seed)
            weights = drawn[there].astype(np.float64)
            tree.fit(self._rows[there], self._classes[there, 0].astype(np.int64), weights, check_input=False)
            votes[:, tree.classes_] = tree.predict_proba(others, check_input=False)
        return votes


def _build(rows: Single, classes: Floats, weights: Floats, state: np.random.RandomState, depth: int | None) -> Any:
    """Grow a tree as `DecisionTreeClassifier` does; classes are 0 to C - 1, all of which some row has."""
    from sklearn.tree._criterion import Gini  # type: ignore[import-untyped]
    from sklearn.tree._splitter import BestSplitter  # type: ignore[import-untyped]
    from sklearn.tree._tree import DepthFirstTreeBuilder, Tree  # type: ignore[import-untyped]

    columns, count = rows.shape[1], np.array([int(classes.max()) + 1], np.intp)
    splitter = BestSplitter(Gini(1, count), max(1, int(np.sqrt(columns))), 1, 0.0, state, None)
    tree = Tree(columns, count, 1)
    builder = DepthFirstTreeBuilder(splitter, 2, 1, 0.0, _UNBOUNDED if depth is None else depth, 0.0)
    builder.build(tree, rows, classes, weights, None)
    return tree


@lru_cache(maxsize=1)
def _can_build() -> bool:
    """Tell whether the installed scikit-learn has the parts that are called here, and they tell two rows apart."""
    rows, classes = np.array([[0], [1]], np.float32), np.array([[0.0], [1.0]])
    try:
        tree = _build(rows, classes, np.ones(2), np.random.RandomState(0), None)
        return np.array_equal(tree.predict(rows), np.eye(2))
    except (AttributeError, ImportError, TypeError, ValueError):
        return False
