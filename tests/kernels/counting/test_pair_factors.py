"""Factors of the matrix of cells against that matrix."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from seethrough.kernels.counting import pair_factors as factoring
from seethrough.kernels.counting.cells import cells_of, keep_cells, subsets_of


def random_cells(seed, whole):
    """Cells of pairs of skewed columns, some of them not asked about, some people left out."""
    rng = np.random.default_rng(seed)
    rows, width = int(rng.integers(1, 60)), int(rng.integers(2, 6))
    radices = rng.integers(1, 6, width)
    columns = [np.minimum(rng.geometric(0.6, rows) - 1, radix - 1).astype(np.uint8) for radix in radices]
    subsets = subsets_of(width, 2) + ([tuple(range(width))] if whole and width > 2 else [])
    cells = cells_of(columns, (radices + 1).tolist(), subsets)
    asked = rng.random(len(cells)) < rng.choice([0.5, 1.0])
    asked[rng.integers(len(cells))] = True
    cells = keep_cells(cells, asked)
    weights = rng.integers(0, 3, len(cells.weights))
    weights[rng.integers(len(weights))] = 1
    return cells.among(weights)


@settings(max_examples=150, deadline=None)
@given(st.integers(0, 2**32 - 1), st.booleans())
def test_the_product_is_the_matrix_of_cells(seed, whole):
    cells = random_cells(seed, whole)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(factoring, "WORTH", np.inf)
        outer, inner = factoring.pair_factors(cells)
    assert np.array_equal((outer @ inner).toarray(), cells.matrix().toarray())


def test_two_products_are_taken_where_they_have_fewer_entries():
    rng = np.random.default_rng(0)
    skewed = [(rng.random(400) < 0.1).astype(np.uint8) for _ in range(12)]
    cells = cells_of(skewed, [3] * 12, subsets_of(12, 2))
    factors = factoring.pair_factors(cells)
    assert len(factors) == 2
    assert sum(factor.nnz for factor in factors) < 0.7 * cells.matrix().nnz
    even = [rng.integers(0, 50, 400).astype(np.uint8) for _ in range(4)]
    (matrix,) = factoring.pair_factors(even_cells := cells_of(even, [51] * 4, subsets_of(4, 2)))
    assert (matrix != even_cells.matrix()).nnz == 0
