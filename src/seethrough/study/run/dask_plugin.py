"""What a Dask worker is given: a desk with tables. Imported only where Dask is there."""

from typing import Any

from distributed import WorkerPlugin, get_worker
from threadpoolctl import threadpool_limits

from seethrough.data.table import Table
from seethrough.study.plan.tables import unpack
from seethrough.study.run.work import answer
from seethrough.study.run.worker_cache import WorkerCache

_TABLES, _DESK = "seethrough_tables", "seethrough_desk"


class TableOnDesk(WorkerPlugin):
    """Puts one table on the desk of a worker when it starts."""

    idempotent = True

    def __init__(self, digest: str, packed: bytes) -> None:
        self.name, self.digest, self.packed = f"seethrough-{digest}", digest, packed

    def setup(self, worker: Any) -> None:
        """Unpack the table, and keep to one BLAS thread as long as the worker lives."""
        threadpool_limits(limits=1, user_api="blas")
        kept = vars(worker)
        tables: dict[str, Table] = kept.setdefault(_TABLES, {})
        kept.setdefault(_DESK, WorkerCache(tables.__getitem__))
        tables[self.digest] = unpack(self.packed)


def answer_task(task: bytes, memory: int) -> bytes:
    """Compute a task at the desk of the worker that this runs on."""
    desk: WorkerCache = vars(get_worker())[_DESK]
    return answer(task, desk, memory)
