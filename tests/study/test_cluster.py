"""The same cells on Dask: in this process, and a real scheduler with several worker processes over loopback."""

import os
import signal
from pathlib import Path

import pytest

from seethrough.cluster import connecting
from seethrough.errors import ConfigError
from seethrough.study.run.cluster import Cluster
from seethrough.study.run.running import run

MEMORY = 1 << 28
WITHOUT_TABLES = """
format = 1
name = "copies"
seed = 4

[[linkage]]
records = 12
files = [1, 3]
levels = ["2"]
secret = ["X3"]
runs = 2
"""


@pytest.fixture(scope="module")
def distributed():
    return pytest.importorskip("distributed", reason="the extra cluster (dask, distributed) is not installed")


def test_a_local_cluster_gives_the_same_cell_by_cell(distributed, study_of, tmp_path, kept, undisturbed):
    ended = run(study_of(), tmp_path / "s.sqlite", Cluster("local", 2, MEMORY))
    assert ended.progress.computed == 48
    assert kept(tmp_path / "s.sqlite") == undisturbed


def test_a_study_without_tables_runs_on_a_local_cluster(distributed, study_of, tmp_path):
    study = study_of(text=WITHOUT_TABLES)
    ended = run(study, tmp_path / "s.sqlite", Cluster("local", 2, MEMORY))
    assert (ended.progress.computed, ended.progress.failed) == (study.size, 0)


def listening_ports():
    """TCP ports on which this process or one of its children listens."""
    from seethrough.system.program_keeper import descendants

    sockets = set()
    for process in {os.getpid(), *descendants(os.getpid())}:
        for place in Path(f"/proc/{process}/fd").iterdir():
            try:
                sockets.add(os.readlink(place))
            except OSError:
                continue
    lines = [line.split() for name in ("tcp", "tcp6") for line in Path(f"/proc/net/{name}").read_text().splitlines()]
    return [line[1] for line in lines if line[3] == "0A" and f"socket:[{line[9]}]" in sockets]


@pytest.mark.skipif(not os.path.isdir("/proc/self/fd"), reason="needs /proc to find the ports")
def test_a_local_cluster_listens_on_no_port_and_leaves_nothing(distributed, study_of, tmp_path, monkeypatch):
    import socket
    import tempfile

    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    with socket.create_server(("127.0.0.1", 0)):
        assert len(listening_ports()) == 1, "the test sees ports"
    found = []
    run(
        study_of(), tmp_path / "s.sqlite", Cluster("local", 2, MEMORY), tell=lambda now: found.append(listening_ports())
    )
    assert len(found) > 10
    assert not any(found)
    assert not list((tmp_path / "temporary").iterdir())


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


def test_over_tls_and_nobody_without_a_certificate(distributed, certificates, study_of, tmp_path, kept, monkeypatch):
    import dask

    monkeypatch.setattr(connecting, "PATIENCE", "3s")

    with dask.config.set(certificates):
        there = distributed.LocalCluster(
            n_workers=1,
            threads_per_worker=1,
            host="127.0.0.1",
            protocol="tls://",
            dashboard_address="127.0.0.1:0",
            security=distributed.Security(),
            silence_logs=50,
        )
    with there:
        address = there.scheduler_address
        assert address.startswith("tls://")
        for other in (address, address.replace("tls://", "tcp://")):
            with pytest.raises(ConfigError, match="no Dask scheduler answers there"):
                run(study_of(), tmp_path / "none.sqlite", Cluster(other, 0, MEMORY))
        monkeypatch.setattr(connecting, "PATIENCE", "60s")
        with dask.config.set(certificates):
            run(study_of(), tmp_path / "s.sqlite", Cluster(address, 0, MEMORY))
    assert len(kept(tmp_path / "s.sqlite")) == 48


def test_workers_of_another_version_are_refused(distributed, study_of, tmp_path):
    with pytest.raises(ConfigError, match=r"has Seethrough .*, this is 0.0.1; install the same"):
        run(study_of(), tmp_path / "s.sqlite", Cluster("local", 1, MEMORY, "0.0.1"))


def test_nobody_at_the_address(distributed, study_of, tmp_path, monkeypatch):
    monkeypatch.setattr(connecting, "PATIENCE", "1s")
    with pytest.raises(ConfigError, match="no Dask scheduler answers there"):
        run(study_of(), tmp_path / "s.sqlite", Cluster("tcp://127.0.0.1:9", 1, MEMORY))


def test_without_dask_the_extra_is_named(study_of, tmp_path, monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(ConfigError, match=r"pip install 'seethrough\[cluster\]'"):
        run(study_of(), tmp_path / "s.sqlite", Cluster("local", 1, MEMORY))
