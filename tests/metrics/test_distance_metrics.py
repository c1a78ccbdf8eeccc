"""Metrics that rest on nearest rows: known answers, variants, and references written from the definitions.

The known answers are those of `kat.json`: recomputed by a naive reference when the definitions were settled, or worked
out by hand in the cases here.
"""

from dataclasses import replace
from math import exp, log, sqrt, tanh
from statistics import median

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from seethrough.bench.bench import Bench
from seethrough.data.release import Part
from seethrough.errors import ConfigError, NotApplicable
from seethrough.kernels.budget import Budget
from seethrough.kernels.neighbours.nearest import nearest_between, nearest_other
from seethrough.kernels.points import Points
from seethrough.metrics.air import AttributeInference
from seethrough.metrics.auth import Authenticity
from seethrough.metrics.crp import CommonRows
from seethrough.metrics.cvp import CloseValues
from seethrough.metrics.dcr import DistanceToClosestRecord
from seethrough.metrics.dvp import DistantValues
from seethrough.metrics.gcap import GeneralizedCap
from seethrough.metrics.hidden_rate import HiddenRate
from seethrough.metrics.hitting_rate import HittingRate
from seethrough.metrics.id_score import Identifiability, column_weights
from seethrough.metrics.mdcr import MedianDistance
from seethrough.metrics.nnaa import AdversarialAccuracy
from seethrough.metrics.nndr import DistanceRatio
from seethrough.metrics.nsnd import NearestSyntheticDistance
from seethrough.metrics.zcap import ZeroCap

LINE, OTHER = {"v": [0, 1, 4, 10]}, {"v": [0, 2, 12]}


@pytest.fixture
def score(measure):
    return lambda *args, **roles: measure(*args, **roles).risk.value


@pytest.mark.parametrize(("norm", "expected"), [("pairs", (1, 1, 0.8958333)), ("nn", (0.25, 0.5, 0.375))])
def test_close_distant_and_nearest_under_the_papers_norms(score, norm, expected):
    checks = CloseValues(norm=norm), DistantValues(norm=norm), NearestSyntheticDistance(norm=norm)
    assert [score(check, LINE, OTHER) for check in checks] == pytest.approx(expected)


def test_the_absolute_norm_is_a_fraction_of_the_real_diameter(measure):
    found = measure(NearestSyntheticDistance(), LINE, {"v": [0, 2, 1000]})
    assert found.raw == pytest.approx((0 + 0.1 + 0.2 + 0.8) / 4)
    assert measure(CloseValues(), LINE, {"v": [0, 2, 1000]}).per_record.tolist() == [1, 1, 1, 0]
    assert measure(DistantValues(), LINE, {"v": [0, 2, 1000]}).per_record.tolist() == [1, 1, 1, 0]
    assert measure(CloseValues(near=0.2, strict=True), LINE, {"v": [0, 2, 1000]}).per_record.tolist() == [1, 1, 0, 0]


def test_only_the_absolute_norm_sees_a_shift_of_the_whole_table(score):
    far = {"v": [1000, 100000]}
    for check in (CloseValues, DistantValues, NearestSyntheticDistance):
        assert score(check(), LINE, far) == 0
        assert score(check(norm="pairs"), LINE, far) > 0.9


def test_norms_without_a_spread_count_as_near_and_say_so(measure):
    found = measure(NearestSyntheticDistance(norm="nn"), LINE, LINE)
    assert found.risk.value == 1
    assert "degenerate" in found.warnings[0]


def test_absolute_needs_a_space_with_a_box():
    with pytest.raises(ConfigError, match="absolute needs the space gower"):
        CloseValues(space="standardised")


@pytest.mark.parametrize(
    ("variant", "expected"),
    [
        ({}, 0.6416426),
        ({"squash": "priveval"}, 0.3208213),
        ({"squash": "paper-a"}, 0.6791787),
        ({"squash": "tanh", "per": "synthetic"}, 0.5378828),
    ],
    ids=str,
)
def test_mdcr_and_its_readings(score, variant, expected):
    assert score(MedianDistance(**variant), LINE, OTHER) == pytest.approx(expected, abs=1e-7)


