"""`seethrough audit --cluster` where something is wrong with the cluster: a sentence, exit code 2, nothing written."""

import threading
from dataclasses import dataclass

import numpy as np
import polars as pl
import pytest
from typer.testing import CliRunner

from seethrough import __version__
from seethrough.cli.main import app
from seethrough.cluster import chunk_workers, connecting
from seethrough.cluster.chunk_workers import open_cluster
from seethrough.data.reading.large import file_chunks, large_release, reading_pass
from seethrough.errors import ClusterError

pytestmark = pytest.mark.xdist_group("dask")


@pytest.fixture(scope="module")
def distributed():
    return pytest.importorskip("distributed", reason="the extra cluster (dask, distributed) is not installed")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Tables of a release that is read in chunks."""
    monkeypatch.setattr(large_release, "LARGE", 0)
    monkeypatch.setattr(file_chunks, "CHUNK", 40)
    for seed, name in enumerate(("real", "release", "holdout")):
        rng = np.random.default_rng(seed)
        people = {"town": rng.choice(list("abcd"), 90), "age": rng.integers(20, 60, 90)}
        pl.DataFrame(people).write_parquet(tmp_path / f"{name}.parquet", row_group_size=30)
    return tmp_path


def refused(folder, address="local"):
    """Audit, and give the one sentence that it ends with."""
    tables = [f"--{option}={folder / name}.parquet" for option, name in TABLES]
    words = ["audit", *tables, "--cluster", address, "--threads", "1", "--checks", "crp", "--out", str(folder / "out")]
    found = CliRunner().invoke(app, words)
    assert found.exit_code == 2, found.output
    assert not (folder / "out").exists(), "nothing is half-written"
    (sentence,) = [line for line in found.stderr.splitlines() if line.startswith("seethrough: ")]
    assert "Traceback" not in found.output
    return sentence


TABLES = (("real", "real"), ("synthetic", "release"), ("holdout", "holdout"))


def test_an_address_where_nobody_listens(distributed, folder, monkeypatch):
    monkeypatch.setattr(connecting, "PATIENCE", "1s")
    assert "--cluster tls://127.0.0.1:9: no Dask scheduler answers there" in refused(folder, "tls://127.0.0.1:9")


def test_a_client_that_starts_late_is_started_again(distributed, folder, monkeypatch):
    """On a busy machine Dask's own thread may begin later than Dask waits for it, which ends in an assertion."""
    late = []

    def stalled(*_, **__):
        late.append(1)
        raise AssertionError

    monkeypatch.setattr(distributed, "Client", stalled)
    assert "Dask did not start on this machine, which is too busy: run it again later" in refused(folder)
    assert len(late) == connecting.ATTEMPTS


def test_an_address_that_is_none(distributed, folder):
    assert "name the scheduler by its tls:// address (docs/cluster.md), or say local" in refused(
        folder, "10.0.0.5:8786"
    )


def test_workers_of_another_version(distributed, folder, monkeypatch):
    monkeypatch.setattr(connecting, "own_version", lambda: "0.0.1")
    assert f"has Seethrough 0.0.1, this is {__version__}; install the same" in refused(folder)


def test_a_scheduler_without_workers(distributed, folder, monkeypatch):
    monkeypatch.setattr(chunk_workers, "PATIENCE_FOR_WORKERS", 0.2)
    connect = chunk_workers.connect
    monkeypatch.setattr(chunk_workers, "connect", lambda address, count, *more: connect(address, 0, *more))
    assert "--cluster local: the scheduler has no workers" in refused(folder)


def test_a_file_that_workers_cannot_see(distributed, folder, monkeypatch):
    listed = file_chunks.RawChunks.list_chunks

    def moved(self):
        found = listed(self)
        (folder / "release.parquet").rename(folder / "elsewhere.parquet")
        return found

    monkeypatch.setattr(file_chunks.RawChunks, "list_chunks", moved)
    assert "--cluster local: a worker cannot read release.parquet" in refused(folder)


def test_a_file_that_vanishes_in_the_middle(distributed, folder, monkeypatch):
    encode = file_chunks.RowCoding.encode
    lock, read = threading.Lock(), []

    def vanish(self, rows):
        with lock:
            read.append(rows)
            if len(read) == 4:  # the first pass over encoded rows is through its three chunks
                (folder / "release.parquet").unlink()
        return encode(self, rows)

    monkeypatch.setattr(file_chunks.RowCoding, "encode", vanish)
    assert "a worker cannot read release.parquet" in refused(folder)


def test_a_worker_out_of_memory(distributed, folder, monkeypatch):
    def greedy(self, rows, before, hint):
        raise MemoryError

    monkeypatch.setattr(reading_pass.LevelsPass, "partial", greedy)
    assert "--cluster local: the memory of a worker ran out over one chunk of the release" in refused(folder)


@dataclass(frozen=True)
class Waiting:
    """Takes its time over every chunk."""

    def partial(self, rows, before, hint):
        import time

        time.sleep(0.3)
        return sum(rows)

    def merge(self, first, second):
        return first + second

    def hint(self, state):
        return None


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # a socket that Dask was opening
def test_a_scheduler_that_vanishes_in_the_middle(distributed, certificates, tmp_path, monkeypatch):
    import dask

    from tests.cluster.test_chunk_workers import MEMORY, Numbers

    settings = {**certificates, "distributed.comm.timeouts.connect": "2s", "distributed.comm.retry.count": 0}
    with dask.config.set(settings):
        there = distributed.LocalCluster(
            n_workers=1,
            threads_per_worker=1,
            processes=False,
            host="127.0.0.1",
            protocol="tls://",
            dashboard_address="127.0.0.1:0",
            security=distributed.Security(),
            local_directory=str(tmp_path / "workers"),
            silence_logs=50,
        )
        with open_cluster(there.scheduler_address, 0, MEMORY, __version__) as executor:
            threading.Timer(1.0, there.close).start()
            with pytest.raises(ClusterError, match="the scheduler does not answer any more"):
                executor.fold(Numbers(5), Waiting())
