"""Keeper of a program: starts it within limits, and ends all that it started when it ends or is to end.

A script of its own (`python -I -S program_keeper.py PARENT MEMORY WORD...`), because what a process sets between fork
and exec is unsafe where it has threads. On Linux it adopts every orphan below it (a subreaper), so that processes which
left its session, or whose parents have ended, are still its descendants; SIGTERM, also when the process ends that
waits for it, ends them all. Elsewhere descendants are found by `ps`: one that left the session *and* whose parent has
ended is not seen any more.
"""

import os
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path
from resource import RLIMIT_AS, RLIMIT_CORE, getrlimit, setrlimit

_PARENT_DEATH_SIGNAL, _CHILD_SUBREAPER = 1, 36
"""Options of prctl."""
_HEARD = {signal.SIGTERM, signal.SIGCHLD}
_PATIENCE = 15.0
"""Seconds until processes that are killed have to be gone: one that waits for a broken disk never is."""


def main(words: list[str]) -> None:
    """Run a program, and end as it does."""
    parent, memory = int(words[0]), int(words[1])
    signal.signal(signal.SIGCHLD, lambda *_: None)  # one that is ignored would not be waited for
    signal.pthread_sigmask(signal.SIG_BLOCK, _HEARD)
    _end_with(parent)
    program = os.fork()
    if not program:
        _become(words[2:], memory)
    status = _wait_for(program)
    end_descendants(os.getpid())
    _end_as(status)


def _end_with(parent: int) -> None:
    """Ask for SIGTERM when the process ends that waits for this one."""
    if not is_adopting():
        threading.Thread(target=_watch, args=(parent,), daemon=True).start()
    elif os.getppid() != parent:
        sys.exit(1)  # it has ended before it could be asked


def is_adopting() -> bool:
    """Adopt orphans and hear of the parent's end where the system can; tell whether it does."""
    if sys.platform != "linux":
        return False
    try:
        import ctypes

        control = ctypes.CDLL(None).prctl
        return not control(_PARENT_DEATH_SIGNAL, int(signal.SIGTERM)) and not control(_CHILD_SUBREAPER, 1)
    except (ImportError, OSError, AttributeError):
        return False


def _watch(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(0.2)
    os.kill(os.getpid(), signal.SIGTERM)


def _become(words: list[str], memory: int) -> None:
    """Become the program, within limits, in a session of its own; its files are its owner's alone."""
    os.setsid()
    os.umask(0o077)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, _HEARD)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    setrlimit(RLIMIT_CORE, (0, 0))
    if memory:
        most = getrlimit(RLIMIT_AS)[1]
        memory = memory if most < 0 else min(memory, most)
        setrlimit(RLIMIT_AS, (memory, memory))
    try:
        os.execvp(words[0], words)
    except OSError as error:
        os.write(2, f"{words[0]}: {error.strerror}\n".encode())
        os._exit(127)


def _wait_for(program: int) -> int | None:
    """Wait until the program has ended, and give how; None where this process is to end before."""
    while signal.sigwait(_HEARD) != signal.SIGTERM:
        for ended, status in _reap():
            if ended == program:
                return status
    return None


def _reap() -> list[tuple[int, int]]:
    found = []
    with suppress(ChildProcessError):
        while (each := os.waitpid(-1, os.WNOHANG))[0]:
            found.append(each)
    return found


def end_descendants(root: int) -> None:
    """Kill all processes below one until none is left; those that are started meanwhile as well."""
    deadline = time.monotonic() + _PATIENCE
    while (found := descendants(root)) and time.monotonic() < deadline:
        for process in found:
            with suppress(ProcessLookupError, PermissionError):
                os.kill(process, signal.SIGKILL)
        _reap()
        time.sleep(0.01)


def descendants(root: int) -> set[int]:
    """Find the processes below one that live."""
    children: dict[int, list[int]] = {}
    for process, parent in _processes():
        children.setdefault(parent, []).append(process)
    found: set[int] = set()
    waiting = [root]
    while waiting:
        below = [each for each in children.get(waiting.pop(), ()) if each not in found]
        found.update(below)
        waiting += below
    return found


def _processes() -> list[tuple[int, int]]:
    """List processes that live with the parent of each."""
    if Path("/proc/self/stat").exists():
        return [each for name in os.listdir("/proc") if name.isdigit() and (each := _read_process(name))]
    lister = subprocess.Popen(["ps", "-A", "-o", "pid=,ppid=,stat="], stdout=subprocess.PIPE, text=True)
    rows = [line.split() for line in lister.communicate()[0].splitlines()]
    return [(int(row[0]), int(row[1])) for row in rows if row[2][0] != "Z" and int(row[0]) != lister.pid]


def _read_process(name: str) -> tuple[int, int] | None:
    try:
        told = Path(f"/proc/{name}/stat").read_text(encoding="utf-8", errors="replace")
        state, parent = told.rpartition(")")[2].split()[:2]
    except OSError:
        return None
    return None if state in {"Z", "X"} else (int(name), int(parent))


def _end_as(status: int | None) -> None:
    code = 1 if status is None else os.waitstatus_to_exitcode(status)
    if code < 0:
        setrlimit(RLIMIT_CORE, (0, 0))
        if -code != signal.SIGKILL:
            signal.signal(-code, signal.SIG_DFL)
            signal.pthread_sigmask(signal.SIG_UNBLOCK, {-code})
        os.kill(os.getpid(), -code)
    sys.exit(code)


if __name__ == "__main__":
    main(sys.argv[1:])
