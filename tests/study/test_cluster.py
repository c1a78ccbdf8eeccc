"""The same cells on Dask: a real scheduler with several worker processes over loopback."""

import os
import signal

import pytest

from seethrough.errors import ConfigError
from seethrough.study.run import cluster
from seethrough.study.run.cluster import Cluster
from seethrough.study.run.running import run

MEMORY = 1 << 28


@pytest.fixture(scope="module")
def distributed():
    return pytest.importorskip("distributed", reason="the extra cluster (dask, distributed) is not installed")


def test_a_local_cluster_gives_the_same_cell_by_cell(distributed, study_of, tmp_path, kept, undisturbed):
    ended = run(study_of(), tmp_path / "s.sqlite", Cluster("local", 2, MEMORY))
    assert ended.progress.computed == 48
    assert kept(tmp_path / "s.sqlite") == undisturbed


def test_a_scheduler_by_its_address_and_a_worker_killed_in_the_middle(distributed, study_of, here, tmp_path, kept):
    study = study_of(("games = 4", "games = 60"))
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, host="127.0.0.1", dashboard_address="127.0.0.1:0", silence_logs=50
    ) as there:
        killed = []

        def tell(now):
            if now.computed > 50 and not killed:
                with distributed.Client(there.scheduler_address) as other:
                    killed.append(next(iter(other.run(os.getpid).values())))
                os.kill(killed[0], signal.SIGKILL)

        ended = run(study, tmp_path / "s.sqlite", Cluster(there.scheduler_address, 0, MEMORY), tell=tell)
        with distributed.Client(there.scheduler_address) as other:
            held = other.run(lambda dask_worker: sorted(vars(dask_worker)["seethrough_tables"]))
    assert killed
    assert (ended.progress.computed, ended.progress.failed) == (study.size, 0)
    assert list(held.values()) == [[study.data["people"].digest]] * len(held)
    run(study, tmp_path / "here.sqlite", here)
    assert kept(tmp_path / "s.sqlite") == kept(tmp_path / "here.sqlite")


def test_workers_of_another_version_are_refused(distributed, study_of, tmp_path):
    with pytest.raises(ConfigError, match=r"has Seethrough .*, this is 0.0.1; install the same"):
        run(study_of(), tmp_path / "s.sqlite", Cluster("local", 1, MEMORY, "0.0.1"))


def test_nobody_at_the_address(distributed, study_of, tmp_path, monkeypatch):
    monkeypatch.setattr(cluster, "PATIENCE", "1s")
    with pytest.raises(ConfigError, match="no Dask scheduler answers there"):
        run(study_of(), tmp_path / "s.sqlite", Cluster("tcp://127.0.0.1:9", 1, MEMORY))


def test_without_dask_the_extra_is_named(study_of, tmp_path, monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(ConfigError, match=r"pip install 'seethrough\[cluster\]'"):
        run(study_of(), tmp_path / "s.sqlite", Cluster("local", 1, MEMORY))