def test_mdcr_with_a_median_of_zero(measure):
    twins = {"v": [0, 0, 5, 5]}
    same, far = measure(MedianDistance(), twins, twins), measure(MedianDistance(), twins, {"v": [9, 9]})
    assert (same.raw, same.risk.value) == (1, pytest.approx(1 - tanh(0.5)))
    assert (far.raw, far.risk.value) == (None, 0)
    assert "degenerate" in same.warnings[0]
    assert "degenerate" in far.warnings[0]


@pytest.mark.parametrize(("weights", "expected"), [("inverse-entropy", 0.75), ("entropy", 0.25), ("none", 0.5)])
def test_id_score_weights(weights, expected):
    real, synthetic = np.array([[0, 0], [0, 3], [1, 1], [1, 4.0]]), np.array([[0, 1.2]])
    scale = column_weights(np.array([log(2), log(4)]), weights)
    mine, others = (Points(x * scale, np.empty((0, len(x)), np.uint8), np.empty(0)) for x in (real, synthetic))
    nearer = nearest_between(mine, others, Budget(threads=1)).rows < nearest_other(mine, Budget(threads=1))
    assert nearer.mean() == expected


def test_id_score_of_a_column_without_entropy_does_not_count(measure):
    real = {"c": ["a"] * 4, "v": [0, 1, 4, 10]}
    synthetic = {"c": ["z"] * 3, "v": [0, 2, 12]}
    assert measure(Identifiability(), real, synthetic).per_record.tolist() == [1, 0, 1, 1]
    assert measure(Identifiability(weights="none"), real, synthetic).per_record.tolist() == [0, 0, 0, 0]


def test_id_score_may_compare_with_the_second_nearest_other_record(measure):
    found = measure(Identifiability(weights="none", real_rank=2), LINE, {"v": [2.5]})
    assert found.per_record.tolist() == [1, 1, 1, 1]  # 2.5 < 4, 1.5 < 3, 1.5 < 4, 7.5 < 9
    assert measure(Identifiability(weights="none"), LINE, {"v": [2.5]}).per_record.tolist() == [0, 0, 1, 0]


def test_nndr_and_the_literal_reading(score):
    real, synthetic = {"v": [0, 1, 4, 4]}, {"v": [0, 0.25, 4, 2]}
    for dimensions in (None, 1, 2):
        assert score(DistanceRatio(dimensions=dimensions), real, synthetic) == pytest.approx(0.5416667, abs=1e-7)
    assert score(DistanceRatio(dimensions=None, reading="paper-a"), real, synthetic) == pytest.approx(
        0.7083333, abs=1e-7
    )


def test_nndr_per_real_record_and_calibrated(measure):
    found = measure(DistanceRatio(dimensions=None, per="real"), LINE, {"v": [0, 2, 12]})
    assert found.per_record.tolist() == pytest.approx([1 - 0, 1 - 1 / 1, 1 - 2 / 4, 1 - 2 / 8])
    plain = measure(DistanceRatio(dimensions=1), LINE, OTHER).risk.value
    assert measure(DistanceRatio(dimensions=1, calibrated=True), LINE, OTHER).risk.value == pytest.approx(
        (plain - 0.5) / 0.5
    )
    with pytest.raises(ConfigError, match="needs a projection"):
        DistanceRatio(dimensions=None, calibrated=True)


def test_nndr_of_rows_that_are_no_copies_is_one_over_k_plus_one(measure):
    rng = np.random.default_rng(0)
    real, synthetic = ({"a": rng.random(4000), "b": rng.random(4000)} for _ in range(2))
    assert measure(DistanceRatio(), real, synthetic).risk.value == pytest.approx(1 / 3, abs=0.02)


def test_hidden_rate_asks_for_the_own_row(score):
    check = HiddenRate(assume_aligned=True)
    assert score(check, LINE, {"v": [0.1, 3.9, 1.2, 12]}) == 0.5
    assert score(check, LINE, {"v": [1, 4, 10, 0]}) == 0
    assert score(HiddenRate(origin=(3, 0, 1, 2)), LINE, {"v": [1, 4, 10, 0]}) == 1


def test_hidden_rate_counts_ties_as_hits_or_by_their_share(score):
    real, synthetic = {"v": [0, 1, 4, 10]}, {"v": [0, 0, 4, 4]}
    assert score(HiddenRate(assume_aligned=True), real, synthetic) == 1
    assert score(HiddenRate(assume_aligned=True, ties="fraction"), real, synthetic) == pytest.approx(4 * 0.5 / 4)


