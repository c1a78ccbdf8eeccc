"""Checks in a process of their own: the report is that of one process, whatever becomes of the other."""

import json
import subprocess
import sys

import numpy as np
import polars as pl
import pytest

import seethrough as st
from seethrough.attacks.attribute.dcr import Dcr
from seethrough.auditing.checks.reconstruction_check import ReconstructionCheck
from seethrough.auditing.checks_apart import is_ours
from seethrough.plugins import catalog
from tests.auditing.test_side_by_side import CHECKS, without_seconds

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="partners are made by fork on Linux alone")

PROGRAM = """
import json, os, sys
import seethrough as st
from seethrough.auditing import checks_apart, measured_checks, table_steps
from seethrough.kernels import partner_process
from seethrough.system.own_process import settle_own_process

settle_own_process()
original, forked, measured = os.getpid(), [], []
fork, measure = os.fork, checks_apart.measure_table

def counted():
    forked.append(1)
    return fork()

def noted(work, trial, slow_last):
    {act}
    return measure(work, trial, slow_last=slow_last)

def at_home(work, trial):
    measured.append(1)
    return measure(work, trial)

os.fork, checks_apart.measure_table, table_steps.measure_table = counted, noted, at_home
steps = []
report = st.audit("real.csv", {synthetic}, "outside.csv", secret="c", checks={checks}, preset="fast", threads=2,
                  progress=steps.append, cluster="{cluster}")
done = [each.done for each in steps]
assert done == sorted(done) and done[-1] == steps[-1].steps, done
assert all(cost.computed == cost.different for cost in report.timings.shared)
report.records().write_parquet("records.parquet")
print(json.dumps([len(forked), len(measured), report.to_dict()]))
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    found, rng = tmp_path_factory.mktemp("apart"), np.random.default_rng(3)
    made = pl.DataFrame(
        {"a": rng.integers(0, 9, 260), "b": rng.normal(size=260).round(2), "c": rng.integers(0, 3, 260).astype(str)}
    )
    for name, rows in (("real", made[:80]), ("one", pl.concat([made[:30], made[80:130]])), ("outside", made[130:])):
        rows.write_csv(found / f"{name}.csv")
    return found


@pytest.fixture(scope="module")
def alone(folder):
    tables = (folder / f"{name}.csv" for name in ("real", "one", "outside"))
    return st.audit(*tables, secret="c", checks=CHECKS, preset="fast", threads=1)


def audited(folder, act="pass", synthetic='"one.csv"', checks=CHECKS, cluster=""):
    program = PROGRAM.format(act=act, synthetic=synthetic, checks=checks, cluster=cluster)
    found = subprocess.run(
        [sys.executable, "-c", program], cwd=folder, capture_output=True, text=True, timeout=120, check=False
    )
    assert (found.returncode, found.stderr) == (0, "")
    forked, measured, report = json.loads(found.stdout)
    return forked, measured, report, pl.read_parquet(folder / "records.parquet")


def same(report, alone):
    return without_seconds(json.loads(json.dumps(report))) == without_seconds(json.loads(json.dumps(alone.to_dict())))


def test_the_report_is_that_of_one_process(folder, alone):
    forked, measured, report, records = audited(folder)
    assert (forked, measured) == (1, 0)
    assert same(report, alone)
    assert records.equals(alone.records())
    assert {each["check"] for each in report["timings"]["checks"]} == set(CHECKS)


@pytest.mark.parametrize("act", ["os.kill(os.getpid(), 9)", "raise MemoryError"])
def test_a_partner_that_dies_is_replaced_by_the_original(folder, alone, act):
    forked, measured, report, records = audited(folder, f"assert os.getpid() != original; {act}")
    assert (forked, measured) == (1, 1)
    assert same(report, alone)
    assert records.equals(alone.records())


def test_several_releases_and_checks_of_others_stay_in_one_process(folder):
    assert audited(folder, synthetic='["one.csv", "outside.csv"]', checks=["ks"])[:2] == (0, 2)
    of_somebody_else = '[type("Mine", (__import__("seethrough.metrics.crp", fromlist=["x"]).CommonRows,), {})()]'
    assert audited(folder, checks=of_somebody_else)[:2] == (0, 1)


def test_nothing_is_forked_beside_the_threads_of_a_cluster(folder, alone):
    pytest.importorskip("distributed")
    forked, measured, report, _ = audited(folder, cluster="local")
    assert (forked, measured) == (0, 1)
    assert same(report, alone)


def test_every_check_that_comes_with_the_program_is_its_own_and_one_with_an_attack_of_others_is_not():
    assert all(is_ours(check) for check in catalog.load().values())

    class Mine(Dcr):
        """An attack that somebody else wrote."""

    assert is_ours(ReconstructionCheck(Dcr()))
    assert not is_ours(ReconstructionCheck(Mine()))
    assert not is_ours((Dcr(), (Mine(),)))
