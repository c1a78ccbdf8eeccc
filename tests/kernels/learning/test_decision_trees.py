"""Trees that are grown from scikit-learn's parts are those of its classifier, to the bit."""

import numpy as np
import pytest
from sklearn.tree import DecisionTreeClassifier

from seethrough.kernels.learning import decision_trees
from seethrough.kernels.learning.decision_trees import DecisionTrees


def by_the_classifier(rows, labels, drawn, others, **settings):
    """Fit on the rows that were drawn, with how often as their weight; shares of the classes that `labels` has."""
    there, present = np.flatnonzero(drawn), np.unique(labels)
    tree = DecisionTreeClassifier(max_features="sqrt", **settings)
    tree.fit(rows[there], labels[there], sample_weight=drawn[there].astype(float))
    votes = np.zeros((len(others), len(present)))
    votes[:, np.searchsorted(present, tree.classes_)] = tree.predict_proba(others)
    return votes


@pytest.fixture(params=[True, False], ids=["parts", "classifier"])
def _grown_by(request, monkeypatch):
    if not request.param:
        monkeypatch.setattr(decision_trees, "_can_build", lambda: False)


@pytest.mark.usefixtures("_grown_by")
@pytest.mark.parametrize("depth", [None, 3])
@pytest.mark.parametrize("classes", [2, 7])
def test_votes_are_those_of_the_classifier(depth, classes):
    rng = np.random.default_rng(classes)
    rows = np.column_stack([rng.normal(size=(150, 2)), rng.integers(0, 4, (150, 4))]).astype(np.float32)
    labels, others = rng.integers(0, classes, 150) + 3, rows[:40] + np.float32(0.1)
    grown = DecisionTrees(rows, labels, depth)
    np.testing.assert_array_equal(grown.present, np.unique(labels))
    for seed in range(6):
        drawn = rng.multinomial(150, np.full(150, 1 / 150))
        expected = by_the_classifier(rows, labels, drawn, others, max_depth=depth, random_state=seed)
        np.testing.assert_array_equal(grown.votes(drawn, seed, others), expected)


@pytest.mark.usefixtures("_grown_by")
def test_a_class_that_was_not_drawn_has_no_vote():
    rows = np.array([[0.0], [1.0], [2.0]], np.float32)
    grown = DecisionTrees(rows, np.array([0, 1, 2]), None)
    found = grown.votes(np.array([2, 0, 1]), 5, rows)
    # The threshold lies in the middle between 0 and 2, and what equals it goes left.
    np.testing.assert_array_equal(found, [[1, 0, 0], [1, 0, 0], [0, 0, 1]])


def test_the_installed_scikit_learn_has_the_parts():
    assert decision_trees._can_build()
