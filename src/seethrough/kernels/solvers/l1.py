"""Least absolute errors: which engine solves a program, and what it would cost to force one record."""

from dataclasses import replace
from typing import Literal

import numpy as np
from scipy import sparse

from seethrough.kernels.arrays import Floats
from seethrough.kernels.solvers.l1_program import Program, Solution, merge_equal_queries

Engine = Literal["auto", "exact", "fast"]

MOST_CONSTRAINTS = 8_000
MOST_ENTRIES = 2_000_000
"""Beyond either the exact engine may take minutes; see the table in `l1_exact`."""


def solve(program: Program, engine: Engine = "auto") -> Solution:
    """Minimise the weighted sum of absolute errors; rows that no query touches get equal shares of all classes."""
    if not program.shape[0]:
        return without_queries(program)
    program = merge_equal_queries(program)
    if engine == "exact" or (engine == "auto" and is_small(program)):
        from seethrough.kernels.solvers.l1_exact import solve_exact  # loads HiGHS

        solution = solve_exact(program)
    else:
        from seethrough.kernels.solvers.l1_fast import solve_fast

        solution = solve_fast(program)
    return with_untouched_rows(program, solution)


def without_queries(program: Program) -> Solution:
    """Give equal shares of all classes to every row, as nothing was asked about them."""
    _, rows, classes = program.shape
    return Solution(np.full((rows, classes), 1 / max(classes, 2)), 0.0, 0.0, "none", "no queries")


def with_untouched_rows(program: Program, solution: Solution) -> Solution:
    """Give equal shares of all classes to rows that no query touches."""
    _, rows, classes = program.shape
    untouched = np.bincount(program.matrix.indices, minlength=rows) == 0
    return replace(solution, shares=np.where(untouched[:, None], 1 / max(classes, 2), solution.shares))


def is_small(program: Program) -> bool:
    """Tell whether the exact engine is up to a program."""
    queries, rows, classes = program.shape
    return min(queries, rows) * classes <= MOST_CONSTRAINTS and program.entries <= MOST_ENTRIES


def cost_of_flipping(program: Program, row: int, engine: Engine = "auto") -> Floats:
    """Give, for each class, the least objective when one record of a row is known to be of that class.

    The difference between two classes says how decisive the answers are about the record. A single class stands for
    two: the first cost is that of its absence.
    """
    queries, rows, classes = program.shape
    column = program.matrix[:, [row]].toarray()[:, 0]
    costs = []
    for forced in range(max(classes, 2)):
        share = np.zeros(classes)
        share[:] = float(forced) if classes == 1 else np.arange(classes) == forced
        answers = program.answers - column[:, None] * share
        sizes = program.sizes - (np.arange(rows) == row)
        left = sizes > 0
        rest = Program(sparse.csr_array(program.matrix[:, left]), answers, program.weights, sizes[left])
        costs.append(solve(rest, engine).objective if left.any() else rest.objective(np.zeros((queries, classes))))
    return np.array(costs)
