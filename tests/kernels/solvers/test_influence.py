"""What each answer adds: against the dense inverse, and against moving one answer."""

from dataclasses import replace

import numpy as np
import pytest
from scipy import sparse

from seethrough.kernels.solvers.influence import influences
from seethrough.kernels.solvers.least_squares import Noisy, Prior, posterior


def problem(seed, queries=12, rows=7):
    rng = np.random.default_rng(seed)
    matrix = sparse.csr_array((rng.random((queries, rows)) < 0.4).astype(float))
    sizes = rng.integers(1, 4, rows).astype(float)
    answers, variances = rng.random(queries) * 3, 0.05 + rng.random(queries)
    return Noisy(matrix, answers, variances, sizes), Prior(np.full(rows, 0.3), np.full(rows, 0.21))


@pytest.mark.parametrize("seed", range(5))
def test_answers_add_up_to_the_posterior_mean(seed):
    queries, prior = problem(seed)
    means = posterior(queries, prior, np.arange(7)).means
    for row in range(7):
        assert influences(queries, prior, row).sum() + 0.3 == pytest.approx(means[row], abs=1e-8)


@pytest.mark.parametrize("seed", range(5))
def test_an_answer_that_is_as_expected_adds_nothing_and_moving_it_moves_the_mean_by_its_part(seed):
    queries, prior = problem(seed)
    row, which = 3, 5
    before = posterior(queries, prior, np.arange(7)).means[row]
    moved = queries.answers.copy()
    moved[which] = float((queries.matrix @ (queries.sizes * prior.means))[which])
    as_expected = replace(queries, answers=moved)
    assert influences(as_expected, prior, row)[which] == pytest.approx(0, abs=1e-12)
    after = posterior(as_expected, prior, np.arange(7)).means[row]
    assert influences(queries, prior, row)[which] == pytest.approx(before - after, abs=1e-8)
