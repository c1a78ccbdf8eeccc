"""Relaxed rows, moved by gradient steps towards given answers to 3-way queries.

Each relaxed row has a logit for each value; the softmax over the values of a column makes probabilities of them. One
step draws queries, with replacement, in proportion to their present absolute error, takes the L2 norm of the errors
drawn as its loss, and follows the gradient with Adam.

The gradient is written out. With w_q = error / (norm x rows), times how often q was drawn, the derivative with respect
to p_c is the sum of w_q p_a p_b over queries that ask for c. Queries that share a and b share the product, and the
sums are products with sparse matrices of as many entries as there are queries drawn.
"""

import numpy as np
from scipy import sparse

from seethrough.kernels.arrays import Floats, Ints
from seethrough.synthesizers._models.relaxed.adam import NumpyAdam
from seethrough.synthesizers._models.relaxed.queries import Matrix, ThreeWayQueries
from seethrough.synthesizers._models.relaxed.settings import SMALLEST, FitSettings, first_logits


class RelaxedFit:
    """A fit under way; its logits begin as standard normal numbers."""

    def __init__(self, three_way: ThreeWayQueries, settings: FitSettings, rng: np.random.Generator) -> None:
        """Begin at random."""
        self.three_way = three_way
        self.settings = settings
        self.logits = first_logits(three_way, settings.rows, rng)
        self.probabilities = softmax(self.logits, three_way)
        self._adam = NumpyAdam(self.logits, settings.rate)

    def answers(self) -> Matrix:
        """Answer all queries."""
        return self.three_way.sums(self.probabilities) / np.float32(self.settings.rows)

    def step(self, errors: Matrix, rng: np.random.Generator) -> None:
        """Make the present `errors` smaller; a query whose error is given as 0 is never drawn."""
        queries, weights = draw_queries(errors, rng.random(self.settings.batch))
        upstream = gradient(
            self.probabilities, self.three_way.values(queries), weights / np.float32(self.settings.rows)
        )
        self._adam.step(softmax_gradient(self.probabilities, upstream, self.three_way))
        self.probabilities = softmax(self.logits, self.three_way)


def draw_queries(errors: Matrix, uniform: Floats) -> tuple[Ints, Matrix]:
    """Turn uniform numbers into different queries and the derivative of the norm by the answer to each."""
    reach = np.cumsum(np.abs(errors), dtype=np.float64)
    places = np.searchsorted(reach, uniform * reach[-1], side="right")
    queries, times = np.unique(np.minimum(places, len(errors) - 1), return_counts=True)
    own = errors[queries]
    norm = max(float(np.sqrt((times * own * own).sum(dtype=np.float64))), SMALLEST)
    return queries, (times * own / norm).astype(np.float32)


def gradient(rows: Matrix, values: tuple[Ints, Ints, Ints], weights: Matrix) -> Matrix:
    """Differentiate the weighted sum over queries of sum p_a p_b p_c by all probabilities."""
    width = len(rows)
    first, middle, last = values
    pairs, pair = np.unique(first * width + middle, return_inverse=True)
    left, right = np.divmod(pairs, width)
    p_left, p_right = rows[left], rows[right]
    by_pair = sparse.csr_array((weights, (pair, last)), shape=(len(pairs), width))
    found: Matrix = by_pair.T.tocsr() @ (p_left * p_right)
    by_product = by_pair @ rows
    found += _gathered(left, width) @ (p_right * by_product)
    found += _gathered(right, width) @ (p_left * by_product)
    return found


def _gathered(places: Ints, width: int) -> sparse.csr_array:
    entries = (np.ones(len(places), np.float32), (places, np.arange(len(places))))
    return sparse.csr_array(entries, shape=(width, len(places)))


def softmax(logits: Matrix, three_way: ThreeWayQueries) -> Matrix:
    """Make probabilities of the logits of each column."""
    found: Matrix = np.empty_like(logits)
    for start, end in zip(three_way.starts[:-1], three_way.starts[1:], strict=True):
        part = np.exp(logits[start:end] - logits[start:end].max(axis=0))
        found[start:end] = part / part.sum(axis=0)
    return found


def softmax_gradient(probabilities: Matrix, upstream: Matrix, three_way: ThreeWayQueries) -> Matrix:
    """Carry a derivative by probabilities over to the logits."""
    weighted = probabilities * upstream
    totals = np.add.reduceat(weighted, three_way.starts[:-1], axis=0)
    found: Matrix = weighted - probabilities * np.repeat(totals, three_way.sizes, axis=0)
    return found
