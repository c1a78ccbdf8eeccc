"""Workers: who computes tasks. Here: processes on this machine.

Each process has a pipe of its own, so that one that dies takes nothing along but the task it was at; another takes its
place and the task is given again, three times at most. Tasks and answers travel as JSON. A table is written once
to a private folder and read by each process when it is first needed. A process ends when its coordinator does.
"""

import json
import os
import signal
import tempfile
import threading
import time
from collections import deque
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from pathlib import Path
from typing import Any, Protocol

from seethrough.data.table import Table
from seethrough.errors import ConfigError
from seethrough.study.cells.cell import Result, Status
from seethrough.study.cells.worker_cache import WorkerCache
from seethrough.study.plan.tables import pack, unpack
from seethrough.study.run.work import answer, compute, parse_answers

ATTEMPTS = 3
"""How often a task is begun whose worker dies."""
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
        with _folder(tables) as folder, _one_thread_each():
            pool = _Pool(deque((task, 1) for task in tasks), folder, self.memory // max(1, count))
            try:
                for _ in range(count):
                    pool.hire()
                while pool.busy:
                    yield from pool.collect()
            finally:
                pool.dismiss()


@dataclass(eq=False)
class _Worker:
    process: SpawnProcess
    pipe: Connection
    task: Task
    attempt: int
    answered: int = 0


class _Pool:
    """The processes at work, and what waits for them."""

    def __init__(self, waiting: deque[tuple[Task, int]], folder: str, memory: int) -> None:
        self._waiting, self._folder, self._memory = waiting, folder, memory
        self.busy: list[_Worker] = []
        self._stillborn = 0

    def hire(self) -> None:
        """Start a process for the next task, if there is one."""
        if not self._waiting:
            return
        ours, theirs = get_context("spawn").Pipe()
        process = get_context("spawn").Process(target=_work, args=(theirs, self._folder, self._memory), daemon=True)
        with _interrupts_ignored():  # until the process has said so itself
            process.start()
        theirs.close()
        worker = _Worker(process, ours, *self._waiting.popleft())
        self.busy.append(worker)
        self._give(worker)

    def collect(self) -> Iterator[tuple[list[Result], int]]:
        """Wait for what comes next: an answer, or the end of a process."""
        # A wait with a limit lets Ctrl-C through on every platform.
        ready = wait([worker.pipe for worker in self.busy], timeout=0.5)
        for worker in [each for each in self.busy if each.pipe in ready]:
            try:
                answered = worker.pipe.recv_bytes()
            except (EOFError, OSError):
                yield from self._lost(worker)
                continue
            attempt = worker.attempt
            worker.answered += 1
            self._next(worker)
            yield parse_answers(answered), attempt

    def dismiss(self) -> None:
        """End all processes; nobody waits for what they are at."""
        for worker in self.busy:
            worker.process.kill()
            worker.process.join()
            worker.pipe.close()
        self.busy.clear()

    def _next(self, worker: _Worker) -> None:
        if self._waiting:
            worker.task, worker.attempt = self._waiting.popleft()
            self._give(worker)
            return
        self.busy.remove(worker)
        worker.pipe.close()
        worker.process.join()

    def _give(self, worker: _Worker) -> None:
        try:
            worker.pipe.send_bytes(json.dumps(worker.task).encode())
        except OSError:
            return  # it has died; the end of its pipe is met when answers are collected

    def _lost(self, worker: _Worker) -> Iterator[tuple[list[Result], int]]:
        """Give the task of a process that died to another, or up."""
        self.busy.remove(worker)
        worker.process.join()
        worker.pipe.close()
        self._refuse_if_none_can_start(worker)
        if worker.attempt < ATTEMPTS:
            self._waiting.append((worker.task, worker.attempt + 1))
        else:
            yield given_up(worker.task, f"exit code {worker.process.exitcode}"), worker.attempt
        self.hire()

    def _refuse_if_none_can_start(self, worker: _Worker) -> None:
        """Stop where no process lives to answer: in a script without `if __name__ == "__main__"` none ever would."""
        self._stillborn = 0 if worker.answered else self._stillborn + (worker.process.exitcode == 1)
        if self._stillborn > ATTEMPTS:
            raise ConfigError(
                "the processes that compute cells end as soon as they start: a script has to start them under "
                'if __name__ == "__main__", or ask for one worker'
            )


def given_up(task: Task, how: str) -> list[Result]:
    """Fail the cells of a task whose workers died."""
    error = f"the worker died {ATTEMPTS} times ({how}): it was killed, or memory ran out"
    return [Result(cell["key"], Status.FAILED, error=error) for cell in task["cells"]]


def _work(pipe: Connection, folder: str, memory: int) -> None:
    """Answer tasks until nobody asks any more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the coordinator hears Ctrl-C and ends us
    threading.Thread(target=_end_with, args=(os.getppid(),), daemon=True).start()
    cache = WorkerCache(lambda digest: unpack((Path(folder) / digest).read_bytes()))
    try:
        while True:
            pipe.send_bytes(answer(pipe.recv_bytes(), cache, memory))
    except (EOFError, OSError):
        return


def _end_with(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(0.5)
    os._exit(1)


@contextmanager
def _interrupts_ignored() -> Iterator[None]:
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def _folder(tables: Mapping[str, Table]) -> Iterator[str]:
    """Write the tables to a private folder that is removed afterwards."""
    with tempfile.TemporaryDirectory(prefix="seethrough-study-") as folder:
        for digest, table in tables.items():
            (Path(folder) / digest).write_bytes(pack(table))
        yield folder


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
