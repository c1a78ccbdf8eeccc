"""Metrics that learn, or attack, with values by hand, at both ends, and beside PrivEval.

The values by hand are those of shared/golden/kat.json (entries "dmlp" and "nn1d") and of the card of the metric in the
specification; they are written out here, so that they hold where that folder is absent.
"""

import csv

import numpy as np
import polars as pl
import pytest

from seethrough.bench.bench import Bench, DrawnFrom
from seethrough.data.reading.release_tables import read_release
from seethrough.data.release import Part
from seethrough.data.schema import Column, Kind, Schema
from seethrough.errors import ConfigError, NotApplicable
from seethrough.kernels.budget import Budget
from seethrough.kernels.statistics.roc import area_under_roc
from seethrough.metrics.d_mlp import DetectionMlp, risk_of
from seethrough.metrics.mir import MembershipInference, f1, recall, verdicts

REAL_1D, SYNTHETIC_1D, HOLDOUT_1D = {"v": [0, 1, 4, 10]}, {"v": [0, 2, 12]}, {"v": [3, 11]}
ONE = 0.1
"""The distance 1 of the example, in ranges of its real table."""
LEARNING = [
    DetectionMlp(),
    DetectionMlp(classifier="logistic"),
    DetectionMlp(classifier="lightgbm"),
    MembershipInference(attack="classifier"),
]
every_learner = pytest.mark.parametrize("check", LEARNING, ids=["mlp", "logistic", "lightgbm", "mir"])


@pytest.fixture
def with_holdout(tables_of):
    def build(real, synthetic, holdout):
        train, released = tables_of(real, synthetic)
        parts = {Part.TRAIN: train, Part.SYNTHETIC: released, Part.HOLDOUT: tables_of(real, holdout)[1]}
        return Bench(parts, Budget(threads=1))

    return build


def people(rows, seed, shift=0.0):
    """Columns of both kinds that depend on each other, with missing values."""
    rng = np.random.default_rng(seed)
    age = rng.normal(50 + shift, 10, rows).round(1)
    job = np.where(rng.random(rows) < 1 / (1 + np.exp((50 - age) / 5)), "old", "young")
    town = rng.choice(["x", "y", "z"], rows)
    lost = rng.random(rows) < 0.05
    return {
        "age": [None if gone else float(value) for value, gone in zip(age, lost, strict=True)],
        "job": [None if gone else str(value) for value, gone in zip(job, lost[::-1], strict=True)],
        "town": town.tolist(),
    }


def test_an_area_becomes_a_risk():
    area = area_under_roc(np.array([True, True, False, False]), np.array([0.9, 0.4, 0.6, 0.1]))
    assert area == 0.75
    assert [risk_of(area, score) for score in ("clipped", "auc", "1-auc")] == [0.5, 0.75, 0.25]
    assert risk_of(0.5, "clipped") == 1
    assert risk_of(0.4, "clipped") == 1
    assert risk_of(1.0, "clipped") == 0


@pytest.mark.parametrize("classifier", ["mlp", "logistic", "lightgbm"])
def test_equal_rows_tie_everywhere_and_are_told_apart_by_nobody(measure, classifier):
    found = measure(
        DetectionMlp(classifier=classifier), {"v": [1] * 20, "c": ["a"] * 20}, {"v": [1] * 30, "c": ["a"] * 30}
    )
    assert found.raw == 0.5
    assert found.risk.value == 1
    assert found.risk.low < 1


@every_learner
def test_both_ends(measure, check):
    real = people(300, 0)
    copy, far = measure(check, real, real), measure(check, real, people(300, 1, shift=500))
    assert copy.risk.value > 0.7
    assert far.risk.value < 0.05  # a missing age is the same in both
    assert 0 <= far.risk.low <= far.risk.value <= far.risk.high <= 1


