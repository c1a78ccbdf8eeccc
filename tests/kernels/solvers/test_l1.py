"""Least absolute errors against SciPy's linear programming."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from scipy.optimize import linprog

from seethrough.errors import SolverFailed
from seethrough.kernels.solvers import l1, l1_exact, l1_fast
from seethrough.kernels.solvers.l1_exact import solve_exact
from seethrough.kernels.solvers.l1_fast import solve_fast
from seethrough.kernels.solvers.l1_program import Program, merge_equal_queries, project_shares


def random_program(seed, queries=40, rows=15, classes=1):
    rng = np.random.default_rng(seed)
    matrix = sparse.csr_array((rng.random((queries, rows)) < 0.3).astype(float))
    sizes = rng.integers(1, 4, rows).astype(float)
    answers = rng.normal(0.5, 0.7, (queries, classes)) * np.maximum(matrix.sum(axis=1), 1)[:, None]
    return Program(matrix, answers, rng.uniform(0.2, 3, (queries, classes)), sizes)


def by_scipy(program):
    """The program as it is written, with dense matrices."""
    queries, rows, classes = program.shape
    matrix, errors = np.kron(np.eye(classes), program.matrix.toarray()), np.eye(queries * classes)
    equal, side = [np.hstack([matrix, errors, -errors])], [program.answers.T.ravel()]
    bounds = [(0, None)] * (rows * classes)
    if classes == 1:
        bounds = [(0, size) for size in program.sizes]
    else:
        each = np.hstack([np.eye(rows)] * classes)
        equal.append(np.hstack([each, np.zeros((rows, 2 * queries * classes))]))
        side.append(program.sizes)
    weights = program.weights.T.ravel()
    found = linprog(
        np.concatenate([np.zeros(rows * classes), weights, weights]),
        A_eq=np.vstack(equal),
        b_eq=np.concatenate(side),
        bounds=bounds + [(0, None)] * (2 * queries * classes),
        method="highs-ds",
    )
    assert found.status == 0
    return found.fun


def check_feasible(solution, classes):
    assert (solution.shares >= 0).all()
    totals = solution.shares.sum(axis=1)
    assert (totals <= 1 + 1e-12).all() if classes == 1 else np.allclose(totals, 1)


# More rows than queries is solved directly, fewer by the dual.
@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32 - 1), st.sampled_from([(40, 15), (8, 20)]), st.sampled_from([1, 2, 3]))
def test_the_exact_objective_is_that_of_scipy(seed, shape, classes):
    program = random_program(seed, *shape, classes)
    solution = solve_exact(program)
    assert solution.objective == pytest.approx(by_scipy(program), rel=1e-6, abs=1e-6)
    assert solution.bound <= solution.objective + 1e-9
    assert solution.gap <= 1e-5
    check_feasible(solution, classes)


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 2**32 - 1), st.sampled_from([1, 2, 4]))
def test_the_fast_engine_keeps_its_gap(seed, classes):
    program = random_program(seed, classes=classes)
    solution, best = solve_fast(program, gap=1e-3), by_scipy(program)
    assert solution.bound <= best + 1e-9
    assert best - 1e-9 <= solution.objective <= best * (1 + 1.1e-3)
    assert solution.gap <= 1e-3
    check_feasible(solution, classes)


def test_the_fast_engine_says_where_it_stopped():
    solution = solve_fast(random_program(0), gap=0.0, steps=100)
    assert solution.status == "stopped after 100 steps"
    assert solution.gap > 0


def test_large_programs_get_fewer_steps(monkeypatch):
    program = random_program(0, classes=3)
    monkeypatch.setattr(l1_fast, "MOST_WORK", 150 * program.entries)
    assert solve_fast(program, gap=0.0).status == "stopped after 150 steps"
    monkeypatch.setattr(l1_fast, "MOST_WORK", 1)
    assert solve_fast(program, gap=0.0).status == f"stopped after {l1_fast.CHECK} steps"


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_two_classes_give_what_one_gives(seed):
    one = random_program(seed)
    total = one.matrix @ one.sizes
    both = Program(
        one.matrix,
        np.column_stack([total - one.answers[:, 0], one.answers[:, 0]]),
        np.repeat(one.weights, 2, axis=1),
        one.sizes,
    )
    binary, categorical = solve_exact(one), solve_exact(both)
    assert categorical.objective == pytest.approx(2 * binary.objective, rel=1e-6)
    # Several shares may be nearly as good, so what is compared is how good those of the one are in the other.
    taken = one.objective(one.matrix @ (categorical.shares[:, [1]] * one.sizes[:, None]))
    assert taken == pytest.approx(binary.objective, rel=1e-6)


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 2**32 - 1), st.sampled_from([1, 3]))
def test_merged_queries_cost_the_same(seed, classes):
    program = random_program(seed, classes=classes)
    picks = np.random.default_rng(seed).integers(0, len(program.answers), 100)
    twice = Program(program.matrix[picks], program.answers[picks], program.weights[picks], program.sizes)
    fewer = merge_equal_queries(twice)
    assert len(fewer.answers) < len(twice.answers)
    assert fewer.weights.sum() == pytest.approx(twice.weights.sum())
    assert solve_exact(fewer).objective == pytest.approx(by_scipy(twice), rel=1e-6, abs=1e-6)


def test_equal_signatures_do_not_merge_different_queries(monkeypatch):
    monkeypatch.setattr(
        "seethrough.kernels.solvers.l1_program._signatures", lambda matrix: [np.zeros(matrix.shape[0], np.uint64)]
    )
    matrix = sparse.csr_array(np.array([[1.0, 1, 0], [1, 0, 1], [1, 1, 0], [0, 1, 1]]))
    found = merge_equal_queries(Program(matrix, np.ones((4, 1)), np.ones((4, 1)), np.ones(3)))
    rows = {tuple(row): weight for row, weight in zip(found.matrix.toarray(), found.weights[:, 0], strict=True)}
    assert rows == {(1, 1, 0): 2, (1, 0, 1): 1, (0, 1, 1): 1}


def test_equal_records_may_be_merged():
    # Three records, the first two alike; by hand: t = (1/2, 1/2, 1) meets both answers.
    apart = Program(
        sparse.csr_array(np.array([[1.0, 1, 0], [1, 1, 1]])), np.array([[1.0], [2]]), np.ones((2, 1)), np.ones(3)
    )
    together = Program(sparse.csr_array(np.array([[1.0, 0], [1, 1]])), apart.answers, apart.weights, np.array([2.0, 1]))
    for program in (apart, together):
        solution = solve_exact(program)
        assert solution.objective == pytest.approx(0, abs=1e-6)
        assert solution.shares[-1, 0] == pytest.approx(1, abs=1e-6)
    assert solve_exact(together).shares[0, 0] == pytest.approx(0.5, abs=1e-6)


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(1, 6))
def test_the_projection_is_the_nearest_feasible_point(seed, classes):
    rng = np.random.default_rng(seed)
    points, sizes = rng.normal(0, 2, (10, classes)), rng.integers(1, 4, 10).astype(float)
    found = project_shares(points, sizes)
    for point, nearest, size in zip(points, found, sizes, strict=True):
        others = rng.dirichlet(np.ones(classes), 200) * size if classes > 1 else rng.uniform(0, size, (200, 1))
        assert nearest.sum() == pytest.approx(size) if classes > 1 else 0 <= nearest[0] <= size
        assert ((others - point) ** 2).sum(axis=1).min() >= ((nearest - point) ** 2).sum() - 1e-9


def test_large_programs_go_to_the_fast_engine(monkeypatch):
    program = random_program(1)
    assert l1.solve(program).engine == "exact"
    monkeypatch.setattr(l1, "MOST_ENTRIES", 10)
    assert l1.solve(program).engine == "fast"
    assert l1.solve(program, "exact").engine == "exact"


def test_rows_without_queries_get_even_shares():
    matrix = sparse.csr_array(np.array([[1.0, 0, 0], [1, 0, 0], [1, 1, 0]]))
    solution = l1.solve(Program(matrix, np.ones((3, 1)), np.ones((3, 1)), np.ones(3)))
    assert solution.shares[:, 0] == pytest.approx([1, 0, 0.5], abs=1e-6)
    none = l1.solve(Program(matrix[:0], np.ones((0, 4)), np.ones((0, 4)), np.ones(3)))
    assert (none.shares == 0.25).all()


def test_queries_without_weight_do_not_count():
    program = random_program(4)
    weights = program.weights.copy()
    weights[::3] = 0
    program = Program(program.matrix, program.answers, weights, program.sizes)
    assert solve_exact(program).objective == pytest.approx(by_scipy(program), rel=1e-6, abs=1e-6)


def test_a_program_that_is_not_solved_is_an_error(monkeypatch):
    program = random_program(2)
    with monkeypatch.context() as patch:
        patch.setitem(l1_exact.OPTIONS, "ipm_iteration_limit", 2)
        with pytest.raises(SolverFailed, match="not solved: HiGHS ended with 'Iteration limit reached'"):
            solve_exact(program)
    with monkeypatch.context() as patch:
        patch.setattr(l1_exact, "TOLERANCE", -1.0)
        with pytest.raises(SolverFailed, match="above the bound"):
            solve_exact(program)
    program.answers[0, 0] = np.inf
    with pytest.raises(SolverFailed), np.errstate(invalid="ignore"):
        solve_exact(program)


def test_the_cost_of_a_flip_by_hand():
    # One record alone in a query answered 0.9, and with a second one in a query answered 1.
    matrix = sparse.csr_array(np.array([[1.0, 0], [1, 1]]))
    program = Program(matrix, np.array([[0.9], [1.0]]), np.ones((2, 1)), np.ones(2))
    assert l1.cost_of_flipping(program, 0) == pytest.approx([0.9, 0.1], abs=1e-6)
    assert l1.cost_of_flipping(program, 1) == pytest.approx([0.1, 0.9], abs=1e-6)
    both = Program(matrix, np.array([[0.1, 0.9], [1, 1]]), np.ones((2, 2)), np.ones(2))
    assert l1.cost_of_flipping(both, 0) == pytest.approx([1.8, 0.2], abs=1e-6)
