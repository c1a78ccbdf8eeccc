"""Intervals against scipy, by hand, and by how often they cover."""

import numpy as np
import pytest
from scipy.stats import binomtest

from seethrough.kernels.statistics import intervals


@pytest.mark.parametrize(("hits", "trials"), [(0, 1), (1, 1), (0, 30), (3, 30), (30, 30), (499, 1000)])
@pytest.mark.parametrize("confidence", [0.8, 0.95])
def test_proportions_agree_with_scipy(hits, trials, confidence):
    test = binomtest(hits, trials)
    for ours, method in ((intervals.wilson, "wilson"), (intervals.clopper_pearson, "exact")):
        expected = test.proportion_ci(confidence, method)
        assert ours(hits, trials, confidence) == pytest.approx((expected.low, expected.high), abs=1e-12)


def test_mean_of_two_by_hand():
    assert intervals.mean_of_two((0.5, (0.2, 0.9)), (0.5, (0.1, 0.8))) == pytest.approx((0.25, 0.75))
    assert intervals.mean_of_two((1.0, (0.9, 1.0)), (1.0, (0.9, 1.0)))[1] == 1


def test_bootstrap_agrees_with_resampling_rows():
    values = np.random.default_rng(0).integers(0, 5, 200) / 4
    rng = np.random.default_rng(1)
    means = [rng.choice(values, 200).mean() for _ in range(4000)]
    found = intervals.bootstrap_mean(values, 0.9, np.random.default_rng(2), resamples=4000)
    assert found == pytest.approx(np.quantile(means, [0.05, 0.95]), abs=0.005)


def test_bootstrap_of_many_values_is_its_normal_limit():
    values = np.random.default_rng(0).random(5000)
    low, high = intervals.bootstrap_mean(values, 0.95, np.random.default_rng(1))
    assert (high - low) / 2 == pytest.approx(1.96 * values.std() / 5000**0.5, rel=1e-3)


def test_the_normal_limit_is_close_to_the_bootstrap_where_it_takes_over(monkeypatch):
    values = np.random.default_rng(0).choice([0, 0.25, 1], 8000, p=[0.6, 0.2, 0.2])
    normal = intervals.bootstrap_mean(values, 0.95, np.random.default_rng(1))
    monkeypatch.setattr(intervals, "ENOUGH", np.inf)
    resampled = intervals.bootstrap_mean(values, 0.95, np.random.default_rng(1), resamples=20000)
    assert normal == pytest.approx(resampled, abs=5e-4)


def test_no_certainty_from_values_that_all_agree():
    assert intervals.bounded_mean(np.zeros(50), 0.95, np.random.default_rng(0)) == intervals.wilson(0, 50, 0.95)


def test_the_interval_of_an_area_has_the_variance_of_delong():
    rng = np.random.default_rng(1)
    first, second = rng.normal(0.5, 1, 300), rng.normal(0, 1, 200)
    wins = first[:, None] > second[None, :]
    low, high = intervals.area(wins.mean(axis=1), wins.mean(axis=0), 0.95)
    # The variance by resampling both sides.
    areas = [(rng.choice(first, 300)[:, None] > rng.choice(second, 200)[None, :]).mean() for _ in range(800)]
    assert (high - low) / 2 == pytest.approx(1.96 * np.std(areas), rel=0.08)


def test_the_interval_of_an_area_has_a_width_where_everybody_is_told_apart():
    assert intervals.area(np.ones(40), np.ones(30), 0.95) == intervals.wilson(30, 30, 0.95)


@pytest.mark.slow
@pytest.mark.parametrize(("shift", "true"), [(0.0, 0.5), (1.0, 0.76025), (2.5, 0.96146)])
def test_the_interval_of_an_area_covers_at_its_rate(shift, true):
    # True areas of two normal distributions that are `shift` apart: Phi(shift / sqrt 2).
    rng, covered = np.random.default_rng(2), []
    for _ in range(1500):
        first, second = rng.normal(shift, 1, 60), rng.normal(0, 1, 80)
        wins = first[:, None] > second[None, :]
        low, high = intervals.area(wins.mean(axis=1), wins.mean(axis=0), 0.95)
        covered.append(low <= true <= high)
    assert np.mean(covered) == pytest.approx(0.95, abs=0.025)


@pytest.mark.slow
@pytest.mark.parametrize("share", [0.02, 0.3, 0.5])
def test_intervals_cover_at_their_rate(share):
    rng = np.random.default_rng(3)
    trials, runs = 200, 4000
    hits = rng.binomial(trials, share, runs)
    wilson = [intervals.wilson(int(h), trials, 0.95) for h in hits]
    exact = [intervals.clopper_pearson(int(h), trials, 0.95) for h in hits]
    assert np.mean([low <= share <= high for low, high in wilson]) == pytest.approx(0.95, abs=0.025)
    assert np.mean([low <= share <= high for low, high in exact]) >= 0.94
    other = rng.binomial(80, 0.6, runs)
    pairs = [
        intervals.mean_of_two((h / trials, w), (o / 80, intervals.wilson(int(o), 80, 0.95)))
        for h, w, o in zip(hits, wilson, other, strict=True)
    ]
    assert np.mean([low <= (share + 0.6) / 2 <= high for low, high in pairs]) == pytest.approx(0.95, abs=0.02)


@pytest.mark.slow
def test_bootstrap_covers_at_its_rate():
    rng = np.random.default_rng(4)
    covered = [
        low <= 0.4 <= high
        for low, high in (
            intervals.bounded_mean(rng.choice([0, 0.5, 1], 150, p=[0.4, 0.4, 0.2]), 0.95, rng) for _ in range(1500)
        )
    ]
    assert np.mean(covered) == pytest.approx(0.95, abs=0.02)
