"""Splits and the interval of repeated scores."""

import numpy as np
import pytest
from scipy import stats

from seethrough.kernels.statistics.intervals import wilson
from seethrough.kernels.statistics.resampling import repeated_mean, standardise, stratified_folds, stratified_split


@pytest.mark.parametrize(("positives", "negatives"), [(5, 5), (13, 101), (7, 5)])
def test_folds_have_their_part_of_each_class(positives, negatives):
    positive = np.arange(positives + negatives) < positives
    folds = stratified_folds(positive, 5, np.random.default_rng(0))
    for members in (folds[positive], folds[~positive]):
        counts = np.bincount(members, minlength=5)
        assert counts.min() >= 1
        assert np.ptp(counts) <= 1


def test_a_split_sets_its_share_of_each_class_aside():
    positive = np.arange(110) < 10
    aside = stratified_split(positive, 0.3, np.random.default_rng(0))
    assert (aside[positive].sum(), aside[~positive].sum()) == (3, 30)
    assert stratified_split(positive, 0.01, np.random.default_rng(0))[positive].sum() == 1


def test_standardising_uses_the_learned_rows_alone():
    rows, others = standardise(np.array([[1, 5], [3, 5]], np.float32), np.array([[9, 7]], np.float32))
    assert rows.tolist() == [[-1, 0], [1, 0]]
    assert others.tolist() == [[7, 2]]


def test_the_interval_is_students_with_the_variance_of_splits_that_share_rows():
    values = np.array([0.6, 0.7, 0.65, 0.62, 0.68])
    spread = values.std(ddof=1) * np.sqrt(1 / 5 + 1 / 4)
    expected = stats.t.interval(0.9, 4, loc=values.mean(), scale=spread)
    assert repeated_mean(values, 1 / 4, 100, 0.9) == pytest.approx(expected)


def test_scores_that_agree_claim_no_certainty():
    assert repeated_mean(np.ones(5), 1 / 4, 40, 0.95) == wilson(40, 40, 0.95)


@pytest.mark.slow
def test_the_interval_covers_at_its_rate():
    from threadpoolctl import threadpool_limits

    from seethrough.kernels.budget import Budget
    from seethrough.metrics.d_mlp import fold_areas

    areas = []
    for seed in range(150):
        rng = np.random.default_rng(seed)
        real, synthetic = rng.normal(size=(2, 300, 5)).astype(np.float32)
        synthetic[:, 0] += 0.5
        with threadpool_limits(1, user_api="blas"):
            areas.append(fold_areas(real, synthetic, "mlp", 5, Budget(threads=1), rng))
    truth = np.mean(areas)
    inside = [low <= truth <= high for low, high in (repeated_mean(each, 1 / 4, 300, 0.95) for each in areas)]
    assert 0.91 <= np.mean(inside) <= 1
