"""How strongly each answer pulls at the records of its cell, in the model of `least_squares`.

Sums x are a priori N(g p, g v), answers r = a x + noise of the variances V. Where the posterior is largest the prior
and the answers pull equally, so that for one record of any row

    x / g - p = v * sum over the queries j that have it of (r_j - (a x)_j) / V_j

exactly: what an answer adds is the error that is left in it, in units of its variance, times the variance of the
record. An answer that is met adds nothing; one that others hold back, or that is sure, adds much. With x found once,
what counts add to every record is looked up.
"""

import numpy as np

from seethrough.kernels.arrays import Floats
from seethrough.kernels.budget import one_blas_thread
from seethrough.kernels.solvers.conjugate_gradients import posterior_means
from seethrough.kernels.solvers.least_squares import Noisy, Prior, solve_for_sums

DENSE = 2_500
"""Rows up to which a factor is faster than steps, and more exact."""


def pulls(queries: Noisy, prior: Prior) -> Floats:
    """Give what each query adds to the mean of a record of its cell, divided by the variance of the record."""
    if len(queries.sizes) <= DENSE:
        with one_blas_thread():
            sums = solve_for_sums(queries, prior)[1]
    else:
        sums = posterior_means(queries, prior).shares * queries.sizes
    return np.asarray((queries.answers - queries.matrix @ sums) / queries.variances)
