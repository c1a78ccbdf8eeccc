"""Threads that ask one bench side by side: one computation for each request, and nobody waits for ever."""

import threading
import time
from dataclasses import dataclass
from functools import partial

import numpy as np
import pytest

from seethrough.bench.bench import Bench
from seethrough.data.release import Part
from seethrough.data.schema import Column, Kind, Schema
from seethrough.data.table import Table
from seethrough.errors import NotApplicable
from seethrough.kernels.budget import Budget

SCHEMA = Schema((Column("v", Kind.NUMERIC, low=0.0, high=1.0),))


def table(*values):
    return Table(SCHEMA, (np.array(values, float),))


def bench(threads=7):
    return Bench({Part.TRAIN: table(1, 2), Part.SYNTHETIC: table(5)}, Budget(threads=threads))


@dataclass(frozen=True)
class Total:
    """A request that takes a while before and after it looks."""

    part: Part
    level: int = 0

    def compute(self, bench):
        time.sleep(0.002)
        below = bench.get(Total(self.part, self.level - 1)) if self.level else 0.0
        found = [0.0] * 3

        def look(at):
            found[at] = float(bench.table(self.part).columns[0].sum())

        bench.budget.run([partial(look, at) for at in range(3)])
        time.sleep(0.002)
        return found[0] + below


@pytest.mark.parametrize("threads", [2, 7])
def test_many_who_ask_at_once_get_one_answer_that_was_computed_once(threads):
    shared, found = bench(threads), {}

    def ask(at, part, level):
        found[at] = shared.get(Total(part, level))

    asked = [(part, level) for level in (3, 1, 2, 0) for part in (Part.TRAIN, Part.SYNTHETIC)] * 3
    shared.budget.run([partial(ask, at, *each) for at, each in enumerate(asked)])
    assert [found[at] for at in range(len(asked))] == [
        (3 if part is Part.TRAIN else 5) * (level + 1) for part, level in asked
    ]
    assert sorted(str(work.request) for work in shared.work) == sorted(str(Total(*each)) for each in set(asked))
    below = sum(level > 0 for _, level in set(asked))
    assert sum(work.asked for work in shared.work) == len(asked) + below


def test_what_jobs_on_other_threads_look_at_counts():
    first = bench()
    assert first.get(Total(Part.SYNTHETIC, 1)) == 10
    assert first.with_table(Part.SYNTHETIC, table(7)).get(Total(Part.SYNTHETIC, 1)) == 14
    assert first.with_table(Part.SYNTHETIC, table(7)).get(Total(Part.TRAIN, 1)) == 6


def test_the_same_request_on_other_tables_is_computed_beside_it():
    """Each waits for the other to have looked: one after the other they would never end."""
    both = threading.Barrier(2, timeout=20)

    @dataclass(frozen=True)
    class Meeting:
        def compute(self, bench):
            found = float(bench.table(Part.SYNTHETIC).columns[0].sum())
            both.wait()
            return found

    one = bench(2)
    other, found = one.with_table(Part.SYNTHETIC, table(7)), {}
    one.budget.run([lambda: found.update(one=one.get(Meeting())), lambda: found.update(other=other.get(Meeting()))])
    assert found == {"one": 5, "other": 7}


def test_requests_that_ask_for_each_other_on_other_tables_do_not_wait_for_ever():
    begun = threading.Barrier(2, timeout=20)

    @dataclass(frozen=True)
    class Turning:
        """Asks for the other one, and looks at a table at the end only; the second time it asks for nothing."""

        name: str

        def compute(self, bench):
            other = "b" if self.name == "a" else "a"
            if Part.HOLDOUT not in bench._tables:
                begun.wait()
                bench.with_table(Part.HOLDOUT, table(1)).get(Turning(other))
            return float(bench.table(Part.TRAIN).columns[0].sum())

    shared, found = bench(2), []
    shared.budget.run([partial(lambda name: found.append(shared.get(Turning(name))), name) for name in "ab"])
    assert found == [3, 3]


def test_who_waited_for_a_request_that_fails_tries_for_itself():
    begun = threading.Event()

    @dataclass(frozen=True)
    class Broken:
        def compute(self, bench):
            begun.set()
            time.sleep(0.005)
            return bench.table(Part.HOLDOUT)

    shared, reasons = bench(2), []

    def ask():
        try:
            shared.get(Broken())
        except NotApplicable as reason:
            reasons.append(str(reason))

    shared.budget.run([ask, lambda: begun.wait(20) and ask()])
    assert reasons == ["no holdout table was given"] * 2
    assert [work.request for work in shared.work] == [Broken()] * 2


def test_an_error_beside_a_request_ends_who_computes_and_who_waits():
    begun = threading.Event()

    @dataclass(frozen=True)
    class Endless:
        def compute(self, bench):
            begun.set()
            while True:
                bench.get(Total(Part.TRAIN))
                time.sleep(0.001)

    def breaks():
        assert begun.wait(20)
        time.sleep(0.01)
        raise ZeroDivisionError

    shared = bench(3)
    with pytest.raises(ZeroDivisionError):
        shared.budget.run([lambda: shared.get(Endless()), lambda: shared.get(Endless()), breaks])
    assert shared.get(Total(Part.TRAIN)) == 3


def test_the_seconds_of_a_step_are_its_own_whatever_runs_beside_it():
    shared, spent = bench(2), {}
    both = threading.Barrier(2, timeout=20)

    def step(name, part):
        with shared.measured_apart():
            both.wait()
            if part is not None:
                shared.get(Total(part))
            both.wait()
            spent[name] = shared.shared_seconds

    shared.budget.run([partial(step, "asks", Part.TRAIN), partial(step, "asks nothing", None)])
    assert spent["asks nothing"] == 0
    assert spent["asks"] == pytest.approx(sum(work.seconds for work in shared.work))
    assert shared.shared_seconds == pytest.approx(spent["asks"])