def test_hidden_rate_without_a_pairing_is_not_made_up(measure):
    with pytest.raises(NotApplicable, match="not known which synthetic row"):
        measure(HiddenRate(), LINE, LINE)
    with pytest.raises(NotApplicable, match="4 real records and 3 synthetic rows"):
        measure(HiddenRate(assume_aligned=True), LINE, OTHER)
    with pytest.raises(NotApplicable, match="pairing does not name"):
        measure(HiddenRate(origin=(0, 1, 2, 9)), LINE, LINE)


AIR_REAL = {"k": [0, 10, 20, 30], "s": ["1", "0", "1", "0"]}
AIR_SYNTHETIC = {"k": [1, 11, 19, 31], "s": ["1", "1", "0", "0"]}


@pytest.mark.parametrize(("variant", "expected"), [("attribute", 0.5), ("record", 0.5), ("priveval", 2 / 3)])
def test_air_of_a_binary_secret(measure, variant, expected):
    found = measure(AttributeInference(variant=variant), AIR_REAL, AIR_SYNTHETIC, secret=("s",))
    assert found.risk.value == pytest.approx(expected)
    assert found.per_record.tolist() == [1, 0, 0, 1]


def test_air_of_a_number_allows_a_tenth_of_its_size(score):
    real = {"k": [0, 1, 2, 3], "s": [100, 200, -50, 0]}
    synthetic = {"k": [0, 1, 2, 3], "s": [109, 225, -54, 0]}
    assert score(AttributeInference(), real, synthetic, secret=("s",)) == 0.75
    assert score(AttributeInference(tolerance=0), real, synthetic, secret=("s",)) == 0.25


def test_air_weights_secrets_by_their_entropy(score):
    real, synthetic = AIR_REAL | {"t": ["1", "0", "0", "0"]}, AIR_SYNTHETIC | {"t": ["1", "0", "0", "0"]}
    found = score(AttributeInference(), real, synthetic, secret=("s", "t"), keys=("k",))
    assert found == pytest.approx(0.7239518364142419)


def test_air_shares_a_prediction_that_the_majority_leaves_open(measure):
    real, synthetic = {"k": ["a", "b"], "s": ["1", "0"]}, {"k": ["a", "a", "b"], "s": ["1", "0", "0"]}
    found = measure(AttributeInference(), real, synthetic, secret=("s",))
    assert found.per_record.tolist() == [0.5, 1]
    assert found.risk.value == pytest.approx(2 * 0.5 / (2 * 0.5 + 0 + 0.5))


def test_air_may_ask_several_neighbours(measure):
    real, synthetic = {"k": [0, 10], "s": ["1", "0"]}, {"k": [0, 1, 2, 9], "s": ["0", "1", "1", "0"]}
    assert measure(AttributeInference(), real, synthetic, secret=("s",)).per_record.tolist() == [0, 1]
    assert measure(AttributeInference(neighbours=3), real, synthetic, secret=("s",)).per_record.tolist() == [1, 0]
    assert measure(AttributeInference(neighbours=99), real, synthetic, secret=("s",)).per_record.tolist() == [0.5, 0.5]


def test_air_of_many_levels_scores_each_of_them(score):
    real, synthetic = {"k": [0, 1, 2, 3], "s": list("aabc")}, {"k": [0, 1, 2, 3], "s": list("aabb")}
    half, quarter = log(2), -(0.25 * log(0.25) + 0.75 * log(0.75))
    expected = (half * 1 + quarter * 2 / 3 + quarter * 0) / (half + 2 * quarter)
    assert score(AttributeInference(), real, synthetic, secret=("s",)) == pytest.approx(expected)


def test_air_base_rate_is_that_of_the_most_frequent_value(measure):
    real, synthetic = {"k": [0, 1, 2, 3], "s": list("aabc")}, {"k": [0, 1, 2], "s": list("aab")}
    half, quarter = log(2), -(0.25 * log(0.25) + 0.75 * log(0.75))
    expected = half * (2 * 2 / (4 + 2)) / (half + 2 * quarter)
    assert measure(AttributeInference(), real, synthetic, secret=("s",)).base_rate == pytest.approx(expected)


def test_auth_per_synthetic_row(score):
    real, synthetic = {"v": [0, 0.5, 5, 9]}, {"v": [20, 21, 9.5, 0.6]}
    assert score(Authenticity(per="synthetic"), real, synthetic) == 0.5


