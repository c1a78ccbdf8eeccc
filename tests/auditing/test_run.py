"""Audits: outcomes, shared work, controls, progress."""

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
import polars as pl
import pytest

import seethrough as st
from seethrough.auditing.progress_steps import EVIDENCE_STEPS
from seethrough.auditing.run import run_audit
from seethrough.bench import neighbours
from seethrough.data.reading.release_tables import read_release
from seethrough.data.release import NamedTable, Part, Release
from seethrough.errors import ConfigError, DataError, NotApplicable
from seethrough.kernels.budget import Budget
from seethrough.metrics.crp import CommonRows
from seethrough.metrics.dcr import DistanceToClosestRecord
from seethrough.metrics.gcap import GeneralizedCap
from seethrough.metrics.hidden_rate import HiddenRate
from seethrough.plugins import catalog, discovery
from seethrough.results.estimate import Estimate
from seethrough.results.outcome import Failed, Measured, Measurement, Skipped, Unavailable

REAL = {"v": [0, 1, 4, 10, 2, 7], "c": ["a", "b", "a", "c", "c", "b"]}
OTHER = {"v": [0, 2, 12, 5], "c": ["a", "b", "d", "a"]}


@pytest.fixture
def release(tables_of):
    real, synthetic = tables_of(REAL, OTHER)
    return Release(
        NamedTable("real", real), (NamedTable("one", synthetic), NamedTable("two", synthetic.take(np.array([0, 1, 1]))))
    )


def card(name):
    return replace(CommonRows.card, name=name)


@dataclass(frozen=True)
class Scripted:
    """A check that does what the test says."""

    name: str
    act: object = None
    card: ClassVar = None

    def measure(self, bench, rng):
        return self.act(bench, rng)


def scripted(name, act):
    check = Scripted(name, act)
    object.__setattr__(check, "card", card(name))
    return check


def estimate(value, **more):
    return Measurement(Estimate(value, value, value), raw=value, n=1, **more)


ALONE = Budget(threads=1)
"""One step after the other: a test may look at their order, and at what they come to in all."""


def run(release, *checks, **options):
    return run_audit(release, checks, seed=0, version="test", **options).report


def test_one_failure_never_hides_the_others(release):
    def breaks(bench, rng):
        raise ZeroDivisionError("oops")

    def does_not_apply(bench, rng):
        raise NotApplicable("no reason")

    found = run(release, scripted("broken", breaks), scripted("picky", does_not_apply), CommonRows()).tables[0]
    assert [type(outcome) for outcome in found] == [Failed, Skipped, Measured]
    assert found["broken"].error == "ZeroDivisionError: oops"
    assert found["picky"].reason == "no reason"


@pytest.mark.parametrize("value", [float("nan"), -0.1, 1.1])
def test_a_number_that_is_no_risk_is_a_failure(release, value):
    assert isinstance(run(release, scripted("odd", lambda bench, rng: estimate(value)))["odd"], Failed)


def test_a_control_that_does_not_apply_says_why(release):
    def only_release(bench, rng):
        if len(bench.table(Part.SYNTHETIC)) == 6:
            raise NotApplicable("not on copies")
        return estimate(0.5)

    found = run(release, scripted("some", only_release))["some"]
    assert found.controls.copy == Unavailable("not on copies")
    assert found.controls.independent == Estimate(0.5, 0.5, 0.5)


def test_controls_ask_the_question_that_the_release_was_asked(release):
    [outcome] = run(release, GeneralizedCap()).tables[0]
    assert outcome.measurement.details["secret"] == "c"
    assert outcome.controls.copy.value == 1


def test_a_check_that_pairs_rows_has_its_copy_in_order(release):
    real = release.train.table
    paired = replace(release, synthetic=(NamedTable("same size", real.take(np.array([1, 0, 3, 2, 5, 4]))),))
    found = run(paired, HiddenRate(assume_aligned=True))["hidden-rate"]
    assert found.risk.value < 1
    assert found.controls.copy.value == 1


def test_every_synthetic_table_has_its_outcomes(release):
    report = run(release, CommonRows())
    assert [table.synthetic.name for table in report.tables] == ["one", "two"]
    assert [table["crp"].risk.value for table in report.tables] == [1 / 6, 1 / 6]


