"""What answers add to a record, against the posterior mean."""

import numpy as np
import pytest
from scipy import sparse

from seethrough.kernels.solvers import pulls as module
from seethrough.kernels.solvers.least_squares import Noisy, Prior, posterior
from seethrough.kernels.solvers.pulls import pulls


def problem(seed, queries=12, rows=7):
    rng = np.random.default_rng(seed)
    matrix = sparse.csr_array((rng.random((queries, rows)) < 0.4).astype(float))
    sizes = rng.integers(1, 4, rows).astype(float)
    answers, variances = rng.random(queries) * 3, 0.05 + rng.random(queries)
    return Noisy(matrix, answers, variances, sizes), Prior(np.full(rows, 0.3), np.full(rows, 0.21))


@pytest.mark.parametrize("dense", [2500, 0])
@pytest.mark.parametrize("seed", range(5))
def test_answers_add_up_to_the_posterior_mean(seed, dense, monkeypatch):
    monkeypatch.setattr(module, "DENSE", dense)
    queries, prior = problem(seed)
    means = posterior(queries, prior, np.arange(7)).means
    assert 0.3 + 0.21 * (queries.matrix.T @ pulls(queries, prior)) == pytest.approx(means, abs=1e-6)


def test_by_hand_one_record_and_one_answer():
    """Prior N(1/2, 1/4), answer 1 of variance 1/4: the mean is 3/4, a quarter is left, which pulls with strength 1."""
    queries = Noisy(sparse.csr_array(np.ones((1, 1))), np.array([1.0]), np.array([0.25]), np.ones(1))
    assert pulls(queries, Prior(np.array([0.5]), np.array([0.25]))) == pytest.approx([1.0])
