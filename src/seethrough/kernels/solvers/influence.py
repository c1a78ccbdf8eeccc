"""What each answer adds to the posterior mean of one record, in the model of `least_squares`.

With sums x, a priori N(g p, g v), answers r = a x + noise of the variances V and precision H = a' V^-1 a + diag(1 / (g
v)), the posterior mean is linear in the answers:

    x - g p = H^-1 a' V^-1 (r - a g p)

so that answer j adds y . a_j (r_j - (a g p)_j) / (V_j g) to one record of a row, with H y = e_row. One solve by
conjugate gradients gives all of them, and they add up to the mean minus p.
"""

import numpy as np
from scipy.sparse.linalg import LinearOperator, cg

from seethrough.errors import SolverFailed
from seethrough.kernels.arrays import Floats
from seethrough.kernels.solvers.least_squares import Noisy, Prior

TOLERANCE = 1e-10


def influences(queries: Noisy, prior: Prior, row: int) -> Floats:
    """Give what each answer adds to the mean of one record of a row."""
    matrix, back, weights = queries.matrix, queries.matrix.T.tocsr(), 1 / queries.variances
    own = 1 / (queries.sizes * prior.variances)
    diagonal = back.power(2) @ weights + own
    shape = (len(own), len(own))
    precision = LinearOperator(shape, matvec=lambda x: back @ (weights * (matrix @ x)) + own * x, dtype=np.float64)
    scaling = LinearOperator(shape, matvec=lambda x: x / diagonal, dtype=np.float64)
    unit = np.zeros(len(own))
    unit[row] = 1.0
    solved, failed = cg(precision, unit, rtol=TOLERANCE, M=scaling)
    if failed:
        raise SolverFailed("what single counts add could not be found")
    surprise = queries.answers - matrix @ (queries.sizes * prior.means)
    found: Floats = (matrix @ solved) * weights * surprise / queries.sizes[row]
    return found
