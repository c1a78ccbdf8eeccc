"""Workers on Dask distributed: a scheduler that runs already, or one inside this process that nobody else can reach.

Tables are a plugin of the workers, named by digest: each worker gets it once, also one that joins later or starts anew.
A worker that dies costs only its task, which the scheduler gives to another one.
"""

import json
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from seethrough.data.table import Table
from seethrough.errors import ConfigError
from seethrough.kernels.process_pool import ATTEMPTS
from seethrough.study.cells.cell import Result
from seethrough.study.cells.packed_tables import pack
from seethrough.study.run.work import parse_answers
from seethrough.study.run.workers import Answers, Task, given_up

LOCAL = "local"
PATIENCE = "20s"
"""How long to wait for a scheduler to answer."""


@dataclass(frozen=True)
class Cluster:
    """Computes on a Dask cluster: `address` is that of its scheduler, or "local": one with `count` threads here."""

    address: str
    count: int
    memory: int
    version: str = ""

    @property
    def described(self) -> str:
        """Say where the work is done."""
        return f"Dask cluster {self.address}"

    def answers(self, tasks: Sequence[Task], tables: Mapping[str, Table]) -> Answers:
        """Hand all tasks to the scheduler and give answers as they come."""
        distributed = _distributed()
        from seethrough.study.run.dask_plugin import CachedTable, answer_task

        with ExitStack() as stack:
            client = stack.enter_context(self._client(distributed, stack))
            _refuse_other_versions(client, self.version)
            for digest, table in tables.items():
                client.register_plugin(CachedTable(digest, pack(table)))
            futures = [
                client.submit(answer_task, json.dumps(task).encode(), self.memory, pure=False, retries=0)
                for task in tasks
            ]
            of = {future.key: task for future, task in zip(futures, tasks, strict=True)}
            arriving = distributed.as_completed(futures)
            del futures  # answers that were collected are forgotten on the cluster
            for future in arriving:
                yield _collected(future, of[future.key], distributed), 1

    def _client(self, distributed: Any, stack: ExitStack) -> Any:
        import dask

        stack.enter_context(dask.config.set({"distributed.scheduler.allowed-failures": ATTEMPTS - 1}))
        if self.address == LOCAL:
            from seethrough.study.run.dask_here import cluster_here

            return distributed.Client(stack.enter_context(cluster_here(self.count)))
        try:
            return distributed.Client(self.address, timeout=PATIENCE)
        except (OSError, ValueError, TypeError) as error:
            hint = " (a tls:// address needs certificates, see docs/cluster.md)" if "tls" in self.address else ""
            raise ConfigError(f"--cluster {self.address}: no Dask scheduler answers there{hint}") from error


def _distributed() -> Any:
    try:
        import distributed
    except ImportError as error:
        raise ConfigError("--cluster needs Dask, which is not installed: pip install 'seethrough[cluster]'") from error
    return distributed


def _refuse_other_versions(client: Any, own: str) -> None:
    """Refuse workers with another Seethrough: their numbers may differ."""
    for worker, version in client.run(_version).items():
        if own and version != own:
            raise ConfigError(f"the worker {worker} has Seethrough {version}, this is {own}; install the same")


def _version() -> str:
    return str(import_module("seethrough").__version__)


def _collected(future: Any, task: Task, distributed: Any) -> list[Result]:
    try:
        return parse_answers(future.result())
    except distributed.KilledWorker:
        return given_up(task, "on the cluster (KilledWorker): it was killed, or memory ran out")
