"""An interior point method for programs of one class, with one Cholesky factor of rows x rows a step.

The program with its errors split, u above and v below the count, and the prices of its dual:

    a x + u - v = r,   x + x' = g,      a'y + s - s' = 0,   w - y = t,   w + y = t',      x s = x's' = u t = v t' = mu

Eliminating all but x from Newton's equations leaves (a' diag(d) a + diag(s/x + s'/x')) dx = side, d = 1 / (u/t + v/t').
The matrix of queries and rows is 0/1 and small in one direction, so the left side is summed and factored densely, which
no solver for programs in general does. Each factor serves a prediction, Mehrotra's correction (1992) and up to three of
Gondzio's (1996), which are cheap beside it. Far from the optimum single precision is enough: what it leaves behind
stands in the residuals of the next step.

The start is feasible on both sides. A factor that fails is tried again with a larger diagonal; the caller judges by the
certified gap whether the end is an optimum. Fourteen to eighteen steps in all instances of the table in `l1_exact`.
"""

from contextlib import suppress
from dataclasses import dataclass

import numpy as np
from scipy.linalg import LinAlgError, cho_factor, cho_solve

from seethrough.kernels.arrays import Floats
from seethrough.kernels.budget import one_blas_thread
from seethrough.kernels.solvers.l1_program import Program, Solution, certify
from seethrough.kernels.solvers.normal_matrix import NormalMatrix, Numbers

GAP = 1e-8
STEPS = 60
ROUGH = 1e-3
"""Relative gap down to which single precision is enough."""
RIDGES = (50, 5_000, 500_000)
"""By how many units in its last place a diagonal is enlarged, in turn, until a factor exists."""
CORRECTIONS = 3
NEAREST, FARTHEST = 0.1, 10.0
"""Products of a pair that a correction leaves alone, as multiples of their target."""
FURTHER = 0.18
"""How much longer a step a correction aims at."""
INSIDE = 0.995
"""Share of the way to the boundary that a step goes."""


@dataclass(frozen=True, eq=False)
class _InteriorPoint:
    """Both sides of all pairs whose products go to zero: x, x', u, v and s, s', t, t', one after the other."""

    values: Floats
    prices: Floats

    @property
    def gap(self) -> float:
        return float(self.values @ self.prices)

    def move(self, step: "_Step", ahead: tuple[float, float]) -> "_InteriorPoint":
        return _InteriorPoint(self.values + ahead[0] * step.values, self.prices + ahead[1] * step.prices)


@dataclass(frozen=True, eq=False)
class _Step:
    """A direction, the wanted changes of the products that it came from, and how far it may go on both sides."""

    values: Floats
    prices: Floats
    wanted: Floats
    ahead: tuple[float, float]


def solve_interior(program: Program) -> Solution:
    """Go on until the gap is closed or no step is possible; the solution says how far it came."""
    with one_blas_thread():
        inner = _Interior(program)
        point = inner.start()
        for _ in range(STEPS):
            relative = point.gap / max(inner.objective(point), 1.0)
            if not relative > GAP:
                break
            try:
                step = _Newton(inner, point, np.float32 if relative > ROUGH else np.float64).best_step()
            except LinAlgError:
                break
            point = point.move(step, (INSIDE * step.ahead[0], INSIDE * step.ahead[1]))
        solution, *_ = inner.parts(point.values)
        return certify(program, solution[:, None], inner.multipliers(point)[:, None], "exact", "optimal")


class _Interior:
    """One program, and Newton's equations at any point of it."""

    def __init__(self, program: Program) -> None:
        self.matrix, self.transposed = program.matrix, program.matrix.T.tocsr()
        self.answers, self.weights, self.sizes = program.answers[:, 0], program.weights[:, 0], program.sizes
        self.normal = NormalMatrix(program.matrix)
        self.rows, self.queries = len(self.sizes), len(self.answers)

    def start(self) -> _InteriorPoint:
        """Stand in the middle, with prices such that products are alike."""
        middle, weights = self.sizes / 2, self.weights
        errors = self.answers - self.matrix @ middle
        target = float(np.abs(errors).mean() * weights.mean()) / 2 + 1e-3
        above = np.maximum(errors, 0) + target / weights
        prices = target / middle
        return _InteriorPoint(
            np.concatenate([middle, middle, above, above - errors]),
            np.concatenate([prices, prices, weights, weights]),
        )

    def parts(self, both: Floats) -> tuple[Floats, Floats, Floats, Floats]:
        """Split what a point has one after the other."""
        rows, queries = self.rows, self.queries
        return both[:rows], both[rows : 2 * rows], both[2 * rows : 2 * rows + queries], both[2 * rows + queries :]

    def multipliers(self, point: _InteriorPoint) -> Floats:
        _, _, above, below = self.parts(point.prices)
        return (below - above) / 2

    def objective(self, point: _InteriorPoint) -> float:
        _, _, above, below = self.parts(point.values)
        return float(self.weights @ (above + below))


