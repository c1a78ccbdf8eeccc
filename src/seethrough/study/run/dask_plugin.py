"""What a Dask worker is given: a cache with tables. Imported only where Dask is there."""

from typing import Any

from distributed import WorkerPlugin, get_worker
from threadpoolctl import threadpool_limits

from seethrough.data.table import Table
from seethrough.study.cells.packed_tables import unpack
from seethrough.study.cells.worker_cache import WorkerCache
from seethrough.study.run.work import answer

_TABLES, _CACHE = "seethrough_tables", "seethrough_cache"


class CachedTable(WorkerPlugin):
    """Puts one table into the cache of a worker when it starts."""

    idempotent = True

    def __init__(self, digest: str, packed: bytes) -> None:
        self.name, self.digest, self.packed = f"seethrough-{digest}", digest, packed

    def setup(self, worker: Any) -> None:
        """Unpack the table, and keep to one BLAS thread as long as the worker lives."""
        threadpool_limits(limits=1, user_api="blas")
        _cache_of(worker)
        vars(worker)[_TABLES][self.digest] = unpack(self.packed)


def _cache_of(worker: Any) -> WorkerCache:
    """Give the cache of a worker; a study that makes its own data sends no table, and has one all the same."""
    kept = vars(worker)
    tables: dict[str, Table] = kept.setdefault(_TABLES, {})
    cache: WorkerCache = kept.setdefault(_CACHE, WorkerCache(tables.__getitem__))
    return cache


def answer_task(task: bytes, memory: int) -> bytes:
    """Compute a task with the cache of the worker that this runs on."""
    return answer(task, _cache_of(get_worker()), memory)
