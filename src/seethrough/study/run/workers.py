"""Workers: who computes tasks. Here: this process, or several on this machine.

Tasks and answers travel as JSON. A table is written once to a private folder and read by each process when it is first
needed. What happens to a process that dies is said in kernels/process_pool.py.
"""

import json
import os
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from seethrough.data.table import Table
from seethrough.kernels.process_pool import ATTEMPTS, GivenUp, compute_on_processes
from seethrough.study.cells.cell import Result, Status
from seethrough.study.cells.packed_tables import pack, unpack
from seethrough.study.cells.worker_cache import WorkerCache
from seethrough.study.run.work import answer, compute, parse_answers
from seethrough.system.private_folders import private_folder, write_private

Task = Mapping[str, Any]
Answers = Generator[tuple[list[Result], int], None, None]
"""Results of a task, and the number of attempts they took; closing it ends the workers."""
_THREADS = (
    "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "MKL_NUM_THREADS",
    "VECLIB_MAXIMUM_THREADS",
    "POLARS_MAX_THREADS",
)


class Workers(Protocol):
    """Computes tasks in any order and gives what comes, with the number of attempts it took."""

    @property
    def described(self) -> str:
        """Say who works."""
        ...

    def answers(self, tasks: Sequence[Task], tables: Mapping[str, Table]) -> Answers:
        """Compute all tasks; `tables` are by digest."""
        ...


@dataclass(frozen=True)
class Here:
    """Computes in this process, one task after the other."""

    memory: int
    described: str = "this process"

    def answers(self, tasks: Sequence[Task], tables: Mapping[str, Table]) -> Answers:
        """Compute all tasks."""
        cache = WorkerCache(tables.__getitem__)
        for task in tasks:
            yield compute(task, cache, self.memory), 1


@dataclass(frozen=True)
class Processes:
    """Computes on several processes; `memory` is for all of them together."""

    count: int
    memory: int

    @property
    def described(self) -> str:
        """Say how many there are."""
        return f"{self.count} processes"

    def answers(self, tasks: Sequence[Task], tables: Mapping[str, Table]) -> Answers:
        """Give each free process the next task until there are none."""
        count = min(self.count, len(tasks))
        share = self.memory // max(1, count)
        packed = [json.dumps(task).encode() for task in tasks]
        with (
            _folder(tables) as folder,
            _one_thread_each(),
            closing(compute_on_processes(count, packed, _worker, folder, share)) as found,
        ):
            for each in found:
                if isinstance(each, GivenUp):
                    yield given_up(json.loads(each.task), each.reason), each.attempts
                else:
                    yield parse_answers(each.answer), each.attempts


def given_up(task: Task, how: str) -> list[Result]:
    """Fail the cells of a task whose workers died."""
    error = f"the worker died {ATTEMPTS} times, the last time {how}"
    return [Result(cell["key"], Status.FAILED, error=error) for cell in task["cells"]]


def _worker(folder: str, memory: int) -> Callable[[bytes], bytes]:
    """Give what answers tasks in a process of its own, with tables from the folder."""
    cache = WorkerCache(lambda digest: unpack((Path(folder) / digest).read_bytes()))
    return lambda task: answer(task, cache, memory)


@contextmanager
def _folder(tables: Mapping[str, Table]) -> Iterator[str]:
    """Write the tables to a private folder that is removed afterwards."""
    with private_folder("tables") as folder:
        for digest, table in tables.items():
            write_private(folder / digest, pack(table))
        yield str(folder)


@contextmanager
def _one_thread_each() -> Iterator[None]:
    """Let processes that start now keep to one thread: more would fight for the cores."""
    before = {name: os.environ.get(name) for name in _THREADS}
    os.environ.update(dict.fromkeys(_THREADS, "1"))
    try:
        yield
    finally:
        for name, value in before.items():
            os.environ.pop(name, None)
            if value is not None:
                os.environ[name] = value