def test_a_copy_has_an_area_below_one_half_and_a_fresh_sample_has_not(measure):
    real = people(500, 0)
    copy, fresh = (measure(DetectionMlp(), real, other) for other in (real, people(500, 1)))
    assert copy.raw < 0.48
    assert copy.risk.value == 1
    assert fresh.raw == pytest.approx(0.5, abs=0.05)


def test_the_literal_readings_are_the_area_and_its_complement(measure):
    real, synthetic = people(200, 0), people(200, 1, shift=10)
    clipped, area, complement = (
        measure(DetectionMlp(score=score), real, synthetic) for score in ("clipped", "auc", "1-auc")
    )
    assert area.risk.value == area.raw == clipped.raw == complement.raw
    assert complement.risk.value == 1 - area.raw
    assert clipped.risk.value == pytest.approx(2 * complement.risk.value)
    for found in (clipped, area, complement):
        assert found.risk.low < found.risk.value < found.risk.high


def test_the_spread_over_folds_is_told(measure):
    found = measure(DetectionMlp(folds=4), people(100, 0), people(100, 1))
    areas = [float(area) for area in found.details["AUC by fold"].split(", ")]
    assert len(areas) == 4
    assert found.details["mean AUC"] == pytest.approx(np.mean(areas), abs=1e-4)
    assert found.details["standard deviation of the AUC over folds"] == pytest.approx(np.std(areas, ddof=1), abs=1e-3)


@every_learner
def test_one_seed_one_number_whatever_the_threads(tables_of, check):
    real, synthetic = tables_of(people(150, 0), people(150, 1, shift=3))
    found = [
        check.measure(
            Bench({Part.TRAIN: real, Part.SYNTHETIC: synthetic}, Budget(threads=threads)), np.random.default_rng(5)
        )
        for threads in (1, 2, 3)
    ]
    assert found[0].raw == found[1].raw == found[2].raw
    assert found[0].risk == found[1].risk == found[2].risk


@pytest.mark.parametrize(("real", "synthetic", "said"), [(4, 30, "real"), (30, 4, "synthetic")])
def test_fewer_rows_than_folds_are_not_judged(measure, real, synthetic, said):
    with pytest.raises(NotApplicable, match=f"5 folds need at least 5 {said} rows"):
        measure(DetectionMlp(), people(real, 0), people(synthetic, 1))
    assert measure(DetectionMlp(folds=4), people(real, 0), people(synthetic, 1)).n == real + synthetic


def test_one_fold_leaves_nothing_to_learn_from():
    with pytest.raises(ConfigError, match="at least 2"):
        DetectionMlp(folds=1)


@every_learner
def test_levels_that_the_real_table_lacks_give_the_release_away(measure, check):
    real = {"c": ["a", "b", "c", "a"] * 25, "v": [1.0, 2.0, None, 4.0] * 25}
    new = {"c": ["new", "newer", "new", "new"] * 25, "v": [1.0, 2.0, None, 4.0] * 25}
    assert measure(check, real, new).risk.value < 0.02


@every_learner
@pytest.mark.parametrize("names", [["age"], ["job", "town"]], ids=["numbers", "categories"])
def test_tables_of_one_kind(measure, check, names):
    real, synthetic = ({name: table[name] for name in names} for table in (people(200, 0), people(200, 1)))
    assert measure(check, real, synthetic).risk.value == pytest.approx(0.5 if check.card.name == "mir" else 1, abs=0.2)


@every_learner
def test_values_missing_in_one_table_alone_give_it_away(measure, check):
    real = {"v": [float(i % 7) for i in range(60)], "c": ["a", "b", "c"] * 20}
    holes = {"v": [None] * 60, "c": ["a", "b", "c"] * 20}
    assert measure(check, real, holes).risk.value < 0.02


def test_mir_counts_records_within_the_threshold(measure):
    found = measure(MembershipInference(threshold=ONE), REAL_1D, SYNTHETIC_1D)
    assert found.risk.value == found.raw == 0.5
    assert found.per_record.tolist() == [1, 1, 0, 0]
    assert found.details == {"threshold": ONE}


