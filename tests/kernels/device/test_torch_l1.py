"""Programs solved together, on the processor, against the exact engine."""

import numpy as np
import pytest
from scipy import sparse

from seethrough.errors import ConfigError
from seethrough.kernels.device.torch_l1 import solve_many
from seethrough.kernels.solvers.l1_exact import solve_exact
from seethrough.kernels.solvers.l1_program import Program


def program(rng, queries, rows, classes):
    matrix = sparse.csr_array((rng.random((queries, rows)) < 0.2).astype(np.float64))
    sizes = rng.integers(1, 4, rows).astype(np.float64)
    truth = rng.dirichlet(np.ones(max(classes, 2)), rows)[:, :classes] * sizes[:, None]
    answers = np.maximum(matrix @ truth + rng.normal(0, 0.5, (queries, classes)), 0)
    return Program(matrix, answers, rng.uniform(0.5, 2, (queries, classes)), sizes)


@pytest.mark.parametrize("classes", [1, 3])
def test_objectives_are_the_exact_ones_up_to_the_gap(classes):
    pytest.importorskip("torch", reason="the extra deep is not installed")
    rng = np.random.default_rng(3)
    programs = [
        program(rng, queries, rows, classes) for queries, rows in ((0, 3), (60, 20), (15, 40), (200, 35), (1, 2))
    ]
    found = solve_many(programs, "cpu", gap=1e-3)
    for given, solution in zip(programs, found, strict=True):
        exact = solve_exact(given)
        assert solution.objective >= exact.objective - 1e-6
        assert solution.bound <= exact.objective + 1e-6
        assert solution.objective - exact.objective <= 1.1e-3 * max(1.0, exact.objective)
        assert solution.gap <= 1.1e-3
        assert "within" in solution.status


def test_a_program_does_not_depend_on_its_company():
    pytest.importorskip("torch", reason="the extra deep is not installed")
    rng = np.random.default_rng(4)
    programs = [program(rng, 50, 20, 1) for _ in range(3)]
    together = solve_many(programs, "cpu", steps=100)
    alone = solve_many(programs[1:2], "cpu", steps=100)
    np.testing.assert_allclose(together[1].shares, alone[0].shares, atol=1e-4)


def test_programs_of_different_classes_are_refused():
    rng = np.random.default_rng(5)
    with pytest.raises(ConfigError, match="as many classes"):
        solve_many([program(rng, 5, 5, 1), program(rng, 5, 5, 3)], "cpu")
    assert solve_many([], "cpu") == []