def test_searches_are_shared_between_checks_tables_and_controls(release, monkeypatch):
    done, compute = [], neighbours.NearestOther.compute
    monkeypatch.setattr(
        neighbours.NearestOther, "compute", lambda self, bench: done.append(self.part) or compute(self, bench)
    )
    run(release, *catalog.choose(("auth", "nnaa")))
    assert done.count(Part.TRAIN) == 1
    assert done.count(Part.SYNTHETIC) == 5  # two releases, their two independent controls, one copy


def test_timings_tell_what_each_check_and_each_shared_computation_cost(release):
    def breaks(bench, rng):
        raise ZeroDivisionError

    timings = run(release, *catalog.choose(("auth", "nnaa", "dcr")), scripted("broken", breaks), budget=ALONE).timings
    assert {(cost.check, cost.synthetic) for cost in timings.checks} == {
        (check, table) for check in ("auth", "nnaa", "dcr", "broken") for table in ("one", "two")
    }
    assert all(cost.computed == cost.different for cost in timings.shared)  # nothing was done twice
    asked = {(cost.request, cost.tables): cost.asked for cost in timings.shared}
    assert asked["NearestOther", ("real",)] >= 12  # two checks, two releases, three trials each
    # What is asked for one way shares the search of both ways.
    assert asked["NearestBetween", ("real", "copy")] + asked["NearestFrom", ("real", "copy")] >= 5
    assert asked["NearestBetween", ("real", "independent of 3 rows")] >= 2
    same = replace(release, synthetic=(release.synthetic[0], NamedTable("again", release.synthetic[0].table)))
    shared = {(cost.request, cost.tables): cost for cost in run(same, *catalog.choose(("auth",))).timings.shared}
    assert shared["NearestBetween", ("real", "independent")].computed == 1  # releases of one size have one control
    assert {(cost.step, cost.synthetic) for cost in timings.steps} == {
        (step, table) for step in ("artefacts", "exhibits") for table in ("one", "two")
    }
    assert all(cost.seconds > 0 for cost in timings.steps)
    items = (*timings.checks, *timings.shared, *timings.steps)
    assert timings.reading + sum(cost.seconds for cost in items) <= timings.total
    for costs in (timings.checks, timings.shared, timings.steps):
        seconds = [cost.seconds for cost in costs]
        assert seconds == sorted(seconds, reverse=True)
    assert 0 <= timings.rest < timings.total


def test_without_a_holdout_columns_are_permuted_each_by_itself(release):
    seen = []
    look = scripted("look", lambda bench, rng: seen.append(bench.table(Part.SYNTHETIC)) or estimate(0.5))
    run(release, look, budget=ALONE)
    one, copy, independent = seen[:3]
    real = release.train.table
    assert len(independent) == len(one)
    assert sorted(copy.columns[0]) == sorted(real.columns[0])
    assert {tuple(row) for row in zip(*copy.columns, strict=True)} == {
        tuple(row) for row in zip(*real.columns, strict=True)
    }
    assert set(independent.columns[0]) <= set(real.columns[0])


def test_the_holdout_is_the_independent_table_and_not_beside_it(release, tables_of):
    kept = tables_of(REAL, {"v": [3, 3, 8, 8, 1], "c": ["a"] * 5})[1]
    seen = []

    def look(bench, rng):
        seen.append(bench.table(Part.SYNTHETIC))
        return estimate(0.1 if bench.table(Part.HOLDOUT) is kept else 0.9)

    found = run(replace(release, holdout=NamedTable("kept", kept)), scripted("look", look), budget=ALONE)["look"]
    assert found.risk.value == 0.1
    assert found.controls.independent == Unavailable("no holdout table was given")
    assert len(seen[2]) == len(seen[0]) == 4


def test_progress_grows_to_its_end(release):
    told = []
    run(release, *catalog.choose(), progress=told.append)
    steps = [progress.done for progress in told]
    assert steps == sorted(steps)
    assert steps[-1] == told[-1].steps == 2 * len(catalog.load())


def test_attacks_count_for_more_than_a_check():
    told, people = [], pl.DataFrame({"a": range(90), "b": [number % 7 for number in range(90)]})
    st.audit(people[:30], people[:30], people[30:60], checks="dcr", preset="fast", progress=told.append)
    steps = [progress.done for progress in told]
    assert steps == sorted(steps)
    assert steps[-1] == told[-1].steps == EVIDENCE_STEPS + 1


