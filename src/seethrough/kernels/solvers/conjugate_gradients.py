"""The posterior means of `least_squares` for thousands of rows, by conjugate gradients.

The precision H = a' V^-1 a + diag(1 / (g v)) is never built: a step takes one product with the sparse matrix and one
with its transpose. H divided by its diagonal is well conditioned, because the variance of an answer grows with the
records in its cell. The error is measured in what is left of the equations, relative to their right side. Variances
are not found on this way: they would take as many solves as there are rows.

Seconds of one core for 4,280 rows and 8,782 queries (16 columns, the cells of two and that of all): 76 steps in 0.11;
the Cholesky factor with all variances takes 3.0, and the means of the two differ by 4e-8 at most.
"""

from dataclasses import dataclass

from seethrough.errors import SolverFailed
from seethrough.kernels.arrays import Floats
from seethrough.kernels.solvers.least_squares import Noisy, Prior

TOLERANCE = 1e-8
"""Of what is left of the equations, relative to their right side: means are then right to some 1e-6, and a guess needs
a lead that can be seen. 1e-10 takes a third more steps."""
MOST_STEPS = 2_000


@dataclass(frozen=True, eq=False)
class Means:
    """The posterior mean of the share of one record of each row, and how many steps it took."""

    shares: Floats
    steps: int


def posterior_means(queries: Noisy, prior: Prior) -> Means:
    """Solve for the means of all rows, or raise `SolverFailed`."""
    matrix, back, weights = queries.matrix, queries.matrix.T.tocsr(), 1 / queries.variances
    own = 1 / (queries.sizes * prior.variances)
    diagonal = back.power(2) @ weights + own
    side = back @ (weights * queries.answers) + prior.means / prior.variances
    sums = queries.sizes * prior.means
    left = side - back @ (weights * (matrix @ sums)) - own * sums
    goal = TOLERANCE**2 * float(side @ (side / diagonal))
    scaled = left / diagonal
    towards, size = scaled, float(left @ scaled)
    for step in range(MOST_STEPS):
        if size <= goal:
            return Means(sums / queries.sizes, step)
        pushed = back @ (weights * (matrix @ towards)) + own * towards
        length = size / float(towards @ pushed)
        sums = sums + length * towards
        left = left - length * pushed
        scaled = left / diagonal
        before, size = size, float(left @ scaled)
        towards = scaled + size / before * towards
    raise SolverFailed(f"least squares did not settle within {MOST_STEPS} steps; nothing is guessed instead")
