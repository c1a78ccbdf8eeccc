"""The exact engine: HiGHS's interior point method, on the smaller of the program and its dual.

The normal matrix of an interior point step has one row for each constraint. The dual has rows x classes of them, the
program queries x classes, so the dual is solved where rows are fewer, which is the usual case, and the program itself
where many people meet few queries. Without crossover the result lies inside the set of optimal solutions instead of in
a corner that depends on the order of the records.

HiGHS 1.15, measured on ACS records (3-way queries, generator nonprivate, two shared cores), seconds:

    rows x queries    m       dual: interior, simplex    program: interior, simplex
      813 x 2,353     10^3    0.20  0.32                 0.27  0.56
      813 x 2,579     10^6    0.28  0.51                 0.43  1.37
      813 x 100,000   10^6    2.2   2.2
    2,050 x 3,135     10^5    1.4   4.5                  1.6
    3,053 x 3,350     10^5    3.2   12.1                 2.9
    8,929 x 3,753     10^5                               12.6
    8,929 x 54,903    10^5    293                                    (4-way queries)
    837 x 5 classes   10^5    2.0                                    (fast engine to 1 %: 5.0)
    857 x 9 classes   10^5    5.5                                    (fast engine to 1 %: 7.9)

Against the other engine, `l1_fast` to a gap of 1 %, and against an interior point method of our own with a dense
Cholesky factor, which was removed because it was never three times as fast (`benchmarks/l1_solvers.py`). Processor
seconds of one thread with the machine busy, 3-way queries:

    records, rows, secret          rows x queries x classes    HiGHS    fast    ours
     1,000,      1,000, SEX          812 x 1,943               0.19     0.20    0.20
     1,000,  1,000,000, SEX          812 x 2,071               0.28     2.58    0.16
     1,000,    100,000, SEX, 4-way   812 x 9,589               0.70     2.71    0.35
    20,000,     20,000, SEX        9,120 x 3,577               17.2     40.7
    20,000,  1,000,000, SEX        9,120 x 3,682               20.5     42.2
     1,000,      1,000, RAC1P        856 x 1,841 x 7           4.0      0.83
     1,000,      1,000, SCHL         695 x 1,377 x 25          25.5     3.1

HiGHS's presolve is off: equal queries are merged before, and it costs a tenth of the time and finds no more.
"""

import highspy
import numpy as np
from scipy import sparse

from seethrough.errors import SolverFailed
from seethrough.kernels.arrays import Floats
from seethrough.kernels.solvers.l1_program import Program, Solution, certify

TOLERANCE = 1e-5
"""A certified relative gap above this is no optimum, whatever the solver calls it."""
FREE = highspy.kHighsInf
OPTIONS: dict[str, str | int] = {"solver": "ipx", "run_crossover": "off", "presolve": "off", "threads": 1}
"""One thread, so that the same program has the same answer on every machine."""


def solve_exact(program: Program) -> Solution:
    """Solve to optimality, or raise `SolverFailed`."""
    queries, rows, _ = program.shape
    solution = _by_dual(program) if rows <= queries else _directly(program)
    # Not turned round, so that an objective that is no number fails too.
    if not solution.objective - solution.bound <= TOLERANCE * max(solution.objective, 1.0):
        raise SolverFailed(
            f"the linear program of {queries:,} queries and {rows:,} records was called solved, "
            f"but its objective {solution.objective:.6g} is above the bound {solution.bound:.6g}"
        )
    return solution


def _by_dual(program: Program) -> Solution:
    """Maximise over multipliers y and prices z with a'y_c <= z; the solution is what the constraints are worth."""
    queries, rows, classes = program.shape
    weights = program.weights.T.ravel()
    matrix = sparse.hstack(
        [sparse.block_diag([program.matrix.T] * classes), sparse.vstack([-sparse.eye_array(rows)] * classes)],
        format="csc",
    )
    found = _run(
        matrix,
        cost=np.concatenate([-program.answers.T.ravel(), program.sizes]),
        columns=(
            np.concatenate([-weights, np.full(rows, 0.0 if classes == 1 else -FREE)]),
            np.concatenate([weights, np.full(rows, FREE)]),
        ),
        constraints=(np.full(rows * classes, -FREE), np.zeros(rows * classes)),
    )
    multipliers = np.array(found.col_value)[: queries * classes].reshape(classes, queries).T
    return certify(program, -np.array(found.row_dual).reshape(classes, rows).T, multipliers, "exact", "optimal")


def _directly(program: Program) -> Solution:
    """Minimise over the solution x and the positive and negative errors of each query."""
    queries, rows, classes = program.shape
    errors = sparse.eye_array(queries * classes)
    blocks = [[sparse.block_diag([program.matrix] * classes), errors, -errors]]
    sides = [program.answers.T.ravel()]
    if classes > 1:
        blocks.append([sparse.hstack([sparse.eye_array(rows)] * classes), None, None])
        sides.append(program.sizes)
    weights, side = program.weights.T.ravel(), np.concatenate(sides)
    upper = program.sizes if classes == 1 else np.full(rows * classes, FREE)
    found = _run(
        sparse.block_array(blocks, format="csc"),
        cost=np.concatenate([np.zeros(rows * classes), weights, weights]),
        columns=(np.zeros((rows + 2 * queries) * classes), np.append(upper, np.full(2 * queries * classes, FREE))),
        constraints=(side, side),
    )
    solution = np.array(found.col_value)[: rows * classes].reshape(classes, rows).T
    multipliers = np.array(found.row_dual)[: queries * classes].reshape(classes, queries).T
    return certify(program, solution, multipliers, "exact", "optimal")


def _run(
    matrix: sparse.csc_array, cost: Floats, columns: tuple[Floats, Floats], constraints: tuple[Floats, Floats]
) -> highspy.HighsSolution:
    """Minimise cost times x over `columns` below and above, matrix times x within `constraints`."""
    model = highspy.HighsLp()
    model.num_row_, model.num_col_ = matrix.shape
    model.col_cost_ = cost
    model.col_lower_, model.col_upper_ = columns
    model.row_lower_, model.row_upper_ = constraints
    model.a_matrix_.format_ = highspy.MatrixFormat.kColwise
    model.a_matrix_.start_, model.a_matrix_.index_ = matrix.indptr, matrix.indices
    model.a_matrix_.value_ = matrix.data
    solver = highspy.Highs()  # type: ignore[no-untyped-call]
    solver.silent()
    for option, value in OPTIONS.items():
        solver.setOptionValue(option, value)
    solver.passModel(model)
    solver.run()
    status = solver.getModelStatus()
    if status != highspy.HighsModelStatus.kOptimal:
        raise SolverFailed(
            f"the linear program of {matrix.shape[0]:,} constraints and {matrix.shape[1]:,} variables was not solved: "
            f"HiGHS ended with {solver.modelStatusToString(status)!r}"
        )
    return solver.getSolution()