def test_auth_on_numbers_alone(score):
    real, synthetic = {"c": ["a", "b"], "v": [0, 1]}, {"c": ["x", "y"], "v": [0, 1]}
    assert score(Authenticity(), real, synthetic) == 1
    assert score(Authenticity(space="numeric"), real, synthetic) == 1
    with pytest.raises(NotApplicable, match="no numbers"):
        score(Authenticity(space="numeric"), {"c": ["a", "b"]}, {"c": ["a", "b"]})


def test_dcr_readings(score):
    full = {"v": [0, 1, 4, 10]}
    assert score(DistanceToClosestRecord(dimensions=None), full, OTHER) == pytest.approx(1 / 1.125)
    spread = np.std([0, 1, 4, 10])
    assert score(DistanceToClosestRecord(per="synthetic"), full, OTHER) == pytest.approx(1 / (1 + 1 / spread))
    base_ten = score(DistanceToClosestRecord(log_base="10"), full, OTHER)
    assert base_ten == pytest.approx(1 - 1 / (1 + exp(-log(1.25 / spread, 10))))
    ratio = score(DistanceToClosestRecord(dimensions=None, reference="ratio"), full, OTHER)
    assert ratio == pytest.approx(1 / (1 + 1.25 / 2))


def test_crp_units_and_decimals(score):
    real, synthetic = {"v": ["A", "A", "B", "C"]}, {"v": ["A", "B", "D"]}
    units = {unit: score(CommonRows(unit=unit), real, synthetic) for unit in ("real", "unique", "set", "synthetic")}
    assert units == {"real": 0.75, "unique": 0.5, "set": 2 / 3, "synthetic": 2 / 3}
    near = {"v": [0.101, 0.2]}, {"v": [0.1, 0.35]}
    assert [score(CommonRows(decimals=d), *near) for d in (None, 2, 0)] == [0, 0.5, 1]


@pytest.mark.parametrize("decimals", [16, -16, 10**6])
def test_crp_does_not_round_to_decimals_that_no_number_has(decimals):
    with pytest.raises(ConfigError, match=r"parameter crp\.decimals is .*-15 to 15, or none"):
        CommonRows(decimals=decimals)


def test_hitting_rate_units(measure):
    real = {"c": ["a", "a", "b"], "v": [0, 30, 10]}
    synthetic = {"c": ["a", "a", "a", "b"], "v": [0.5, 1, 29, 12]}
    assert measure(HittingRate(unit="pairs"), real, synthetic).raw == 1
    assert measure(HittingRate(unit="synthetic"), real, synthetic).raw == 1
    doubled = {name: values * 2 for name, values in synthetic.items()}
    found = measure(HittingRate(unit="pairs"), real, doubled)
    assert (found.raw, found.risk.value) == (2, 1)


def test_cap_readings(score):
    real = {"k1": ["a", "a", "b", "c"], "k2": ["1", "1", "2", "3"], "s": ["x", "y", "x", "y"]}
    synthetic = {"k1": ["a", "a", "b", "d", "c"], "k2": ["1", "1", "2", "3", "4"], "s": ["x", "x", "y", "y", "x"]}
    assert score(ZeroCap(unmatched="drop"), real, synthetic, secret=("s",)) == pytest.approx(1 / 3)
    with pytest.raises(NotApplicable, match="no real record has"):
        score(ZeroCap(unmatched="drop"), {"k": ["a", "b"], "s": ["x", "y"]}, {"k": ["c"], "s": ["x"]}, secret=("s",))
    both = {"k": ["a", "b"], "s": ["x", "y"], "t": ["u", "v"]}, {"k": ["a", "b"], "s": ["x", "y"], "t": ["u", "u"]}
    assert score(ZeroCap(multi="mean"), *both, secret=("s", "t")) == 0.75
    assert score(ZeroCap(multi="joint"), *both, secret=("s", "t")) == 0.5


def test_cap_may_put_numbers_into_tenths(score):
    real = {"k": [float(i) for i in range(100)], "s": ["x", "y"] * 50}
    near = {"k": [i + 0.4 for i in range(100)], "s": ["x"] * 100}
    assert score(ZeroCap(), real, near, secret=("s",)) == 0
    assert score(ZeroCap(numeric_keys="bin"), real, near, secret=("s",)) == 0.5
    assert score(GeneralizedCap(numeric_keys="bin"), real, near, secret=("s",)) == 0.5


