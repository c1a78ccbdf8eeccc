"""Intervals cover what they are about: projections that move with the real table, and values of which few differ."""

import numpy as np
import pytest
from scipy.stats import binom

from seethrough.bench.bench import Bench
from seethrough.bench.projections import (
    REFITS,
    DrawnRows,
    HalvedProjections,
    RefitSpread,
    RefittedProjections,
    TwoNearestProjected,
)
from seethrough.data import samples
from seethrough.data.reading.release_tables import read_release
from seethrough.data.release import Part
from seethrough.kernels.budget import Budget
from seethrough.kernels.statistics.intervals import bootstrap_mean, bounded_mean, wilson
from seethrough.metrics.dcr import DistanceToClosestRecord
from seethrough.metrics.nndr import DistanceRatio
from seethrough.seeds import stream

RNG = np.random.default_rng(0)
NUMBERS = {name: values.tolist() for name, values in zip("abcd", RNG.normal(size=(4, 90)).cumsum(axis=0), strict=True)}
RELEASED = {name: RNG.normal(0, 2, 70).tolist() for name in "abcd"}


def shuffled(columns, seed):
    order = np.random.default_rng(seed).permutation(len(columns["a"]))
    return {name: [values[place] for place in order] for name, values in columns.items()}


def test_the_interval_of_dcr_does_not_depend_on_the_order_of_rows(measure):
    found = [
        measure(DistanceToClosestRecord(), shuffled(NUMBERS, seed), shuffled(RELEASED, seed)).risk for seed in range(3)
    ]
    for other in found[1:]:
        assert (other.low, other.value, other.high) == pytest.approx((found[0].low, found[0].value, found[0].high))


def test_refits_against_principal_components_by_svd(bench_of):
    """Numbers alone are projected on the principal components of standardised columns, here by another way."""
    bench = bench_of(NUMBERS, RELEASED)
    rows, others = (bench.get(DrawnRows(part, 10**6)).numbers for part in (Part.TRAIN, Part.SYNTHETIC))
    # The order is theirs, so that it can be followed here.
    np.testing.assert_array_equal(rows, rows[np.lexsort(rows.T)])

    def distances(fitted):
        scaled = (fitted - fitted.mean(0)) / fitted.std(0)
        axes = np.linalg.svd(scaled, full_matrices=False)[2][:2].T
        mine, theirs = (((x - fitted.mean(0)) / fitted.std(0)) @ axes for x in (rows, others))
        return np.linalg.norm(mine[:, None] - theirs[None], axis=2).min(1)

    refits = bench.get(RefittedProjections(Part.TRAIN, 2))
    assert len(refits) == REFITS
    means = [np.average(distances(np.repeat(rows[r.rows], r.often, axis=0))[r.rows], weights=r.often) for r in refits]
    expected = np.std(means, ddof=1) / (distances(rows).std(ddof=1) / np.sqrt(len(rows)))
    assert bench.get(RefitSpread(Part.TRAIN, Part.SYNTHETIC, 2)) == pytest.approx(max(1, expected), rel=1e-6)


def test_the_interval_is_that_of_records_made_wider(measure, bench_of):
    ratio = bench_of(NUMBERS, RELEASED).get(RefitSpread(Part.TRAIN, Part.SYNTHETIC, 2))
    assert ratio >= 1
    found = measure(DistanceToClosestRecord(), NUMBERS, RELEASED)
    wide, plain = found.risk, 1 / (1 + found.raw)
    assert wide.low < plain < wide.high
    distances = 1 / found.per_record - 1
    low, high = bootstrap_mean(distances, 0.95, np.random.default_rng(0))
    factor = ratio * 2.068658 / 1.959964  # Student's quantile with 23 degrees of freedom over the normal one
    assert 1 / wide.low - 1 == pytest.approx(found.raw + (high - found.raw) * factor, rel=1e-5)
    assert 1 / wide.high - 1 == pytest.approx(found.raw - (found.raw - low) * factor, rel=1e-5)


