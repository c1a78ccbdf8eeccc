"""How fast this machine is, by some work of the kind that audits do: about 50 milliseconds, on one thread."""

import time
from functools import cache

import numpy as np

from seethrough.kernels.arrays import Codes, Floats
from seethrough.kernels.budget import one_blas_thread
from seethrough.seeds import stream

ROWS, COLUMNS = 60_000, 12
REPEATS = 6


@cache
def measure_speed() -> float:
    """Give the seconds of one round of sorting, counting, comparing and multiplying; the fastest of six."""
    rng = stream(0, "speed of this machine")
    codes = rng.integers(0, 50, (COLUMNS, ROWS)).astype(np.uint8)
    numbers = rng.random((300, 300))
    with one_blas_thread():
        return min(_round(codes, numbers) for _ in range(REPEATS))


def _round(codes: Codes, numbers: Floats) -> float:
    begun = time.perf_counter()
    differ = np.zeros(codes.shape[1], np.int64)
    for column in codes:
        differ += column != column[0]
        np.bincount(column)
    np.unique(codes[0].astype(np.int64) * 2500 + codes[1].astype(np.int64) * 50 + codes[2], return_inverse=True)
    numbers @ numbers @ numbers
    return time.perf_counter() - begun