def test_mir_takes_the_median_distance_between_real_records_as_its_threshold(measure):
    found = measure(MembershipInference(), REAL_1D, SYNTHETIC_1D)  # d_YY is 1, 1, 3, 6, and its median 2
    assert found.details["threshold"] == pytest.approx(0.2)
    assert found.risk.value == 1


def test_mir_says_what_a_holdout_says(with_holdout):
    bench = with_holdout(REAL_1D, SYNTHETIC_1D, HOLDOUT_1D)
    found = MembershipInference(threshold=ONE).measure(bench, np.random.default_rng(0))
    assert found.risk.value == 0.5
    assert found.details == {"threshold": ONE, "false positive rate": 1, "F1": 0.5}


def test_f1_and_recall_by_hand():
    assert f1(2, 2, 2) == 0.5
    assert recall(np.array([1, 1, 1, 0, 0], bool), np.array([1.0, 0, 1, 1, 0])) == pytest.approx(2 / 3)
    assert verdicts(np.array([0.9, 0.5, 0.1])).tolist() == [1, 0.5, 0]


def test_mir_of_a_copy_is_one_and_of_a_far_table_zero(measure):
    real = people(100, 0)
    assert measure(MembershipInference(), real, real).risk.value == 1
    far = measure(MembershipInference(), real, people(100, 1, shift=5000))
    assert far.risk.value < 0.2  # a missing age keeps no distance
    assert measure(MembershipInference(), {"v": [0, 1, 2]}, {"v": [900, 901]}).risk.value == 0


def test_mir_without_a_distance_between_records_needs_a_threshold(measure):
    with pytest.raises(NotApplicable, match="or give a threshold"):
        measure(MembershipInference(), {"v": [1]}, {"v": [1]})
    assert measure(MembershipInference(threshold=0), {"v": [1]}, {"v": [1]}).risk.value == 1
    with pytest.raises(ConfigError, match="from 0 on"):
        MembershipInference(threshold=-1)


def test_mir_says_when_only_equal_rows_count(measure):
    found = measure(MembershipInference(), {"c": ["a", "a", "b", "b"]}, {"c": ["a"]})
    assert found.risk.value == 0.5
    assert "only rows that equal a record" in found.warnings[0]


@pytest.mark.parametrize("attack", ["classifier", "holdout"])
def test_mir_does_not_learn_from_a_handful_of_rows(with_holdout, attack):
    bench = with_holdout(people(30, 0), people(9, 1), people(30, 2))
    with pytest.raises(NotApplicable, match="at least 10 rows of each table; one has 9"):
        MembershipInference(attack=attack).measure(bench, np.random.default_rng(0))


def test_mir_against_a_holdout_is_not_applicable_without_one(measure):
    with pytest.raises(NotApplicable, match="no holdout table was given"):
        measure(MembershipInference(attack="holdout"), people(30, 0), people(30, 1))


def test_mir_against_a_holdout_sees_a_copy_and_not_a_fresh_sample(with_holdout):
    real, holdout, rng = people(400, 0), people(400, 1), np.random.default_rng(0)
    check = MembershipInference(attack="holdout")
    copied = check.measure(with_holdout(real, real, holdout), rng)
    fresh = check.measure(with_holdout(real, people(400, 2), holdout), rng)
    assert copied.risk.value > copied.details["mean false positive rate"] + 0.15
    assert fresh.risk.value == pytest.approx(fresh.details["mean false positive rate"], abs=0.08)
    assert copied.raw == pytest.approx(copied.per_record.mean())
    assert 0 < copied.details["mean F1"] < 1


def test_sizes_of_the_tables_do_not_decide(measure):
    """LightGBM calls nearly all rows synthetic where it has learned from ten times as many of those."""
    found = measure(MembershipInference(attack="classifier"), people(200, 0), people(2000, 1))
    assert found.raw == pytest.approx(0.5, abs=0.15)