@pytest.mark.parametrize("per", ["synthetic", "real"])
def test_the_interval_of_nndr_is_widened_by_halves(measure, bench_of, per):
    check = DistanceRatio(per=per)
    found, again = (measure(check, shuffled(NUMBERS, seed), shuffled(RELEASED, seed)).risk for seed in (0, 1))
    assert (found.low, found.value, found.high) == pytest.approx((again.low, again.value, again.high))
    bench = bench_of(NUMBERS, RELEASED)
    released = bench.get(DrawnRows(Part.SYNTHETIC, 10**6)).numbers
    means = []
    for half, _ in bench.get(HalvedProjections(Part.TRAIN, 2)):
        rows = half.numbers
        assert len(rows) == 45
        axes = np.linalg.svd((rows - rows.mean(0)) / rows.std(0), full_matrices=False)[2][:2].T
        mine, made = (((x - rows.mean(0)) / rows.std(0)) @ axes for x in (rows, released))
        near = np.linalg.norm(made[:, None] - mine[None], axis=2)
        near = np.sort(near if per == "synthetic" else near.T, axis=1)
        means.append((near[:, 0] / near[:, 1]).mean())
    assert len(means) == REFITS
    scores = scores_of(bench, per)
    low, high = bounded_mean(scores, 0.95, np.random.default_rng(0))
    plain = scores.std(ddof=1) / np.sqrt(len(scores))
    factor = max(1, np.std(means, ddof=1) / plain) * 2.068658 / 1.959964
    value = scores.mean()
    assert found.value == pytest.approx(value)
    assert found.low == pytest.approx(max(0, value - (value - low) * factor), rel=1e-5)
    assert found.high == pytest.approx(min(1, value + (high - value) * factor), rel=1e-5)


def scores_of(bench, per):
    parts = (Part.SYNTHETIC, Part.TRAIN) if per == "synthetic" else (Part.TRAIN, Part.SYNTHETIC)
    first, second = bench.get(TwoNearestProjected(*parts, Part.TRAIN, 2))
    return 1 - first / second


def test_a_copy_stays_certain(measure):
    risk = measure(DistanceToClosestRecord(), NUMBERS, NUMBERS).risk
    assert (risk.low, risk.value, risk.high) == (1, 1, 1)


@pytest.mark.parametrize(("few", "n"), [(5, 400), (1, 100), (29, 1000)])
def test_few_that_differ_have_the_interval_of_a_proportion(few, n):
    values = np.zeros(n)
    values[:few] = 1
    assert bounded_mean(values, 0.95, np.random.default_rng(0)) == pytest.approx(wilson(few, n, 0.95))
    assert bounded_mean(1 - values, 0.95, np.random.default_rng(0)) == pytest.approx(wilson(n - few, n, 0.95))


@pytest.mark.parametrize(("p", "n"), [(0.0132, 400), (0.005, 400), (0.01, 100)])
def test_few_that_differ_are_covered(p, n):
    """Exact: the probability of all counts whose interval has p in it."""
    covered = 0.0
    for few in range(n + 1):
        if binom.pmf(few, n, p) < 1e-12:
            continue
        values = np.zeros(n)
        values[:few] = 1
        low, high = bounded_mean(values, 0.95, np.random.default_rng(0))
        covered += binom.pmf(few, n, p) * (low <= p <= high)
    assert covered > 0.92


def test_a_few_halves_are_as_many_trials_as_have_their_variance():
    """Ten values of 1/2 in 100: mean 0.05, variance 0.025 - 0.0025 = 0.0225, so 0.0475 / 0.0225 100 = 211 trials."""
    values = np.zeros(100)
    values[:10] = 0.5
    assert bounded_mean(values, 0.95, np.random.default_rng(0)) == pytest.approx(wilson(0.05 * 211, 211, 0.95))


@pytest.mark.slow
def test_projections_that_move_are_covered():
    """The worst of benchmarks/interval_coverage.py: 120 real tables of 400 people, the release stays."""
    people = samples.acs()
    rng = stream(0, "released")
    fixed = people[rng.permutation(len(people))[:400]]
    fixed = fixed.with_columns(fixed[name].gather(rng.permutation(400)) for name in fixed.columns)
    checks = DistanceToClosestRecord(), DistanceRatio()
    found = []
    for draw in range(120):
        real = people[stream(draw, "real").permutation(len(people))[:400]]
        tables = read_release(real, {"release": fixed})
        bench = Bench(tables.parts(tables.synthetic[0].table), Budget(threads=1))
        found.append([check.measure(bench, stream(draw, check.card.name)).risk for check in checks])
    for estimates in zip(*found, strict=True):
        target = np.mean([each.value for each in estimates])
        # 92 % or more is aimed at; 120 draws have a standard error of 2.5 %.
        assert np.mean([each.low <= target <= each.high for each in estimates]) >= 0.92 - 2 * 0.025
