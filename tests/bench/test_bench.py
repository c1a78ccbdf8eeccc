"""A bench computes once, for the tables that matter."""

from dataclasses import dataclass

import numpy as np
import pytest

from seethrough.bench import bench as bench_module
from seethrough.bench.bench import Bench, Shuffle
from seethrough.bench.neighbours import NearestOther, PlacedPair
from seethrough.data.release import Part
from seethrough.data.schema import Column, Kind, Schema
from seethrough.data.table import Table
from seethrough.errors import NotApplicable
from seethrough.kernels.budget import Budget

SCHEMA = Schema((Column("v", Kind.NUMERIC, low=0.0, high=1.0),))
DONE = []


def table(*values):
    return Table(SCHEMA, (np.array(values, float),))


@dataclass(frozen=True)
class Total:
    part: Part

    def compute(self, bench):
        DONE.append(self.part)
        return float(bench.table(self.part).columns[0].sum())


@dataclass(frozen=True)
class Both:
    def compute(self, bench):
        DONE.append("both")
        return bench.get(Total(Part.TRAIN)) + bench.get(Total(Part.SYNTHETIC))


@pytest.fixture
def bench():
    DONE.clear()
    return Bench({Part.TRAIN: table(1, 2), Part.SYNTHETIC: table(5)}, Budget(threads=1))


def test_equal_requests_are_computed_once(bench):
    assert [bench.get(Total(Part.TRAIN)), bench.get(Total(Part.TRAIN)), bench.get(Both())] == [3, 3, 8]
    assert DONE == [Part.TRAIN, "both", Part.SYNTHETIC]


def test_another_synthetic_table_shares_what_does_not_depend_on_it(bench):
    bench.get(Both())
    other = bench.with_table(Part.SYNTHETIC, table(7))
    assert other.get(Both()) == 10
    assert DONE.count(Part.TRAIN) == 1
    assert DONE.count(Part.SYNTHETIC) == 2
    assert bench.get(Both()) == 8
    assert DONE.count("both") == 2


def test_dependence_is_seen_through_answers_that_were_there_already(bench):
    bench.get(Total(Part.SYNTHETIC))
    bench.get(Both())
    assert bench.with_table(Part.SYNTHETIC, table(7)).get(Both()) == 10


def test_a_table_that_is_not_there_does_not_apply(bench):
    with pytest.raises(NotApplicable, match="no holdout table was given"):
        bench.table(Part.HOLDOUT)
    without = bench.with_table(Part.TRAIN, table(1), without=Part.SYNTHETIC)
    with pytest.raises(NotApplicable):
        without.table(Part.SYNTHETIC)


@dataclass(frozen=True)
class WithoutHoldout:
    """A request that gets along when another cannot be answered."""

    def compute(self, bench):
        try:
            return bench.get(Total(Part.HOLDOUT))
        except NotApplicable:
            return -1.0


def test_an_answer_depends_on_what_a_failed_request_looked_at(bench):
    assert bench.get(WithoutHoldout()) == -1
    assert bench.with_table(Part.HOLDOUT, table(4)).get(WithoutHoldout()) == 4


def test_work_is_noted_with_its_own_seconds_its_tables_and_how_often_it_was_asked_for(bench, monkeypatch):
    clock = iter([0.0, 1.0, 3.0, 4.0, 9.0, 10.0])  # Both begins; Total begins, ends; Total begins, ends; Both ends
    monkeypatch.setattr(bench_module.time, "perf_counter", lambda: next(clock))
    bench.get(Both())
    bench.get(Both())
    bench.get(Total(Part.TRAIN))
    noted = {work.request: (work.seconds, work.asked, set(work.tables)) for work in bench.work}
    assert noted == {
        Total(Part.TRAIN): (2.0, 2, {Part.TRAIN}),
        Total(Part.SYNTHETIC): (5.0, 1, {Part.SYNTHETIC}),
        Both(): (3.0, 2, {Part.TRAIN, Part.SYNTHETIC}),
    }
    assert bench.shared_seconds == 10


def test_work_that_failed_is_noted_each_time(bench):
    for _ in range(2):
        with pytest.raises(NotApplicable):
            bench.get(Total(Part.HOLDOUT))
    assert [(work.request, work.asked) for work in bench.work] == [(Total(Part.HOLDOUT), 1)] * 2


@pytest.mark.parametrize("space", ["gower", "standardised"])
def test_a_shuffled_table_is_not_searched_again(space):
    rng = np.random.default_rng(1)
    real, other, order = table(*rng.random(30).round(1)), table(*rng.random(30)), rng.permutation(30)
    plain = Bench({Part.TRAIN: real, Part.SYNTHETIC: real.take(order)}, Budget(threads=1))
    shuffled = plain.with_shuffled(Part.SYNTHETIC, real.take(order), Shuffle(Part.TRAIN, order))
    request = NearestOther(Part.SYNTHETIC, space, Part.TRAIN)
    found = shuffled.get(request)
    assert [work.request for work in shuffled.work if isinstance(work.request, PlacedPair)] == [
        PlacedPair(Part.TRAIN, Part.TRAIN, space, Part.TRAIN)
    ]
    np.testing.assert_array_equal(found, plain.get(request))
    assert not np.array_equal(found, shuffled.with_table(Part.SYNTHETIC, other).get(request))


def test_a_shuffle_is_forgotten_with_either_table(bench):
    order = np.array([1, 0])
    shuffled = bench.with_shuffled(Part.SYNTHETIC, table(2, 1), Shuffle(Part.TRAIN, order))
    assert shuffled.shuffle(Part.SYNTHETIC).order is order
    assert shuffled.with_table(Part.HOLDOUT, table(3)).shuffle(Part.SYNTHETIC).order is order
    assert shuffled.with_table(Part.SYNTHETIC, table(2, 1)).shuffle(Part.SYNTHETIC) is None
    assert shuffled.with_table(Part.TRAIN, table(1, 2)).shuffle(Part.SYNTHETIC) is None
