"""The last sentence of a run that was stopped, killed or ended for want of memory, and its exit code."""

import signal
import sys
from pathlib import Path

from seethrough.cli.exit_codes import BUG, OUT_OF_MEMORY, STOPPED_BY
from seethrough.system.memory import describe_limit, memory_limit
from seethrough.system.signals import signal_name
from seethrough.system.supervision import ChildEnding

LEAST = 3 << 29
"""Bytes of address space that the libraries reserve before there is any table; an audit of 20,000 rows had 2 GB."""
KEPT = "files that were written whole before are kept, temporary ones are removed"
_FAULTS = tuple(int(getattr(signal, name)) for name in ("SIGSEGV", "SIGBUS") if hasattr(signal, name))
_FAULT = "this is an error of the program: native code ended it"
_NAMED = 3


def free_standard_error() -> None:
    """Let a last word be read where a reader of files, if there is one, was stopped while it kept standard error."""
    if panics := sys.modules.get("seethrough.data.files.panics"):
        panics.end_holding_back()


def stopped_sentence(number: int, written: tuple[Path, ...]) -> str:
    """Say which signal stopped a run, and what it had written by then."""
    how = "stopped" if number == signal.SIGINT else f"stopped by {signal_name(number)}"
    if not written:
        return f"{how}; no report was written, nothing is left behind"
    names = ", ".join(str(path) for path in written[:_NAMED]) + (" and others" if len(written) > _NAMED else "")
    return f"{how}; written before and kept: {names}"


def refuse_too_little_memory() -> None:
    """Refuse a limit under which the libraries cannot be loaded: some of them hang there instead of failing."""
    limit = memory_limit()
    if limit is not None and limit < LEAST:
        raise MemoryError


def memory_sentence() -> str:
    """Say that memory ran out, and what helps."""
    limit = describe_limit()
    need = f"the program needs at least {LEAST >> 20:,} MiB, and more for large tables"
    helps = need if limit else "--memory, where a command has it, makes it use less"
    return f"there is not enough memory{limit}; {helps}. {KEPT.capitalize()}"


def conclude(ending: ChildEnding) -> tuple[str, int]:
    """Give the sentence and the exit code for a process that ended; no sentence where it has said its own."""
    number = -ending.code
    if ending.is_forced:
        how = f"stopped by {signal_name(ending.stopped_by)} and killed, as it did not end by itself"
        return f"{how}; {KEPT}", STOPPED_BY + ending.stopped_by
    if ending.is_oom:
        return f"killed by the system because memory ran out (OOM killer); {KEPT}", OUT_OF_MEMORY
    if _is_want_of_memory(ending):
        return memory_sentence(), OUT_OF_MEMORY
    if number <= 0:
        # An exit code that native code chose means something else among ours.
        return ("", ending.code) if ending.is_orderly else (f"{_FAULT} ({ending.code}); {KEPT}", BUG)
    if number in (*_FAULTS, getattr(signal, "SIGILL", 0), getattr(signal, "SIGFPE", 0)):
        return f"{_FAULT} ({signal_name(number)}); {KEPT}", BUG
    return f"ended by {signal_name(number)}; {KEPT}", STOPPED_BY + number


def _is_want_of_memory(ending: ChildEnding) -> bool:
    """Native code that cannot have memory aborts, crashes, exits, or (OpenBLAS) interrupts itself."""
    if ending.code == -signal.SIGABRT:
        return True
    if memory_limit() is None:
        return False
    interrupted = ending.code == STOPPED_BY + signal.SIGINT and ending.stopped_by != signal.SIGINT
    return -ending.code in _FAULTS or interrupted or (ending.code >= 0 and not ending.is_orderly)
