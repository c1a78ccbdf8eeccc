"""Workers on Dask distributed: a scheduler that runs already, or one inside this process that nobody else can reach.

Tables are a plugin of the workers, named by digest: each worker gets it once, also one that joins later or starts anew.
A worker that dies costs only its task, which the scheduler gives to another one.
"""

import json
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

from seethrough.cluster.connecting import connect, load_dask
from seethrough.data.table import Table
from seethrough.study.cells.cell import Result
from seethrough.study.cells.packed_tables import pack
from seethrough.study.run.work import parse_answers
from seethrough.study.run.workers import Answers, Task, given_up


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
        distributed = load_dask()
        from seethrough.study.run.dask_plugin import CachedTable, answer_task

        with ExitStack() as stack:
            client = connect(self.address, self.count, self.version, stack)
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


def _collected(future: Any, task: Task, distributed: Any) -> list[Result]:
    try:
        return parse_answers(future.result())
    except distributed.KilledWorker:
        return given_up(task, "on the cluster (KilledWorker): it was killed, or memory ran out")
