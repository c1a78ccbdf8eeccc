"""An audit on 1, 2 and 7 threads: the same numbers and the same order, and an error in one step ends the others."""

import threading
import time
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
import polars as pl
import pytest

import seethrough as st
from seethrough.auditing.run import run_audit
from seethrough.data.release import NamedTable, Release
from seethrough.kernels.budget import Budget
from seethrough.kernels.crew import check_stopped
from seethrough.metrics.crp import CommonRows
from seethrough.results.outcome import Failed

CHECKS = ["gcap", "dcr", "membership", "nndr", "nnaa", "mir", "ks", "crp", "linkage"]


@pytest.fixture(scope="module")
def tables():
    rng = np.random.default_rng(3)
    made = pl.DataFrame(
        {"a": rng.integers(0, 9, 260), "b": rng.normal(size=260).round(2), "c": rng.integers(0, 3, 260).astype(str)}
    )
    return made[:80], pl.concat([made[:30], made[80:130]]), made[130:]


def audit(tables, threads):
    told, heard = [], []
    exploration = st.explore(*tables, secret="c", checks=CHECKS, preset="fast", threads=threads)
    report = exploration.run(told.append, lambda _, found: heard.append(found))
    return report, told, heard


@pytest.fixture(scope="module")
def alone(tables):
    return audit(tables, 1)


def without_seconds(value):
    if isinstance(value, dict):
        return {k: without_seconds(v) for k, v in value.items() if k not in {"seconds", "timings", "digest"}}
    return [without_seconds(each) for each in value] if isinstance(value, list) else value


@pytest.mark.parametrize("threads", [2, 7])
def test_the_whole_report_is_the_same_on_any_number_of_threads(tables, alone, threads):
    report, told, heard = audit(tables, threads)
    assert without_seconds(report.to_dict()) == without_seconds(alone[0].to_dict())
    assert report.records().equals(alone[0].records())
    assert sorted(type(found).__name__ for found in heard) == sorted(type(found).__name__ for found in alone[2])
    done = [each.done for each in told]
    assert done == sorted(done)
    assert done[-1] == told[-1].steps
    assert all(cost.computed == cost.different for cost in report.timings.shared)


def test_attacks_of_the_evidence_are_told_as_they_end_each_once(alone):
    report, told, _ = alone
    ended = [each.name for each in told[-1].attacks]
    assert len(set(ended)) == len(ended)
    found = {attack.label for attack in report.tables[0].evidence.attacks}
    assert {label for label in found if not label.startswith("key-lookup")} <= set(ended)  # which joins answers there
    assert [len(each.attacks) for each in told] == sorted(len(each.attacks) for each in told)


@dataclass(frozen=True)
class Acting:
    """A check that does what a test says."""

    name: str
    act: object
    card: ClassVar = None

    def measure(self, bench, rng):
        return self.act(bench)


def acting(name, act):
    check = Acting(name, act)
    object.__setattr__(check, "card", replace(CommonRows.card, name=name))
    return check


def run(tables_of, *checks):
    real, other = tables_of({"v": [1, 2, 3, 4]}, {"v": [2, 3, 5, 6]})
    release = Release(NamedTable("real", real), (NamedTable("one", other),))
    return run_audit(release, checks, seed=0, version="test", budget=Budget(threads=2))


def test_ctrl_c_in_one_check_ends_the_other_at_its_next_request(tables_of):
    begun, ended = threading.Event(), []

    def endless(bench):
        begun.set()
        try:
            while True:
                check_stopped()
                time.sleep(0.001)
        finally:
            ended.append(True)

    def interrupted(bench):
        assert begun.wait(20)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(tables_of, acting("endless", endless), acting("interrupted", interrupted))
    assert ended == [True]
    assert not [each for each in threading.enumerate() if each.name == "helper"]


def test_a_check_that_breaks_beside_another_stops_nothing(tables_of):
    both = threading.Barrier(2, timeout=20)

    def breaks(bench):
        both.wait()
        raise ZeroDivisionError("oops")

    def other(bench):
        both.wait()
        raise ValueError("also")

    found = run(tables_of, acting("breaks", breaks), acting("other", other)).report.tables[0].outcomes
    assert [(type(each), each.error) for each in found] == [
        (Failed, "ZeroDivisionError: oops"),
        (Failed, "ValueError: also"),
    ]
