"""Passes on Dask: the same states whatever the workers; what becomes of a cluster is said in a sentence."""

import os
import signal
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import seethrough as st
from seethrough import __version__
from seethrough.cluster import chunk_workers, connecting
from seethrough.cluster.chunk_workers import open_cluster
from seethrough.data.reading.large import file_chunks, large_release
from seethrough.errors import ClusterError, ConfigError

MEMORY = 1 << 28
pytestmark = pytest.mark.xdist_group("dask")


@pytest.fixture(scope="module")
def distributed():
    return pytest.importorskip("distributed", reason="the extra cluster (dask, distributed) is not installed")


def people(rows, seed):
    rng = np.random.default_rng(seed)
    return pl.DataFrame(
        {
            "town": rng.choice(list("abcd"), rows),
            "age": rng.normal(40, 12, rows).round(),
            "ill": rng.choice(["no", "yes"], rows, p=[0.7, 0.3]),
        }
    )


REAL, OUTSIDE = people(90, 1), people(90, 2)
RELEASE = pl.concat([REAL[:30], people(150, 3)])


@dataclass(frozen=True)
class Part:
    """Some numbers."""

    numbers: tuple[int, ...]
    before: int

    def read(self):
        return self.numbers


class Numbers:
    """The numbers up to 100 in chunks."""

    def __init__(self, size):
        self.size = size

    def list_chunks(self):
        return [Part(tuple(range(at, min(at + self.size, 100))), at) for at in range(0, 100, self.size)]


@dataclass(frozen=True)
class Adding:
    """Adds up, and kills its worker, once, where it is told to; or runs out of memory."""

    killing: Path | None = None
    greedy: bool = False
    from_row: int = 41

    def partial(self, rows, before, hint):
        if self.greedy and before >= self.from_row:
            raise MemoryError
        if self.killing is not None and before >= self.from_row:
            if not self.killing.exists():
                self.killing.touch()
                os.kill(os.getpid(), signal.SIGKILL)
            elif self.killing.name == "always":
                os.kill(os.getpid(), signal.SIGKILL)
        return sum(rows), before

    def merge(self, first, second):
        return first[0] + second[0], min(first[1], second[1])

    def hint(self, state):
        return None


@pytest.mark.parametrize(("workers", "size"), [(1, 7), (2, 100), (7, 3)])
def test_chunks_are_merged_to_the_same(distributed, workers, size):
    with open_cluster("local", workers, MEMORY, __version__) as executor:
        assert executor.fold(Numbers(size), Adding()) == (4950, 0)


def test_memory_that_runs_out_is_said(distributed):
    with (
        open_cluster("local", 1, MEMORY, __version__) as executor,
        pytest.raises(ClusterError, match="memory of a worker ran out over one chunk"),
    ):
        executor.fold(Numbers(10), Adding(greedy=True))


def test_nobody_at_the_address(distributed, monkeypatch, tmp_path):
    monkeypatch.setattr(connecting, "PATIENCE", "1s")
    with pytest.raises(ConfigError, match=r"--cluster tls://127.0.0.1:9: no Dask scheduler answers there"):
        st.audit(REAL, RELEASE, OUTSIDE, cluster="tls://127.0.0.1:9")


def test_people_travel_over_tls_alone():
    with pytest.raises(ConfigError, match=r"over TLS alone; name the scheduler by its tls:// address"):
        st.audit(REAL, RELEASE, OUTSIDE, cluster="tcp://10.0.0.5:8786")


def test_workers_of_another_version_are_refused(distributed):
    with (
        pytest.raises(ConfigError, match=r"has Seethrough .*, this is 0.0.1; install the same"),
        open_cluster("local", 1, MEMORY, "0.0.1"),
    ):
        pass


def test_a_scheduler_without_workers_is_said(distributed, monkeypatch):
    monkeypatch.setattr(chunk_workers, "PATIENCE_FOR_WORKERS", 0.2)
    with (
        pytest.raises(ConfigError, match="the scheduler has no workers"),
        open_cluster("local", 0, MEMORY, __version__),
    ):
        pass


