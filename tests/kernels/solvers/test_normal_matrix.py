"""Normal matrices against the product of dense matrices, however they are summed."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from seethrough.kernels.solvers import normal_matrix


@pytest.mark.parametrize("many", [0.0, 0.5, 1.0])
def test_the_normal_matrix_does_not_depend_on_how_it_is_summed(monkeypatch, many):
    monkeypatch.setattr(normal_matrix, "MANY", many)
    monkeypatch.setattr(normal_matrix, "BLOCK", 5)
    rng = np.random.default_rng(1)
    matrix = (rng.random((30, 12)) < rng.random((30, 1))).astype(float)
    weights = rng.uniform(0.1, 2, 30)
    expected = matrix.T @ np.diag(weights) @ matrix
    found = normal_matrix.normal_matrix(sparse.csr_array(matrix), weights)
    np.testing.assert_allclose(np.tril(found), np.tril(expected))


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(0, 12), st.sampled_from([10, 200, 10**6]), st.integers(1, 40))
def test_normal_matrices_are_sums_of_outer_products(seed, few, pairs, block):
    rng = np.random.default_rng(seed)
    matrix = (rng.random((30, 12)) < rng.random((30, 1))).astype(float)
    weights = rng.uniform(0, 3, 30)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(normal_matrix, "FEW", few)
        patch.setattr(normal_matrix, "MOST_PAIRS", pairs)
        patch.setattr(normal_matrix, "BLOCK", block)
        prepared = normal_matrix.NormalMatrix(sparse.csr_array(matrix))
    expected = np.tril(matrix.T @ np.diag(weights) @ matrix)
    np.testing.assert_allclose(np.tril(prepared(weights)), expected, atol=1e-12)
