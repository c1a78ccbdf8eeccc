"""Attacks on secrets where there is a holdout: what they score on it is the base rate, by hand."""

import numpy as np
import pytest

from seethrough.bench.bench import Bench
from seethrough.bench.guesses import bench_of_outsiders
from seethrough.data.release import Part
from seethrough.data.schema import Column, Kind, Role, Schema
from seethrough.data.table import Table
from seethrough.kernels.budget import Budget
from seethrough.metrics.air import AttributeInference
from seethrough.metrics.gcap import GeneralizedCap
from seethrough.metrics.zcap import ZeroCap

SCHEMA = Schema(
    (
        Column("k", Kind.CATEGORICAL, Role.KEY, levels=tuple("abcdefghij")),
        Column("s", Kind.CATEGORICAL, Role.SECRET, levels=("x", "y", "z")),
    )
)


def table(keys, secrets):
    codes = [["abcdefghij".index(key) + 1 for key in keys], ["xyz".index(secret) + 1 for secret in secrets]]
    return Table(SCHEMA, tuple(np.array(column, np.uint8) for column in codes))


def bench(real, synthetic, holdout=None):
    tables = {Part.TRAIN: real, Part.SYNTHETIC: synthetic}
    return Bench(tables | ({} if holdout is None else {Part.HOLDOUT: holdout}), Budget(threads=1))


REAL = table("aabbccddeeff", "xyxyzzxyzxyz")
RELEASED = table("aabb", "xxyy")
OUTSIDE = table("aaaabbbbgghh", "xxxyyyxxxzyz")


@pytest.mark.parametrize(
    ("check", "outside"),
    [
        # a says x: 3 of 4; b says y: 2 of 4; g, h match nothing.
        (ZeroCap(), 5 / 12),
        (ZeroCap(unmatched="drop"), 5 / 8),
        # There all four rows are nearest, half x and half y: 1/2 + 0 + 1/2 + 0.
        (GeneralizedCap(), 6 / 12),
    ],
)
def test_the_base_rate_is_the_score_of_people_outside(check, outside):
    rng = np.random.default_rng
    alone, found = check.measure(bench(REAL, RELEASED), rng(0)), check.measure(bench(REAL, RELEASED, OUTSIDE), rng(0))
    assert found.risk == alone.risk
    assert found.base_rate == pytest.approx(outside)
    assert found.raw == pytest.approx(found.risk.value - outside)
    assert found.details["base rate of guessing without the keys"] == pytest.approx(alone.base_rate, abs=1e-4)
    assert alone.raw == alone.risk.value
    assert "base rate of guessing without the keys" not in alone.details


def test_air_weighs_people_outside_as_the_real_table_does():
    # Records are scored by plain accuracy here: a says x, b says y, others are undecided between the two.
    found = AttributeInference(variant="record").measure(bench(REAL, RELEASED, OUTSIDE), np.random.default_rng(0))
    assert found.base_rate == pytest.approx((3 + 2 + 0.5 + 0.5) / 12)
    assert found.raw == pytest.approx(found.risk.value - found.base_rate)
    # Nobody outside has z, which the release has not either: its F1 is 0 and counts with the weight of the real table.
    without = table("aabbaabbaabb", "xxyyxxyyxxyy")
    found = AttributeInference().measure(bench(REAL, RELEASED, without), np.random.default_rng(0))
    assert found.base_rate == pytest.approx(
        2 / 3, abs=0.01
    )  # x, y and z have 4 real records each, so nearly equal weights


def test_at_most_as_many_people_as_there_are_real_ones():
    rng = np.random.default_rng
    more = table("a" * 30, "x" * 30)
    found = bench_of_outsiders(bench(REAL, RELEASED, more), rng(0))
    assert len(found.table(Part.TRAIN)) == 12
    assert bench_of_outsiders(bench(REAL, RELEASED), rng(0)) is None
    assert bench_of_outsiders(bench(REAL, RELEASED, table("a" * 9, "x" * 9)), rng(0)) is None
