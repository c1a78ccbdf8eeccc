"""Total variation distance: half the sum of the absolute differences of shares.

0 for equal shares, 1 for counts that have no cell in common.
"""

import numpy as np
import numpy.typing as npt

from seethrough.kernels.arrays import Floats


def total_variation(first: npt.NDArray[np.number], second: npt.NDArray[np.number]) -> Floats:
    """Compare counts over the same cells, which stand along the last axis."""
    n, m = (counts.sum(axis=-1, keepdims=True, dtype=np.float64) for counts in (first, second))
    return np.asarray(np.abs(first * m - second * n).sum(axis=-1) / (2 * n * m)[..., 0])
