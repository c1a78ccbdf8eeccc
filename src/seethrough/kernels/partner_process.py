"""Half of a computation in a copy of this process, so that its many short steps do not wait for ours.

Threads of one Python process hand the interpreter to each other at every array operation. An audit of 5,000 rows takes
8.3 s of processor time on one thread and 10.3 s on two, of which only 1.6 are ever at work; two processes slow each
other by less than one in a hundred. A partner is made by fork: it has all tables, takes no time to begin, and sends
back what it found. The two share the threads of the budget; whichever ends first leaves its share to the other.

A copy made by fork has none of the threads of the original, and a library that waits for one of its own would wait
for ever. So a partner computes with this program's own code alone, which uses no pool of threads that was there before
(Polars has one, and reads tables before the fork), and only the command's own process has a partner
(`system.own_process`), not a program that calls this one as a library. A partner that dies, or that cannot be had, is
no error: its part is computed here.
"""

import ctypes
import os
import signal
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from threading import Thread
from typing import Any

from seethrough.kernels.crew import limit_threads
from seethrough.system.own_process import is_own_process
from seethrough.system.signals import STOPPING

_PARENT_DEATH_SIGNAL = 1
"""Option of prctl: the signal that a process gets when its parent ends."""
Send = Callable[[object], None]
Hear = Callable[[Any], None]


class PartnerProcess:
    """A process that computes beside this one; use it with `partner_process`."""

    def __init__(self, process: int, receiving: Connection, handing: Connection, hear: Hear) -> None:
        self._process, self._receiving, self._handing, self._hear = process, receiving, handing, hear
        self._listener = Thread(target=self._listen, name="partner", daemon=True)
        self._listener.start()

    def wait(self) -> None:
        """Leave the threads of this process to the partner, and wait until it has ended and all it sent was heard."""
        with suppress(OSError):  # it has ended
            self._handing.send(None)
        self._listener.join()

    def end(self) -> None:
        """End the partner, whatever it is doing."""
        with suppress(ProcessLookupError):
            os.kill(self._process, signal.SIGKILL)
        os.waitpid(self._process, 0)
        self._listener.join()
        self._receiving.close()
        self._handing.close()

    def _listen(self) -> None:
        """Hear what the partner sends, which would wait for a full pipe; its threads are ours again when it ends."""
        try:
            with suppress(EOFError, OSError):
                while True:
                    self._hear(self._receiving.recv())
        finally:
            limit_threads(None)


@contextmanager
def partner_process(work: Callable[[Send], None], hear: Hear, threads: int) -> Iterator[PartnerProcess | None]:
    """Do some work in a partner while the block runs; None where there can be none, or only one thread to share.

    `work` is called in the partner with the function that sends values; `hear` is called with them here, on a thread of
    its own.
    """
    partner = _start(work, hear, threads) if threads > 1 and sys.platform == "linux" and is_own_process() else None
    try:
        yield partner
    finally:
        if partner is not None:
            partner.end()
            limit_threads(None)


def _start(work: Callable[[Send], None], hear: Hear, threads: int) -> PartnerProcess | None:
    receiving, sending = Pipe(duplex=False)
    hearing, handing = Pipe(duplex=False)
    original = os.getpid()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of forks beside threads; the docstring says why it works
        try:
            process = os.fork()
        except OSError:  # no more processes, or no memory for one
            return None
    if not process:
        _be_partner(work, sending, hearing, threads, original)
    sending.close()
    hearing.close()
    limit_threads(threads - threads // 2)
    return PartnerProcess(process, receiving, handing, hear)


def _be_partner(
    work: Callable[[Send], None], sending: Connection, hearing: Connection, threads: int, original: int
) -> None:
    """Work in the copy, and end it without a word: streams, exit handlers and signals are the original's."""
    code = 1
    try:
        for number in STOPPING:
            signal.signal(number, signal.SIG_DFL)
        ctypes.CDLL(None).prctl(_PARENT_DEATH_SIGNAL, int(signal.SIGKILL))
        if os.getppid() == original:
            limit_threads(threads // 2)
            Thread(target=_take_threads, args=(hearing,), daemon=True).start()
            work(sending.send)
            code = 0
    finally:
        os._exit(code)


def _take_threads(hearing: Connection) -> None:
    """Use all threads once the original has nothing to do but wait."""
    with suppress(EOFError, OSError):
        hearing.recv()
        limit_threads(None)