def test_nnaa_against_the_holdout_and_balanced(bench_of, tables_of):
    real, synthetic = tables_of(LINE, {"v": [0, 1, 4, 11]})
    holdout = tables_of(LINE, {"v": [2.2, 6, 7, 30]})[1]
    bench = Bench({Part.TRAIN: real, Part.SYNTHETIC: synthetic, Part.HOLDOUT: holdout}, Budget(threads=1))
    rng = np.random.default_rng(0)
    # Real and synthetic rows all mix: 0, 0, 0, 1 against 1, 1, 3, 6 and 1, 1, 3, 7 at home. Holdout rows have
    # 1.2, 2, 3, 19 against 3.8, 1, 1, 23, synthetic rows 2.2, 1.2, 1.8, 4 to them against 1, 1, 3, 7: two of four each.
    loss = AdversarialAccuracy(against="holdout").measure(bench, rng)
    assert loss.raw == pytest.approx(1 - (2 / 4 + 2 / 4) / 2)
    assert replace(AdversarialAccuracy(), balance=True).measure(bench, rng).risk.value == 1
    with pytest.raises(NotApplicable, match="no holdout"):
        AdversarialAccuracy(against="holdout").measure(bench_of(LINE, OTHER), rng)


# References written from the definitions, loops and all.


def distance(real, a, b):
    total = 0.0
    for name, first in a.items():
        second = b[name]
        values = [value for value in real[name] if value is not None]
        if any(isinstance(value, str) for value in [*real[name], first, second]):
            total += first != second
            continue
        total += (first is None) != (second is None)
        middle = float(np.median(values)) if values else 0.0
        reach = (max(values) - min(values) if values else 0) or 1.0
        x, y = (middle if value is None else value for value in (first, second))
        total += ((x - y) / reach) ** 2
    return round(sqrt(total), 11)


def rows_of(columns):
    return [dict(zip(columns, values, strict=True)) for values in zip(*columns.values(), strict=True)]


def nearest(columns, one, others):
    return min(distance(columns, one, other) for other in others)


def at_home(columns, rows):
    return [nearest(columns, row, rows[:i] + rows[i + 1 :]) for i, row in enumerate(rows)]


REFERENCES = {
    Authenticity(): lambda c, y, z: np.mean([nearest(c, a, z) <= d for a, d in zip(y, at_home(c, y), strict=True)]),
    Identifiability(weights="none"): lambda c, y, z: np.mean(
        [nearest(c, a, z) < d for a, d in zip(y, at_home(c, y), strict=True)]
    ),
    AdversarialAccuracy(): lambda c, y, z: (
        1
        - (
            np.mean([nearest(c, a, z) > d for a, d in zip(y, at_home(c, y), strict=True)])
            + np.mean([nearest(c, b, y) > d for b, d in zip(z, at_home(c, z), strict=True)])
        )
        / 2
    ),
    NearestSyntheticDistance(): lambda c, y, z: 1 - np.mean([min(1, nearest(c, a, z) / sqrt(len(c))) for a in y]),
    CloseValues(): lambda c, y, z: np.mean([nearest(c, a, z) / sqrt(len(c)) <= 0.2 for a in y]),
    DistantValues(): lambda c, y, z: 1 - np.mean([nearest(c, a, z) / sqrt(len(c)) >= 0.8 for a in y]),
    NearestSyntheticDistance(norm="pairs"): lambda c, y, z: (
        1
        - np.mean(
            scaled(
                [nearest(c, a, z) for a in y],
                min(distance(c, a, b) for a in y for b in z),
                max(distance(c, a, b) for a in y for b in z),
            )
        )
    ),
    MedianDistance(): lambda c, y, z: naive_mdcr(median([nearest(c, a, z) for a in y]), median(at_home(c, y))),
    DistanceToClosestRecord(dimensions=None): lambda c, y, z: 1 / (1 + np.mean([nearest(c, a, z) for a in y])),
    DistanceRatio(dimensions=None): lambda c, y, z: (
        1 - np.mean([naive_ratio(sorted(distance(c, a, b) for a in y)[:2]) for b in z])
    ),
    CommonRows(): lambda c, y, z: np.mean([a in z for a in y]),
}


def scaled(values, low, high):
    return [0.0 if high == low else (value - low) / (high - low) for value in values]


