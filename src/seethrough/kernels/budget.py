"""How much of the machine a kernel may use."""

import sys
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import lru_cache
from os import cpu_count

from threadpoolctl import ThreadpoolController

from seethrough.errors import ConfigError

GIB = 1 << 30


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
        """Run jobs on the budget's threads; the first error, or Ctrl-C, stops those that have not begun."""
        todo = list(jobs)
        with one_blas_thread(), ThreadPoolExecutor(self.threads) as pool:
            futures = [pool.submit(job) for job in todo]
            try:
                for done, future in enumerate(futures, 1):
                    _finish(future)
                    self.tick(done / len(futures))
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                raise


def _finish(future: Future[None]) -> None:
    while not future.done():  # a wait with a limit lets Ctrl-C through on every platform
        wait([future], timeout=0.5)
    future.result()


@contextmanager
def one_blas_thread() -> Iterator[None]:
    """Keep BLAS to one thread: on top of ours its threads would fight for the cores, and sums would depend on them."""
    with _loaded_libraries(len(sys.modules)).limit(limits=1, user_api="blas"):
        yield


@lru_cache(maxsize=1)
def _loaded_libraries(_modules: int) -> ThreadpoolController:
    """Find the BLAS libraries of this process, again once more modules are there; to search takes milliseconds."""
    return ThreadpoolController()
