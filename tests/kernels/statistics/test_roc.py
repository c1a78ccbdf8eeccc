"""The area under the ROC curve against its definition, against scikit-learn, and by hand."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import roc_auc_score

from seethrough.kernels.statistics.roc import area_under_roc, placements


def test_values_by_hand():
    labels, scores = np.array([True, True, False, False]), np.array([0.9, 0.4, 0.6, 0.1])
    assert area_under_roc(labels, scores) == 0.75
    assert area_under_roc(labels, np.zeros(4)) == 0.5
    assert area_under_roc(labels, np.array([2.0, 1.0, 1.0, 0.0])) == 0.875
    assert area_under_roc(~labels, scores) == 0.25


@settings(max_examples=200, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(1, 40), st.integers(1, 40), st.integers(1, 12))
def test_equals_the_share_of_pairs_and_scikit_learn(seed, positives, negatives, values):
    rng = np.random.default_rng(seed)
    labels = rng.permutation(np.arange(positives + negatives) < positives)
    scores = rng.integers(0, values, len(labels)) / 7
    difference = scores[labels][:, None] - scores[~labels][None, :]
    found = area_under_roc(labels, scores)
    assert found == pytest.approx(float(np.mean((difference > 0) + 0.5 * (difference == 0))), abs=1e-12)
    assert found == pytest.approx(roc_auc_score(labels, scores), abs=1e-12)


def test_many_rows_need_no_table_of_pairs():
    rng = np.random.default_rng(0)
    labels, scores = rng.random(200_000) < 0.3, rng.normal(size=200_000).astype(np.float32)
    assert area_under_roc(labels, scores) == pytest.approx(roc_auc_score(labels, scores), abs=1e-12)


@pytest.mark.parametrize("labels", [[True, True], [False], []], ids=str)
def test_one_class_alone_has_no_curve(labels):
    with pytest.raises(ValueError, match="one positive and one negative"):
        area_under_roc(np.array(labels, bool), np.zeros(len(labels)))


@settings(max_examples=100, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(1, 30), st.integers(1, 30))
def test_placements_are_shares_of_pairs_and_their_mean_is_the_area(seed, positives, negatives):
    rng = np.random.default_rng(seed)
    members, others = rng.integers(0, 6, positives), rng.integers(0, 6, negatives)
    expected = [np.mean([(m > o) + 0.5 * (m == o) for o in others]) for m in members]
    found = placements(members, others)
    np.testing.assert_allclose(found, expected, atol=1e-12)
    labels = np.arange(positives + negatives) < positives
    assert found.mean() == pytest.approx(area_under_roc(labels, np.concatenate([members, others]).astype(float)))