JUDGED_BY_PRIVEVAL = ["tabsyn", "privbayes_e5.0", "privbayes_e1.0", "privbayes_e0.02", "colperm"]


@pytest.fixture
def priveval(shared_folder):
    """PrivEval's values on 1000 rows of Online Shoppers, and the tables read as it reads them."""
    folder = shared_folder / "golden" / "priveval"
    real = pl.read_csv(folder / "real_1000.csv")
    # PrivEval takes all that is stored as a number for one, browsers and regions too.
    columns = [Column(c, Kind.NUMERIC if real[c].dtype.is_numeric() else Kind.CATEGORICAL) for c in real.columns]
    release = read_release(
        folder / "real_1000.csv",
        {name: folder / f"{name}_1000.csv" for name in JUDGED_BY_PRIVEVAL},
        schema=Schema(tuple(columns)),
    )
    benches = {
        named.name: Bench({Part.TRAIN: release.train.table, Part.SYNTHETIC: named.table}, Budget(threads=2))
        for named in release.synthetic
    }
    with (folder / "priveval_values_1000.csv").open() as lines:
        values = {
            (line["dataset"], line["metric"]): float(line["value"])
            for line in csv.DictReader(lines)
            if line["internal_error"] == "False"
        }
    return benches, values


def test_detection_beside_priveval(priveval):
    """PrivEval trains scikit-learn's network, once with one seed, and scales before it splits.

    Ours is up to 0.04 lower where tables differ much. About half of that is the network: scikit-learn's on our matrices
    gave 0.100 and 0.134 (five seeds) for privbayes_e5.0 and colperm, ours 0.083 and 0.121, PrivEval 0.116 and 0.157.
    """
    benches, values = priveval
    for name in JUDGED_BY_PRIVEVAL:
        found = DetectionMlp(score="1-auc").measure(benches[name], np.random.default_rng(0))
        assert found.risk.value == pytest.approx(values[name, "D-MLP"], abs=0.05), name


def test_membership_beside_priveval(priveval):
    """PrivEval draws its five splits without a seed and drops the first level of each category."""
    benches, values = priveval
    for name in JUDGED_BY_PRIVEVAL:
        found = MembershipInference(attack="classifier").measure(benches[name], np.random.default_rng(0))
        assert found.risk.value == pytest.approx(values[name, "MIR"], abs=0.05), name


def test_of_many_rows_some_are_drawn_and_that_is_said(measure):
    real, synthetic = people(900, 1), people(700, 2, shift=8)
    whole, drawn = (
        measure(DetectionMlp(classifier="logistic", most_rows=most), real, synthetic) for most in (900, 300)
    )
    assert whole.warnings == ()
    assert [warning.split(" rows")[0] for warning in drawn.warnings] == ["300 of 900 real", "300 of 700 synthetic"]
    assert drawn.n == 600
    assert drawn.risk.low < whole.risk.value < drawn.risk.high


def test_where_people_are_drawn_as_many_released_rows_are(bench_of):
    real, synthetic = people(900, 1), people(700, 2, shift=8)
    bench, rows = bench_of(real, synthetic), np.arange(0, 900, 3)
    table = bench.table(Part.TRAIN)
    drawn = bench.with_drawn(Part.TRAIN, table.take(rows), DrawnFrom(table, rows))
    found = DetectionMlp(classifier="logistic").measure(
        drawn.with_asking(Part.SYNTHETIC, np.arange(300)), np.random.default_rng(0)
    )
    assert found.n == 600
    assert [warning.split(" rows")[0] for warning in found.warnings] == ["300 of 700 synthetic"]


def test_no_more_than_the_rows_asked_for_are_drawn(measure):
    with pytest.raises(ConfigError, match="most_rows is 3"):
        DetectionMlp(most_rows=3)