def test_a_release_needs_rows_and_one_schema(release, tables_of):
    empty = release.train.table.take(np.arange(0))
    with pytest.raises(DataError, match=r"empty\.csv has no rows"):
        replace(release, synthetic=(NamedTable("empty.csv", empty),))
    with pytest.raises(DataError, match="other does not share the schema"):
        replace(release, holdout=NamedTable("other", tables_of({"w": [1, 2]}, {"w": [1]})[0]))
    with pytest.raises(DataError, match="at least one synthetic"):
        replace(release, synthetic=())


def test_choosing_checks():
    assert [check.card.name for check in catalog.choose(("nnaa", "crp", "nnaa"))] == ["nnaa", "crp"]
    assert {check.card.name for check in catalog.choose(preset="attacks")} >= {"zcap", "gcap"}
    assert {*catalog.load()} - {check.card.name for check in catalog.choose(preset="fast")} == {"d-mlp", "recon"}
    assert {check.card.name for check in catalog.choose(preset="full")} == {*catalog.load()}
    with pytest.raises(ConfigError, match="no check 'nope'"):
        catalog.choose(("nope",))
    with pytest.raises(ConfigError, match="no preset 'slow'"):
        catalog.choose(preset="slow")


def test_checks_are_configured_by_name():
    checks = catalog.configure(catalog.choose(("dcr", "crp")), {"dcr": {"dimensions": 3, "confidence": "0.9"}})
    assert checks == (DistanceToClosestRecord(dimensions=3, confidence=0.9), CommonRows())
    with pytest.raises(ConfigError, match="a parameter of nnaa is set, which is not run; these are: dcr, crp"):
        catalog.configure(checks, {"nnaa": {"confidence": 0.9}})
    with pytest.raises(ConfigError, match="there is no check 'drc'; did you mean dcr"):
        catalog.configure(checks, {"drc": {"confidence": 0.9}})


class _Point:
    name, value = "outside", "package:Check"

    def __init__(self, load):
        self.load = load


def offer(monkeypatch, load):
    points = {catalog.GROUP: [_Point(load)]}
    monkeypatch.setattr(discovery, "entry_points", lambda group: points.get(group, []))


def test_installed_packages_may_offer_checks(monkeypatch):
    offered = scripted("outside", lambda bench, rng: estimate(0.5))
    monkeypatch.setattr(
        discovery, "entry_points", lambda group: [_Point(lambda: lambda: offered)] if group == catalog.GROUP else []
    )
    assert catalog.load()["outside"] is offered
    monkeypatch.setattr(
        discovery, "entry_points", lambda group: [_Point(lambda: CommonRows)] if group == catalog.GROUP else []
    )
    with pytest.raises(ConfigError, match="two checks are named 'crp'"):
        catalog.load()

    def broken():
        raise ImportError("no such thing")

    offer(monkeypatch, broken)
    with pytest.raises(ConfigError, match="'outside' of package:Check cannot be loaded: no such thing"):
        catalog.load()


def people(rows, seed):
    rng = np.random.default_rng(seed)
    known = rng.integers(0, 6, (4, rows))
    secret = (known.sum(axis=0) + rng.integers(0, 8, rows)) % 3
    columns = {f"c{place}": values.astype(str) for place, values in enumerate(known)}
    return pl.DataFrame(columns | {"ill": secret.astype(str)})


def test_the_real_table_is_no_holdout():
    with pytest.raises(DataError, match="holdout has the same rows as real"):
        st.audit(people(50, 1), people(50, 2), people(50, 1).reverse(), checks=["crp"])


def test_tables_of_one_name_keep_their_notes():
    real, synthetic = people(50, 1), people(50, 2)
    tables = read_release(("same.csv", real), [("same.csv", synthetic)], ("same.csv", people(50, 3)))
    told = Release(
        replace(tables.train, notes=("first",)),
        (replace(tables.synthetic[0], notes=("second",)),),
        replace(tables.holdout, notes=("third",)),
    )
    notes = run_audit(told, catalog.choose(("crp",)), seed=0, version="").report.notes
    assert {"same.csv: first", "same.csv: second", "same.csv: third"} <= set(notes)
