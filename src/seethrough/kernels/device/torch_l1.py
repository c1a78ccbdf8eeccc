"""Many programs of least absolute errors solved together by torch.

One step T moves both sides of a program as in `l1_fast`. Here a step goes twice as far, and is pulled back towards the
point z0 that the iteration began with, less and less (Halpern iteration with reflection, Lu and Yang 2024):

    z <- (k + 1) / (k + 2) * (2 T(z) - z) + 1 / (k + 2) * z0

It begins anew from T(z) when the step has become short, or has been going on for long. On programs of ACS records (800
rows, 1,900 queries) this took 3,350 to 5,050 steps to a gap of 0.1 % where restarted averages took 6,650 to 8,200.

Programs stand side by side as blocks of one matrix, so that one sparse product serves them all; balances, restarts and
gaps are kept for each program by itself. Numbers are in single precision: gaps below about 1e-5 of the objective are
out of reach. What comes out is made feasible and certified in double precision, program by program.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from seethrough.errors import ConfigError
from seethrough.kernels.device.torch_extra import torch_device
from seethrough.kernels.device.torch_programs import Blocks
from seethrough.kernels.solvers.l1 import with_untouched_rows, without_queries
from seethrough.kernels.solvers.l1_program import Program, Solution, certify, merge_equal_queries

GAP = 0.001
STEPS = 20_000
CHECK = 50
"""Steps between two looks at the gaps."""
DONE = 0.2
"""Share of programs within the gap from which on they are taken out, so that the others go on faster."""


def solve_together(programs: Sequence[Program], device: str) -> list[Solution]:
    """Minimise many programs, of any number of classes each, to a gap of 0.1 %; `l1.solve` does one exactly."""
    found = [without_queries(program) for program in programs]
    asked = [place for place, program in enumerate(programs) if program.shape[0]]
    ready = {place: merge_equal_queries(programs[place]) for place in asked}
    for classes in sorted({program.shape[2] for program in ready.values()}):
        same = [place for place in asked if ready[place].shape[2] == classes]
        for place, solution in zip(same, solve_many([ready[place] for place in same], device), strict=True):
            found[place] = with_untouched_rows(ready[place], solution)
    return found


def solve_many(programs: Sequence[Program], device: str, gap: float = GAP, steps: int = STEPS) -> list[Solution]:
    """Solve programs with as many classes each to a relative gap, or as far as a number of steps leads."""
    if not programs:
        return []
    if len({program.answers.shape[1] for program in programs}) > 1:
        raise ConfigError("programs that are solved together have to have as many classes each")
    search = _DeviceSolve(Blocks(programs, torch_device(device)), gap)
    found: list[Solution | None] = [None] * len(programs)
    open_ones = np.arange(len(programs))
    for step in range(CHECK, max(steps, CHECK) + 1, CHECK):
        search.steps(CHECK)
        done = search.look(step) | (step > steps - CHECK)
        if done.all() or done.mean() > DONE:
            for place, solution in search.take_out(done, [programs[place] for place in open_ones.tolist()]):
                found[open_ones[place]] = solution
            open_ones = open_ones[~done]
        if not len(open_ones):
            break
    return [solution for solution in found if solution is not None]


class _DevicePoint:
    """Both sides of all programs and the products of each, which are linear and so mix along: all in one piece.

    The solution comes first, then what the multipliers pull at it, the multipliers, and what the solution counts.
    """

    def __init__(self, flat: Any, rows: int) -> None:
        queries = len(flat) // 2 - rows
        self.flat = flat
        self.solution, self.pulls, self.multipliers, self.counts = flat.split([rows, rows, queries, queries])


class _DeviceSolve:
    """All iterations; `omega` balances both sides of each program, `since` counts its steps from the anchor."""

    def __init__(self, blocks: Blocks, gap: float) -> None:
        """Start every program in the middle of its feasible set."""
        import torch

        self.blocks, self.gap = blocks, gap
        classes, device = blocks.answers.shape[1], blocks.answers.device
        self.tau = 1 / _degrees(blocks.transposed)
        self.sigma = 1 / _degrees(blocks.matrix)
        self.omega = torch.ones(blocks.count, device=device)
        self.row_step, self.query_step = self.tau, self.sigma
        middle = (blocks.sizes / max(classes, 2)).repeat(1, classes)
        zero = torch.zeros_like(blocks.answers)
        self.point = self.anchor = self._joined(middle, middle * 0, zero, blocks.matrix @ middle)
        self.since = torch.zeros(blocks.count, device=device)
        self.best_solution, self.best_multipliers = middle, zero
        self.objective, self.bound = blocks.objective(self.point.counts), blocks.bound(zero, middle * 0)
        self.length_before = torch.full_like(self.objective, float("inf"))
        self.moved = self._moved()
        self.length_then = self._length()

    def steps(self, count: int) -> None:
        """Move every program several times, the last time without going on from there, for a look."""
        import torch

        ahead = self._by_entry(self.since) + 2
        for _ in range(count - 1):
            reflected = torch.lerp(self.point.flat, self._moved().flat, 2.0)
            self.point = self._point(torch.lerp(reflected, self.anchor.flat, 1 / ahead))
            ahead += 1
        self.moved = self._moved()
        self.since += count - 1

    def look(self, step: int) -> npt.NDArray[np.bool_]:
        """Keep the best, begin anew the programs that are due; tell which are done."""
        import torch

        self._see()
        length = self._length()
        stuck = (length <= 0.8 * self.length_then) & (length > self.length_before)
        due = (length <= 0.2 * self.length_then) | stuck | (self.since >= 0.36 * step)
        self._begin_anew(due)
        self.length_before = torch.where(due, torch.inf, length)
        found: npt.NDArray[np.bool_] = self._within().cpu().numpy()
        return found

    def take_out(self, done: Any, programs: Sequence[Program]) -> Iterator[tuple[int, Solution]]:
        """Certify the programs that are done and go on with the others."""
        rows, queries = np.cumsum(self.blocks.rows.cpu().numpy()), np.cumsum(self.blocks.queries.cpu().numpy())
        shares = np.split(self.best_solution.double().cpu().numpy(), rows[:-1])
        multipliers = np.split(self.best_multipliers.double().cpu().numpy(), queries[:-1])
        within = self._within().cpu().numpy()
        self._keep(~done)
        for place in np.flatnonzero(done).tolist():
            status = f"within {self.gap:.2g} of the bound" if within[place] else "stopped at the limit of steps"
            yield place, certify(programs[place], shares[place], multipliers[place], "torch", status)

    def _keep(self, kept: Any) -> None:
        import torch

        programs = torch.as_tensor(kept, device=self.blocks.answers.device)
        rows, queries = self.blocks.by_row(programs)[:, 0], self.blocks.by_query(programs)[:, 0]
        entries, count = self._by_entry(programs)[:, 0], int(rows.sum())
        for name, value in vars(self).items():
            if isinstance(value, _DevicePoint):
                setattr(self, name, _DevicePoint(value.flat[entries], count))
            elif name in {"tau", "row_step", "best_solution"}:
                setattr(self, name, value[rows])
            elif name in {"sigma", "query_step", "best_multipliers"}:
                setattr(self, name, value[queries])
            elif name not in {"blocks", "gap"}:
                setattr(self, name, value[programs])
        self.blocks.keep(programs)

    def _moved(self) -> _DevicePoint:
        """Move both sides of every program once."""
        import torch

        blocks, point = self.blocks, self.point
        solution = blocks.project(torch.addcmul(point.solution, self.row_step, point.pulls))
        counts = blocks.matrix @ solution
        errors = torch.sub(blocks.answers + point.counts, counts, alpha=2)
        multipliers = torch.addcmul(point.multipliers, self.query_step, errors).clamp(*blocks.limits)
        return self._joined(solution, blocks.transposed @ multipliers, multipliers, counts)

    def _length(self) -> Any:
        """Measure the last step of each program in the norm in which steps cannot grow."""
        blocks, step = self.blocks, self._point(self.moved.flat - self.point.flat)
        parts = blocks.per_program(step.solution**2 / self.row_step, blocks.rows)
        parts = parts + blocks.per_program(step.multipliers**2 / self.query_step, blocks.queries)
        return (parts + 2 * blocks.per_program(step.multipliers * step.counts, blocks.queries)).clamp_min(0).sqrt()

    def _begin_anew(self, due: Any) -> None:
        """Set the anchor to the last step where it is due, and balance both sides by how far they came."""
        import torch

        blocks, way = self.blocks, self._point(self.moved.flat - self.anchor.flat)
        far = blocks.per_program(way.solution**2 / self.tau, blocks.rows).sqrt()
        wide = blocks.per_program(way.multipliers**2 / self.sigma, blocks.queries).sqrt()
        balance = (wide / far.clamp_min(1e-30) * self.omega).sqrt().float()
        self.omega = torch.where(due & (far > 1e-9) & (wide > 1e-9), balance, self.omega)
        self.row_step = self.tau / blocks.by_row(self.omega)
        self.query_step = self.sigma * blocks.by_query(self.omega)
        entries = self._by_entry(due)
        self.point = self._point(torch.where(entries, self.moved.flat, self.point.flat))
        self.anchor = self._point(torch.where(entries, self.moved.flat, self.anchor.flat))
        self.since = torch.where(due, 0.0, self.since)
        self.moved = self._moved()
        self.length_then = torch.where(due, self._length(), self.length_then)

    def _see(self) -> None:
        import torch

        blocks, point = self.blocks, self.moved
        objective, bound = blocks.objective(point.counts), blocks.bound(point.multipliers, point.pulls)
        lower, higher = blocks.by_row(objective < self.objective), blocks.by_query(bound > self.bound)
        self.best_solution = torch.where(lower, point.solution, self.best_solution)
        self.best_multipliers = torch.where(higher, point.multipliers, self.best_multipliers)
        self.objective, self.bound = torch.minimum(objective, self.objective), torch.maximum(bound, self.bound)

    def _within(self) -> Any:
        return self.objective - self.bound <= self.gap * self.objective.clamp_min(1.0)

    def _joined(self, *parts: Any) -> _DevicePoint:
        import torch

        return self._point(torch.cat(parts))

    def _point(self, flat: Any) -> _DevicePoint:
        return _DevicePoint(flat, len(self.blocks.sizes))

    def _by_entry(self, values: Any) -> Any:
        """Give every entry of a point what its program has."""
        import torch

        rows, queries = self.blocks.by_row(values), self.blocks.by_query(values)
        return torch.cat([rows, rows, queries, queries])


def _degrees(matrix: Any) -> Any:
    """Count the entries of each row; a row without entries may take any step."""
    return matrix.crow_indices().diff().clamp_min(1).float()[:, None]
