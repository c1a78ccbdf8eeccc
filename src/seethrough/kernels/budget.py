"""How much of the machine a kernel may use."""

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from functools import lru_cache
from os import cpu_count
from threading import Lock
from typing import TypeVar

from threadpoolctl import ThreadpoolController

from seethrough.errors import ConfigError
from seethrough.kernels.crew import run_jobs

GIB = 1 << 30
A = TypeVar("A")
B = TypeVar("B")


SMALL_TABLES = ((50_000, 4), (200_000, 8))
"""Rows of the largest table of an audit, and the most threads that it gains by: the steps of small tables are short,
and threads of one interpreter hand each of them on. 20,000 rows took 25 s on 16 threads of a machine of 16 cores, and
12 s on two threads of one of two."""


def useful_threads(rows: int, cores: int) -> int:
    """Give how many threads an audit of so many rows uses where nobody says: one for each core, fewer if small."""
    return next((min(cores, most) for few, most in SMALL_TABLES if rows <= few), cores)


def _silent(fraction: float) -> None:
    """Report progress to nobody."""


@dataclass(frozen=True)
class Budget:
    """Memory for temporary arrays in bytes, threads, and whom to tell how far a long pass has come.

    None of them changes a result. `device` is "cpu", or what torch calls an accelerator; the kernels that use it say
    how far their results may differ.
    """

    memory: int = 4 * GIB
    threads: int = field(default_factory=lambda: cpu_count() or 1)
    tick: Callable[[float], None] = _silent
    device: str = "cpu"

    def __post_init__(self) -> None:
        """Refuse what is no number: a text would fail much later, in every check by itself."""
        for name, value in (("memory", self.memory), ("threads", self.threads)):
            if not isinstance(value, int) or value < 1:
                unit = "bytes" if name == "memory" else "threads"
                raise ConfigError(f"{name} is {value!r}; a whole number of {unit} is expected")

    @property
    def silent(self) -> "Budget":
        """The same for work that may be done elsewhere, where nobody is told how far it has come."""
        return replace(self, tick=_silent)

    def run(self, jobs: Iterable[Callable[[], None]]) -> None:
        """Run jobs on the budget's threads; the first error, or Ctrl-C, stops those that have not begun.

        Jobs may run jobs in turn, on the same threads (`crew`).
        """
        with one_blas_thread():
            run_jobs(list(jobs), self.threads, self.tick)

    def both(self, one: Callable[[], A], other: Callable[[], B]) -> tuple[A, B]:
        """Compute two things side by side, of which the first is begun first; nobody is told how far they are."""
        ones: list[A] = []
        others: list[B] = []
        self.silent.run([lambda: ones.append(one()), lambda: others.append(other())])
        return ones[0], others[0]


class _BlasLimit:
    """How many hold BLAS to one thread now; the limit is of the whole process, and the last one lifts it."""

    def __init__(self) -> None:
        self.lock, self.holding, self.limits = Lock(), 0, ExitStack()
        self.limited: set[ThreadpoolController] = set()

    def hold(self) -> None:
        with self.lock:
            self.holding += 1
            libraries = _loaded_libraries(len(sys.modules))
            if libraries not in self.limited:  # none is, or a library was loaded since
                self.limits.enter_context(libraries.limit(limits=1, user_api="blas"))
                self.limited.add(libraries)

    def let_go(self) -> None:
        with self.lock:
            self.holding -= 1
            if not self.holding:
                self.limited.clear()
                self.limits.close()


_blas = _BlasLimit()


@contextmanager
def one_blas_thread() -> Iterator[None]:
    """Keep BLAS to one thread: on top of ours its threads would fight for the cores, and sums would depend on them."""
    _blas.hold()
    try:
        yield
    finally:
        _blas.let_go()


@lru_cache(maxsize=1)
def _loaded_libraries(_modules: int) -> ThreadpoolController:
    """Find the BLAS libraries of this process, again once more modules are there; to search takes milliseconds."""
    return ThreadpoolController()
