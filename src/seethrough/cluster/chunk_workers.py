"""Passes over chunks on the workers of a cluster.

A pass goes to every worker once, as a plugin, also to one that joins later or starts anew; it is kept in memory alone
and is gone when the pass is over. Chunks are named, and read where they are computed; those of a table in memory are
sent. A worker that dies costs its chunks under way, which others compute; what is merged is merged once, so that
nothing changes. At most a few chunks for each worker are under way, so that later ones know what was found before.
"""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from typing import Any, TypeVar

from seethrough.cluster.connecting import LOCAL, connect, load_dask
from seethrough.errors import ClusterError, ConfigError, DataError
from seethrough.kernels.passes import Chunk, Chunks, Pass

R = TypeVar("R")
S = TypeVar("S")
AHEAD = 2
"""Chunks under way for each thread of a worker."""
PATIENCE_FOR_WORKERS = 60
"""Seconds to wait for a first worker."""


@contextmanager
def open_cluster(address: str, threads: int, memory: int, version: str) -> "Iterator[ChunkWorkers]":
    """Come to a cluster for as long as an audit lasts; real people travel to it over TLS, or not at all."""
    if address != LOCAL and not address.startswith("tls://"):
        raise ConfigError(
            f"--cluster {address}: people of the real table travel to the workers, and over TLS alone; name the "
            "scheduler by its tls:// address (docs/cluster.md), or say local"
        )
    with ExitStack() as stack:
        client = connect(address, threads, version, stack)
        _wait_for_a_worker(client, address)
        yield ChunkWorkers(client, address, memory, version)


def _wait_for_a_worker(client: Any, address: str) -> None:
    try:
        client.wait_for_workers(1, timeout=PATIENCE_FOR_WORKERS)
    except TimeoutError as error:
        raise ConfigError(f"--cluster {address}: the scheduler has no workers") from error


@dataclass(frozen=True, eq=False)
class ChunkWorkers:
    """Goes through chunks on the workers of a cluster."""

    client: Any
    address: str
    memory: int
    version: str

    def fold(self, chunks: Chunks[R], each: Pass[R, S]) -> S:
        """Send the pass to the workers, hand out chunks, and merge what comes back as it comes."""
        from seethrough.cluster.worker_passes import SentPass

        listed = chunks.list_chunks()
        if not listed:
            raise ValueError("a pass needs at least one chunk")
        sent = SentPass(each, self.memory, self.version)
        with self._told():
            self.client.register_plugin(sent)
        try:
            return self._merged(listed, each, sent.name)
        finally:
            self._forget(sent.name)

    def _merged(self, listed: "list[Chunk[R]] | Any", each: Pass[R, S], name: str) -> S:
        """Keep workers busy; every chunk is handed out with what the states merged so far say."""
        distributed = load_dask()
        threads = sum(self.client.nthreads().values()) or 1
        todo, state = iter(listed), None
        arriving = distributed.as_completed()
        with self._told():
            for _ in range(AHEAD * threads):
                self._hand_out(todo, arriving, name, None)
            for future in arriving:
                found: S = future.result()
                state = found if state is None else each.merge(state, found)
                self._hand_out(todo, arriving, name, each.hint(state))
        assert state is not None
        return state

    def _hand_out(self, todo: Iterator[Chunk[Any]], arriving: Any, name: str, hint: Any) -> None:
        from seethrough.cluster.worker_passes import compute_chunk

        chunk = next(todo, None)
        if chunk is not None:
            arriving.add(self.client.submit(compute_chunk, name, chunk, hint, pure=False, retries=0))

    def _forget(self, name: str) -> None:
        with suppress(Exception):  # the cluster may be gone, which was said already
            self.client.unregister_worker_plugin(name)

    @contextmanager
    def _told(self) -> Iterator[None]:
        """Say in a sentence what became of the cluster."""
        distributed = load_dask()
        try:
            yield
        except distributed.KilledWorker as error:
            raise ClusterError(
                f"--cluster {self.address}: workers died over one chunk of the release: they were killed, or their "
                "memory ran out; give them more (dask worker --memory-limit), or files of fewer rows"
            ) from error
        except MemoryError as error:
            raise ClusterError(
                f"--cluster {self.address}: the memory of a worker ran out over one chunk of the release"
            ) from error
        except DataError as error:  # in the middle of an audit it would be taken for the fault of one check
            raise ClusterError(f"--cluster {self.address}: {error}") from error
        except (OSError, distributed.CancelledError) as error:
            raise ClusterError(f"--cluster {self.address}: the scheduler does not answer any more") from error
