"""Tasks on several processes of this machine, some of which may die.

Each process has a pipe of its own, so that one that dies takes nothing along but the task it was at; another takes its
place and the task is given again, three times at most. What all tasks share travels once to each process. A process
ends when its coordinator does.
"""

import os
import signal
import threading
import time
import traceback
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from pathlib import Path
from typing import Any, Generic, TypeVar

from seethrough.errors import ConfigError
from seethrough.system.memory import count_oom_kills, was_oom_killed
from seethrough.system.private_folders import run_folder, use_run_folder
from seethrough.system.signals import signal_name

ATTEMPTS = 3
"""How often a task is begun whose process dies."""
T = TypeVar("T")
A = TypeVar("A")


@dataclass(frozen=True)
class Answered(Generic[T, A]):
    """A task with its answer, and the number of attempts it took."""

    task: T
    answer: A
    attempts: int


@dataclass(frozen=True)
class GivenUp(Generic[T]):
    """A task whose process died every time, and the exit code of the last: minus the number of a signal.

    `is_oom` where the system killed it for want of memory.
    """

    task: T
    attempts: int
    exit_code: int | None
    is_oom: bool = False

    @property
    def reason(self) -> str:
        """Say how the last process ended."""
        if self.is_oom:
            return "because the system killed it for want of memory (OOM killer)"
        code = self.exit_code or 0
        how = f"by {signal_name(-code)}" if code < 0 else f"with exit code {self.exit_code}"
        return f"{how}: it was killed, or memory ran out"


@dataclass(frozen=True)
class _Raised:
    """What a task raised in its process."""

    error: Exception


def compute_on_processes(
    count: int, tasks: Iterable[T], prepare: Callable[..., Callable[[T], A]], *shared: Any
) -> Generator[Answered[T, A] | GivenUp[T], None, None]:
    """Give each free process the next task until there are none, and yield what comes, in any order.

    Each process calls `prepare(*shared)` once; that gives the function that answers tasks. What a task raises is raised
    here. Close the generator (contextlib.closing) to end the processes early.
    """
    waiting = deque((task, 1) for task in tasks)
    with run_folder() as folder:
        pool: _ProcessPool[T, A] = _ProcessPool(waiting, prepare, shared, folder)
        try:
            pool.open(min(count, len(waiting)))
            while pool.busy:
                yield from pool.collect()
        finally:
            pool.dismiss()


@dataclass(eq=False)
class _Worker(Generic[T]):
    process: SpawnProcess
    pipe: Connection
    task: T
    attempt: int
    answered: int = 0


class _ProcessPool(Generic[T, A]):
    """The processes at work, and what waits for them."""

    def __init__(
        self,
        waiting: deque[tuple[T, int]],
        prepare: Callable[..., Callable[[T], A]],
        shared: tuple[Any, ...],
        folder: Path,
    ) -> None:
        self._waiting, self._prepare, self._shared, self._folder = waiting, prepare, shared, folder
        self.busy: list[_Worker[T]] = []
        self._stillborn, self._oom_kills = 0, count_oom_kills()

    def open(self, count: int) -> None:
        """Start so many processes, all before the first is waited for."""
        for worker in [self._start() for _ in range(count)]:
            self._send(worker, (self._prepare, self._shared))
            self._send(worker, worker.task)

    def collect(self) -> Iterator[Answered[T, A] | GivenUp[T]]:
        """Wait for what comes next: an answer, or the end of a process."""
        # A wait with a limit lets Ctrl-C through on every platform.
        ready = wait([worker.pipe for worker in self.busy], timeout=0.5)
        for worker in [each for each in self.busy if each.pipe in ready]:
            try:
                answer = worker.pipe.recv()
            except (EOFError, OSError):
                yield from self._replace(worker)
                continue
            if isinstance(answer, _Raised):
                raise answer.error
            answered = Answered[T, A](worker.task, answer, worker.attempt)
            worker.answered += 1
            self._next(worker)
            yield answered

    def dismiss(self) -> None:
        """End all processes; nobody waits for what they are at."""
        for worker in self.busy:
            worker.process.kill()
            worker.process.join()
            worker.pipe.close()
        self.busy.clear()

    def _start(self) -> _Worker[T]:
        ours, theirs = get_context("spawn").Pipe()
        process = get_context("spawn").Process(target=_answer_tasks, args=(theirs, self._folder))
        with _interrupts_ignored():  # until the process has said so itself
            process.start()
        theirs.close()
        worker = _Worker(process, ours, *self._waiting.popleft())
        self.busy.append(worker)
        return worker

    def _next(self, worker: _Worker[T]) -> None:
        if self._waiting:
            worker.task, worker.attempt = self._waiting.popleft()
            self._send(worker, worker.task)
            return
        self.busy.remove(worker)
        worker.pipe.close()
        worker.process.join()

    def _send(self, worker: _Worker[T], message: object) -> None:
        try:
            worker.pipe.send(message)
        except OSError:
            return  # it has died; the end of its pipe is met when answers are collected

    def _replace(self, worker: _Worker[T]) -> Iterator[GivenUp[T]]:
        """Give the task of a process that died to another, or up."""
        self.busy.remove(worker)
        worker.process.join()
        worker.pipe.close()
        self._refuse_if_none_can_start(worker)
        if worker.attempt < ATTEMPTS:
            self._waiting.append((worker.task, worker.attempt + 1))
        else:
            code = worker.process.exitcode
            is_oom = was_oom_killed(-(code or 0), self._oom_kills)
            yield GivenUp(worker.task, worker.attempt, code, is_oom)
        self.open(min(1, len(self._waiting)))

    def _refuse_if_none_can_start(self, worker: _Worker[T]) -> None:
        """Stop where no process lives to answer: in a script without `if __name__ == "__main__"` none ever would."""
        self._stillborn = 0 if worker.answered else self._stillborn + (worker.process.exitcode == 1)
        if self._stillborn > ATTEMPTS:
            raise ConfigError(
                "the processes that compute end as soon as they start: a script has to start them under "
                'if __name__ == "__main__", or ask for one worker'
            )


def _answer_tasks(pipe: Connection, folder: Path) -> None:
    """Answer tasks until nobody asks any more; runs in a process of its own, with private files in the run's folder."""
    use_run_folder(folder)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the coordinator hears Ctrl-C and ends us
    if os.name == "posix":
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    threading.Thread(target=_end_with, args=(os.getppid(),), daemon=True).start()
    try:
        prepare, shared = pipe.recv()
        answer = prepare(*shared)
        while True:
            _send_answer(pipe, answer, pipe.recv())
    except (EOFError, OSError):
        return


def _send_answer(pipe: Connection, answer: Callable[[Any], Any], task: object) -> None:
    try:
        found = answer(task)
    except Exception as error:  # noqa: BLE001  it is raised again by the coordinator
        error.add_note("".join(traceback.format_exception(error)))
        try:
            pipe.send(_Raised(error))
        except Exception:  # noqa: BLE001  an exception that cannot travel
            pipe.send(_Raised(RuntimeError(f"{type(error).__name__}: {error}")))
        return
    pipe.send(found)


def _end_with(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(0.5)
    os._exit(1)


@contextmanager
def _interrupts_ignored() -> Iterator[None]:
    """Let a process that starts now not hear Ctrl-C; here it is heard afterwards where signals can be held back."""
    if os.name == "posix":
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            yield
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
        return
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    handler = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, handler)
