"""Time a piece of work as all scripts of this folder do; needs nothing but Python."""

import time

ENOUGH = 20
"""Seconds after which work is not done a second time."""


def fastest(work):
    """Do work twice, so that compiling and loading on first use do not count; give seconds and the last result.

    Work that takes long is done once.
    """
    times, found = [], None
    while len(times) < 2 and sum(times) < ENOUGH:
        start = time.perf_counter()
        found = work()
        times.append(time.perf_counter() - start)
    return min(times), found
