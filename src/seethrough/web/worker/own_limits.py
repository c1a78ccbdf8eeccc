"""Limits that a worker sets for itself: it ends with its server, and takes no more memory than it may."""

import os
import signal
import sys

_PARENT_DEATH_SIGNAL = 1
"""An option of prctl."""
_OTHERS_SEE_NOTHING = 0o077


def set_own_limits(parent: int, data: int) -> None:
    """Die with the process that started this one, and be refused memory beyond a backstop."""
    os.umask(_OTHERS_SEE_NOTHING)
    if sys.platform == "linux":
        _end_with(parent)
    if sys.platform != "win32":
        from resource import RLIMIT_CORE, RLIMIT_DATA, getrlimit, setrlimit

        setrlimit(RLIMIT_CORE, (0, 0))
        hard = getrlimit(RLIMIT_DATA)[1]
        most = data if hard < 0 else min(data, hard)
        setrlimit(RLIMIT_DATA, (most, most))


def _end_with(parent: int) -> None:
    try:
        import ctypes

        ctypes.CDLL(None).prctl(_PARENT_DEATH_SIGNAL, int(signal.SIGKILL))
    except (ImportError, OSError, AttributeError):
        return  # the pipe tells as well
    if os.getppid() != parent:
        sys.exit(1)  # it has ended before it could be asked