def naive_mdcr(across, home):
    if home == 0:
        return 2 * (1 - 1 / (1 + exp(-1))) if across == 0 else 0.0
    return 2 * (1 - 1 / (1 + exp(-min(across / home, 700))))


def naive_ratio(two):
    return 1.0 if two[1] == 0 else two[0] / two[1]


@st.composite
def mixed_tables(draw):
    """Two small tables with ties, twins, missing values and levels that only one has."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    n, m = draw(st.integers(2, 12)), draw(st.integers(2, 12))

    def numbers(size):
        return [None if rng.random() < 0.1 else float(v) for v in rng.integers(0, 5, size)]

    def texts(size, levels):
        return [None if rng.random() < 0.1 else str(v) for v in rng.choice(list(levels), size)]

    real = {"v": numbers(n), "w": numbers(n), "c": texts(n, "ab"), "d": texts(n, "xyz")}
    synthetic = {"v": numbers(m), "w": numbers(m), "c": texts(m, "abq"), "d": texts(m, "xyz")}
    real["c"][0], real["d"][0], real["v"][:2], real["w"][:2] = "a", "x", [0.0, 4.0], [0.0, 4.0]
    return real, synthetic


@pytest.mark.parametrize("check", REFERENCES, ids=lambda check: f"{check.card.name}-{check}"[:60])
def test_agrees_with_the_definition(check, bench_of):
    @settings(max_examples=40, deadline=None)
    @given(mixed_tables())
    def agrees(tables):
        real, synthetic = tables
        found = check.measure(bench_of(real, synthetic), np.random.default_rng(0))
        assert found.risk.value == pytest.approx(REFERENCES[check](real, rows_of(real), rows_of(synthetic)), abs=1e-9)

    agrees()


def naive_cap(columns, keys, secret, synthetic, general):
    scores = []
    for row in rows_of(columns):
        apart = [sum(row[k] != other[k] for k in keys) for other in rows_of(synthetic)]
        best = min(apart) if general else 0
        found = [o for o, d in zip(rows_of(synthetic), apart, strict=True) if d == best]
        scores.append(sum(o[secret] == row[secret] for o in found) / len(found) if found else 0.0)
    return float(np.mean(scores))


def naive_air(columns, keys, secret, synthetic):
    """F1 by level with shared votes, each level weighted by its entropy."""
    predictions = []
    for row in rows_of(columns):
        known = {k: columns[k] for k in keys}
        apart = [
            distance(known, {k: row[k] for k in keys}, {k: other[k] for k in keys}) for other in rows_of(synthetic)
        ]
        votes = [o[secret] for o, d in zip(rows_of(synthetic), apart, strict=True) if d == min(apart)]
        most = max(votes.count(v) for v in votes)
        top = {v for v in votes if votes.count(v) == most}
        predictions.append({v: 1 / len(top) for v in top})
    truth = columns[secret]
    levels = sorted(set(truth), key=str)
    if len(levels) == 2:
        levels = [min(levels, key=lambda v: (truth.count(v), v is not None, str(v)))]
    total = weight = 0.0
    for level in levels:
        share = truth.count(level) / len(truth)
        entropy = -sum(p * log(p) for p in (share, 1 - share) if p > 0)
        hits = sum(p.get(level, 0) for p, t in zip(predictions, truth, strict=True) if t == level)
        said = sum(p.get(level, 0) for p in predictions)
        total += entropy * (2 * hits / (said + truth.count(level)) if said + truth.count(level) else 0)
        weight += entropy
    return total / weight if weight else None


def test_guessing_attacks_agree_with_the_definition(bench_of):
    keys = ["v", "w", "c"]

    @settings(max_examples=60, deadline=None)
    @given(mixed_tables())
    def agrees(tables):
        real, synthetic = tables
        bench, rng = bench_of(real, synthetic, secret=("d",)), np.random.default_rng(0)
        general, zero = (naive_cap(real, keys, "d", synthetic, general) for general in (True, False))
        assert GeneralizedCap().measure(bench, rng).risk.value == pytest.approx(general)
        assert ZeroCap().measure(bench, rng).risk.value == pytest.approx(zero)
        expected = naive_air(real, keys, "d", synthetic)
        if expected is not None:
            assert AttributeInference().measure(bench, rng).risk.value == pytest.approx(expected, abs=1e-9)

    agrees()