def test_a_file_that_workers_cannot_see(distributed, tmp_path, monkeypatch):
    monkeypatch.setattr(large_release, "LARGE", 0)
    path = tmp_path / "release.parquet"
    RELEASE.write_parquet(path)
    listed = file_chunks.RawChunks.list_chunks

    def moved(self):
        found = listed(self)
        path.rename(tmp_path / "elsewhere.parquet")
        return found

    monkeypatch.setattr(file_chunks.RawChunks, "list_chunks", moved)
    with pytest.raises(ClusterError, match=r"--cluster local: a worker cannot read release\.parquet: .* is not there"):
        st.audit(REAL, path, OUTSIDE, cluster="local", threads=1)


def numbers(report):
    """Everything that a report says, but for the time it took."""

    def without_time(value):
        if isinstance(value, dict):
            kept = {name: each for name, each in value.items() if name not in {"seconds", "timings", "digest"}}
            return {name: without_time(each) for name, each in kept.items()}
        return [without_time(each) for each in value] if isinstance(value, list) else value

    return without_time(report.to_dict())


CHECKS = ["air", "crp", "dcr", "gcap", "hitting-rate", "id-score", "ks", "nnaa"]


def asked(release, **more):
    return numbers(st.audit(REAL, release, OUTSIDE, secret="ill", checks=CHECKS, preset="fast", **more))


@pytest.mark.slow
def test_audits_are_the_same_on_any_workers_and_chunks(distributed, tmp_path, monkeypatch):
    path = tmp_path / "release.parquet"
    RELEASE.write_parquet(path, row_group_size=40)
    in_memory = asked(path, threads=1)
    monkeypatch.setattr(large_release, "SHARED", 17)
    assert asked(path, threads=2, cluster="local") == in_memory
    monkeypatch.setattr(large_release, "LARGE", 0)
    monkeypatch.setattr(file_chunks, "CHUNK", 1000)
    in_chunks = asked(path, threads=1)
    for workers, rows in ((1, 23), (2, 90), (7, 11)):
        monkeypatch.setattr(file_chunks, "CHUNK", rows)
        assert asked(path, threads=workers, cluster="local") == in_chunks


@pytest.mark.slow
def test_over_tls_a_worker_killed_in_the_middle_changes_nothing(distributed, certificates, tmp_path, monkeypatch):
    import dask

    path = tmp_path / "release.parquet"
    RELEASE.write_parquet(path, row_group_size=40)
    monkeypatch.setattr(large_release, "LARGE", 0)
    in_chunks = asked(path, threads=1)
    monkeypatch.setattr(file_chunks, "CHUNK", 20)
    monkeypatch.setenv(
        "PYTHONPATH", os.pathsep.join([str(Path(__file__).parent), *os.environ.get("PYTHONPATH", "").split(os.pathsep)])
    )
    settings = {**certificates, "distributed.worker.memory.spill": False, "distributed.worker.memory.target": False}
    settings["distributed.scheduler.allowed-failures"] = 1  # the second death over one chunk is the last
    with (
        dask.config.set(settings),
        distributed.LocalCluster(
            n_workers=2,
            threads_per_worker=1,
            host="127.0.0.1",
            protocol="tls://",
            dashboard_address="127.0.0.1:0",
            security=distributed.Security(),
            local_directory=str(tmp_path / "workers"),
            silence_logs=50,
        ) as there,
    ):
        with open_cluster(there.scheduler_address, 0, MEMORY, __version__) as executor:
            assert executor.fold(Numbers(9), Adding(tmp_path / "once")) == (4950, 0)
            with pytest.raises(ClusterError, match="workers died over one chunk of the release"):
                executor.fold(Numbers(100), Adding(tmp_path / "always", from_row=0))
        assert asked(path, cluster=there.scheduler_address) == in_chunks
        with distributed.Client(there.scheduler_address) as other:
            held = other.run(lambda dask_worker: len(vars(dask_worker).get("seethrough_passes", {})))
        assert set(held.values()) == {0}, "people are forgotten when a pass is over"
        written = [file for file in (tmp_path / "workers").rglob("*") if file.is_file() and file.stat().st_size > 200]
        assert not written, "nothing of the tables is written"
