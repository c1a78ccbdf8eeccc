"""Memory that runs out: how it is told from other errors, and from a process that somebody killed."""

import os
import sys
from errno import ENOMEM
from pathlib import Path

_SIGNS = (
    "failed to map segment",  # a library that is loaded
    "cannot allocate memory",
    "can't start new thread",
    "bad_alloc",
    "bad allocation",
    "out of memory",
    "could not spawn",
    "resource temporarily unavailable",
)
_NEARLY_ALL = 0.7
"""An error that nobody foresaw in a process that has used so much of what it may have is taken to come from that."""
_OOM_COUNT = Path("/proc/vmstat")
_OWN_STATUS = Path("/proc/self/status")


def memory_limit() -> int | None:
    """Give the bytes that this process may have (`ulimit -v`), where there is a limit."""
    if sys.platform == "win32":
        return None
    from resource import RLIM_INFINITY, RLIMIT_AS, RLIMIT_DATA, getrlimit

    limits = [soft for soft, _ in map(getrlimit, (RLIMIT_AS, RLIMIT_DATA)) if soft not in {RLIM_INFINITY, -1}]
    return min(limits) if limits else None


def physical_memory() -> int | None:
    """Give the bytes of memory of this machine, or less where this process may have less; None where it is unknown."""
    names = getattr(os, "sysconf_names", {})
    if "SC_PHYS_PAGES" not in names or "SC_PAGE_SIZE" not in names or not hasattr(os, "sysconf"):
        return memory_limit()
    whole, limit = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"), memory_limit()
    return whole if limit is None else min(whole, limit)


def is_memory_shortage(error: BaseException) -> bool:
    """Tell whether an error, or what it came from, is that memory could not be had."""
    seen: set[int] = set()
    each: BaseException | None = error
    while each is not None and id(each) not in seen:
        seen.add(id(each))
        said = str(each).lower()
        if isinstance(each, MemoryError) or getattr(each, "errno", None) == ENOMEM:
            return True
        if any(sign in said for sign in _SIGNS):
            return True
        each = each.__cause__ or each.__context__
    return False


def is_near_limit() -> bool:
    """Tell whether this process has used nearly all the memory that it may have."""
    limit, used = memory_limit(), _peak()
    return limit is not None and used is not None and used >= _NEARLY_ALL * limit


def _peak() -> int | None:
    try:
        lines = _OWN_STATUS.read_text(encoding="ascii", errors="replace").splitlines()
        return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("VmPeak"))
    except (OSError, StopIteration, ValueError):
        return None


def count_oom_kills() -> int | None:
    """Give how many processes Linux has killed for want of memory since it started; None elsewhere."""
    try:
        lines = _OOM_COUNT.read_text(encoding="ascii").splitlines()
        return next(int(line.split()[1]) for line in lines if line.startswith("oom_kill "))
    except (OSError, StopIteration, ValueError):
        return None


def was_oom_killed(number: int | None, before: int | None) -> bool:
    """Tell whether a process that ended by a signal did so for want of memory, given the count from before."""
    after = count_oom_kills()
    return number == 9 and before is not None and after is not None and after > before


def describe_limit() -> str:
    """Say in a few words how much memory this process may have; nothing where there is no limit."""
    limit = memory_limit()
    return f" (it may have {limit / (1 << 20):,.0f} MiB: ulimit -v)" if limit is not None and os.name != "nt" else ""
