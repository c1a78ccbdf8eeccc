"""Many programs of least absolute errors side by side, as one program on an accelerator."""

import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np

from seethrough.kernels.solvers.l1_program import Program


class Blocks:
    """All programs as one, on the device; `rows` and `queries` tell how many of them each program has."""

    def __init__(self, programs: Sequence[Program], device: Any) -> None:
        import torch

        def moved(values: Any, dtype: Any) -> Any:
            return torch.as_tensor(values, device=device).to(dtype)

        def numbers(parts: Sequence[Any]) -> Any:
            return moved(np.concatenate(parts).astype(np.float32), torch.float32)

        rows = np.array([len(program.sizes) for program in programs])
        self.rows = moved(rows, torch.int64)
        self.queries = moved(np.array([len(program.answers) for program in programs]), torch.int64)
        self.answers = numbers([program.answers for program in programs])
        self.weights = numbers([program.weights for program in programs])
        self.sizes = numbers([program.sizes for program in programs])[:, None]
        self.limits = (-self.weights, self.weights)
        offsets = np.cumsum(rows) - rows
        members = [program.matrix.indices + offset for program, offset in zip(programs, offsets, strict=True)]
        lengths = moved(np.concatenate([np.diff(program.matrix.indptr) for program in programs]), torch.int64)
        columns = moved(np.concatenate(members).astype(np.int32), torch.int32)
        self.matrix, self.transposed = _both_ways(lengths, columns, int(rows.sum()))

    @property
    def count(self) -> int:
        """How many programs there are."""
        return len(self.rows)

    def by_row(self, values: Any) -> Any:
        """Give every row what its program has."""
        return values.repeat_interleave(self.rows, output_size=len(self.sizes))[:, None]

    def by_query(self, values: Any) -> Any:
        """Give every query what its program has."""
        return values.repeat_interleave(self.queries, output_size=len(self.answers))[:, None]

    def keep(self, programs: Any) -> None:
        """Go on with some of the programs."""
        rows, queries = self.by_row(programs)[:, 0], self.by_query(programs)[:, 0]
        lengths = self.matrix.crow_indices().diff()
        entries = queries.repeat_interleave(lengths)
        new_place = rows.cumsum(0) - 1
        columns = new_place[self.matrix.col_indices()[entries]].to(self.matrix.col_indices().dtype)
        self.matrix, self.transposed = _both_ways(lengths[queries].long(), columns, int(rows.sum()))
        self.answers, self.weights, self.sizes = self.answers[queries], self.weights[queries], self.sizes[rows]
        self.limits = (-self.weights, self.weights)
        self.rows, self.queries = self.rows[programs], self.queries[programs]

    def per_program(self, values: Any, lengths: Any) -> Any:
        """Sum the values of each program, always in the same order."""
        import torch

        running = values.double().sum(1).cumsum(0)
        running = torch.nn.functional.pad(running, (1, 0))
        ends = lengths.cumsum(0)
        return running[ends] - running[ends - lengths]

    def objective(self, counts: Any) -> Any:
        """Give the sum of weighted errors of each program."""
        return self.per_program(self.weights * (self.answers - counts).abs(), self.queries)

    def bound(self, multipliers: Any, pulls: Any) -> Any:
        """Give the dual objective of each program."""
        top = pulls.amax(1, keepdim=True)
        top = top.clamp_min(0) if self.answers.shape[1] == 1 else top
        gained = self.per_program(self.answers * multipliers, self.queries)
        return gained - self.per_program(self.sizes * top, self.rows)

    def project(self, solution: Any) -> Any:
        """Find the nearest feasible point; see `l1_program.projected`."""
        import torch

        classes = solution.shape[1]
        if classes == 1:
            return torch.minimum(solution.clamp_min(0), self.sizes)
        falling = solution.sort(1, descending=True).values
        steps = torch.arange(1, classes + 1, device=solution.device)
        surplus = (falling.cumsum(1) - self.sizes) / steps
        last = (falling > surplus).sum(1, keepdim=True) - 1
        return (solution - surplus.gather(1, last)).clamp_min(0)


def _both_ways(lengths: Any, columns: Any, width: int) -> tuple[Any, Any]:
    """Make a matrix of ones by rows, and its transpose."""
    import torch

    def ends(counts: Any) -> Any:
        return torch.cat([counts.new_zeros(1), counts.cumsum(0)]).to(torch.int32)

    rows = torch.repeat_interleave(torch.arange(len(lengths), device=columns.device, dtype=torch.int32), lengths)
    order = columns.argsort(stable=True)
    ones = torch.ones(len(columns), device=columns.device)
    heights = torch.bincount(columns, minlength=width)
    shape = (len(lengths), width)
    with warnings.catch_warnings():
        # torch calls its sparse matrices a beta and warns of unchecked ones; these are checked.
        warnings.filterwarnings("ignore", "Sparse", UserWarning)
        return (
            torch.sparse_csr_tensor(ends(lengths), columns, ones, size=shape, check_invariants=True),
            torch.sparse_csr_tensor(ends(heights), rows[order], ones, size=shape[::-1], check_invariants=True),
        )