class _Newton:
    """Newton's equations at one point, factored."""

    def __init__(self, inner: _Interior, point: _InteriorPoint, kind: type[np.floating]) -> None:
        self.inner, self.point = inner, point
        x, room, above, below = inner.parts(point.values)
        low, high, over, under = inner.parts(point.prices)
        self.scale = 1 / (above / over + below / under)
        self.kind = kind
        self.factor = self._factored(low / x + high / room)
        # Rounding, and factors that are not exact, leave the equations a little unfulfilled.
        self.missing = inner.answers - inner.matrix @ x - above + below
        self.excess = inner.transposed @ inner.multipliers(point) + low - high

    def _factored(self, diagonal: Floats) -> Numbers:
        for ridge in RIDGES:
            normal = self.inner.normal(self.scale, self.kind)
            place = np.einsum("ii->i", normal)
            place += diagonal.astype(self.kind)
            place *= self.kind(1 + ridge * np.finfo(self.kind).eps)
            with suppress(LinAlgError):
                factor: Numbers = cho_factor(normal, lower=True, overwrite_a=True, check_finite=False)[0]
                return factor
        raise LinAlgError("no factor")

    def step(self, wanted: Floats) -> _Step:
        """Find the direction in which the products of all pairs change by what is wanted."""
        inner, (values, prices) = self.inner, (self.point.values, self.point.prices)
        low, high, _, _ = inner.parts(wanted / values)
        _, _, above, below = inner.parts(wanted / prices)
        errors = above - below - self.missing
        side = low - high + self.excess - inner.transposed @ (self.scale * errors)
        solved = cho_solve((self.factor, True), side.astype(self.kind), check_finite=False)
        dx: Floats = solved.astype(np.float64, copy=False)
        dy = -self.scale * (inner.matrix @ dx + errors)
        pairs = 2 * inner.rows
        changes, worth = np.empty_like(values), np.empty_like(prices)
        changes[:pairs] = np.concatenate([dx, -dx])
        worth[pairs:] = np.concatenate([-dy, dy])
        worth[:pairs] = (wanted[:pairs] - prices[:pairs] * changes[:pairs]) / values[:pairs]
        changes[pairs:] = (wanted[pairs:] - values[pairs:] * worth[pairs:]) / prices[pairs:]
        return _Step(changes, worth, wanted, (_longest(values, changes), _longest(prices, worth)))

    def best_step(self) -> _Step:
        """Predict, correct, and correct again as long as that makes the step longer."""
        products = self.point.values * self.point.prices
        guess = self.step(-products)
        left = self.point.move(guess, guess.ahead).gap / self.point.gap
        target = left**3 * float(products.mean())
        best = self.step(target - products - guess.values * guess.prices)
        for _ in range(CORRECTIONS):
            aim = tuple(min(1.0, 1.08 * length + FURTHER) for length in best.ahead)
            there = self.point.move(best, (aim[0], aim[1]))
            reached = there.values * there.prices
            change = np.clip(reached, NEAREST * target, FARTHEST * target) - reached
            other = self.step(best.wanted + np.maximum(change, -FARTHEST * target))
            if sum(other.ahead) < sum(best.ahead) + 0.02:
                break
            best = other
        return best


def _longest(point: Floats, change: Floats) -> float:
    """Find the share of a step, at most all of it, that leaves everything positive."""
    steepest = float((change / point).min())
    return min(1.0, -1 / steepest) if steepest < 0 else 1.0
