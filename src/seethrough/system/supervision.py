"""A watcher over the process that works, for what that cannot do itself.

It starts the process by fork before anything large is loaded, hands signals on, kills it where it does not end by
itself within a while (in the middle of a long computation in native code, say), removes what it left in the temporary
directory, and tells how it ended: also where native code aborts for want of memory, or the system kills it. A process
whose watcher is killed ends as well.
"""

import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

from seethrough.system.held_folders import remove_all_held
from seethrough.system.memory import count_oom_kills, was_oom_killed
from seethrough.system.private_folders import remove_dead_runs
from seethrough.system.signals import STOPPING

GRACE = 20.0
"""Seconds that a process has to end by itself after a signal."""
AGAIN = 1.0
"""Seconds after which another signal means that nobody wants to wait."""


@dataclass(frozen=True)
class ChildEnding:
    """How a process ended: by `code`, or where that is negative by a signal of that number.

    `stopped_by` is the signal that asked it to end, 0 where none did; `is_forced` where it had to be killed then;
    `is_orderly` where its work came to an end, be it by an error, and not native code ended the process.
    """

    code: int
    stopped_by: int = 0
    is_forced: bool = False
    is_oom: bool = False
    is_orderly: bool = True


def run_watched(work: Callable[[], None]) -> ChildEnding | None:
    """Do the work in a child, and give how it ended; None in the child, and where there is no fork.

    What dead runs left is removed first, by the watcher, which has nothing else to do.
    """
    if not hasattr(os, "fork") or threading.active_count() > 1:
        remove_dead_runs()
        work()
        return None
    heard = {number for number in STOPPING if signal.getsignal(number) != signal.SIG_IGN}
    heard |= {signal.SIGCHLD, signal.SIGALRM}
    signal.signal(signal.SIGCHLD, lambda *_: None)  # one that is ignored would not be waited for
    before, kills, watcher = signal.pthread_sigmask(signal.SIG_BLOCK, heard), count_oom_kills(), os.getpid()
    reading, writing = os.pipe()
    try:
        child = os.fork()
    except OSError:  # no more processes: then without a watcher
        child = 0
    if not child:
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
        _work_for(watcher, work, writing)
        return None
    os.close(writing)
    remove_dead_runs()
    return _watch(child, heard, kills, reading)


def _work_for(watcher: int, work: Callable[[], None], telling: int) -> None:
    """Do the work, and tell the watcher that it came to an end."""
    with suppress(RuntimeError):  # no thread can be had, so neither can anything else in a moment
        threading.Thread(target=_end_with, args=(watcher,), daemon=True).start()
    try:
        work()
    finally:
        with suppress(OSError):
            os.write(telling, b".")


def _end_with(watcher: int) -> None:
    """End this process when its watcher has been killed, and leave nothing behind."""
    while os.getppid() == watcher or os.getpid() == watcher:
        time.sleep(0.2)
    remove_all_held()
    os._exit(128 + signal.SIGKILL)


def _watch(child: int, heard: set[signal.Signals], kills: int | None, told: int) -> ChildEnding:
    """Hand signals on until the child has ended."""
    stopped_by, since, is_forced = 0, 0.0, False
    while True:
        number = signal.sigwait(heard)
        if number == signal.SIGCHLD:
            ended, status = os.waitpid(child, os.WNOHANG)
            if ended:
                break
        elif number == signal.SIGALRM or (stopped_by and time.monotonic() - since > AGAIN):
            is_forced = True
            os.kill(child, signal.SIGKILL)
        elif not stopped_by:
            stopped_by, since = int(number), time.monotonic()
            os.kill(child, number)
            signal.setitimer(signal.ITIMER_REAL, GRACE)
    signal.setitimer(signal.ITIMER_REAL, 0)
    code = os.waitstatus_to_exitcode(status)
    if code < 0:
        remove_dead_runs()
    os.set_blocking(told, False)
    return ChildEnding(code, stopped_by, is_forced, was_oom_killed(-code, kills), _is_told(told))


def _is_told(told: int) -> bool:
    try:
        return bool(os.read(told, 1))
    except BlockingIOError:  # a process that it left behind has the other end
        return False


def end_at_once(code: int) -> None:
    """End a watcher, which has nothing to tidy up."""
    sys.stderr.flush()
    os._exit(code)
