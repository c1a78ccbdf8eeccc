"""Settings of a process that is this program's own; a program that only calls it as a library keeps its settings."""

import ctypes
import gc
import os
import sys

OBJECTS = 20_000
"""Objects that are made before Python looks for circles among them. Of 700, as it comes, a look is due all the time
while libraries are loaded, which make some hundred thousand objects that stay."""
_TRIM, _MAP = -1, -3
"""Numbers by which the allocator of glibc knows its settings (malloc.h)."""
KEPT, MAPPED = 1 << 26, 1 << 25
"""Bytes of freed memory that are kept for the next array, and bytes from which on an array is mapped by itself. Memory
that goes back to the system comes again page by page, each of them a fault and set to 0. glibc comes to these numbers
by itself, but only once arrays of 32 MiB have been freed; to keep more would make the peak of an audit higher."""


_own: list[int] = []
"""The process that was said to be this program's own."""


def is_own_process() -> bool:
    """Tell whether this process runs nothing but this program."""
    return os.getpid() in _own


def settle_own_process() -> None:
    """Spare a process that computes looks for circles of objects, and the coming and going of memory."""
    _own[:] = [os.getpid()]
    gc.set_threshold(OBJECTS, 20, 20)
    if sys.platform == "linux":
        program = ctypes.CDLL(None)
        for setting, size in ((_MAP, MAPPED), (_TRIM, KEPT)) if hasattr(program, "mallopt") else ():
            program.mallopt(setting, size)
