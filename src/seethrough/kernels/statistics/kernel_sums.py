"""Kernel densities from lists of distances, in logarithms: nothing is added to a density, constants are left out."""

import numpy as np
from scipy.special import logsumexp

from seethrough.kernels.arrays import Floats
from seethrough.kernels.budget import Budget
from seethrough.kernels.device.torch_sums import log_sums_of_exponentials

TOLERANCE = 1e-12
"""By so much, relative to 1 or to a larger value, a sum on a device may differ from that of the processor."""


def log_kernel_sums(distances: Floats, width: float, budget: Budget) -> Floats:
    """Give ln sum_j exp(-d_j / width) for each list of distances."""
    exponents = -distances / width
    if budget.device != "cpu":
        return log_sums_of_exponentials(exponents, budget.device)
    return np.asarray(logsumexp(exponents, axis=1))
