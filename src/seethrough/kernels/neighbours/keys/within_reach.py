"""All pairs of points whose total is within a reach of the smallest of their row, by one pass over the pairs.

A reach of 1 is what a category that differs adds to a total: these are the pairs that can matter once a category is
left out, or set to another value. A reach of 0 leaves those that tie. Blocks of pairs are measured with a bounded
error, and what may be within reach is measured directly, in the order of `points.totals` and to the same bit.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from seethrough.kernels.arrays import Floats, Ints
from seethrough.kernels.budget import Budget
from seethrough.kernels.neighbours.blocks import Block, measure, run_strips
from seethrough.kernels.neighbours.products import layout
from seethrough.kernels.points import TIE, Norm, Points

SLACK = 1e-9
"""Relative reach beyond, far above the rounding of a sum and far below a difference that counts."""


@dataclass(frozen=True, eq=False)
class NearPairs:
    """Pairs within reach, by row: rows, columns, in how many codes they differ, and their totals."""

    rows: Ints
    columns: Ints
    differing: Floats
    totals: Floats

    def take(self, which: Ints) -> "NearPairs":
        """Pick pairs."""
        return NearPairs(self.rows[which], self.columns[which], self.differing[which], self.totals[which])


def counts_differences(points: Points) -> bool:
    """Tell whether every code that differs adds 1 to a squared distance."""
    return points.norm is Norm.EUCLIDEAN and bool(np.all(points.weights == 1))


def pairs_within(reach: float, mine: Points, others: Points, budget: Budget, take: Callable[[NearPairs], None]) -> None:
    """Give `take`, for each strip of `mine`, the pairs whose total is at most `reach` above the smallest of the row.

    Weights are 1 and the norm is Euclidean. A row is in one strip only; strips may come from several threads at once.
    """
    if not counts_differences(mine):
        raise ValueError("a reach asks for the Euclidean norm with weights of 1")
    if not len(others):
        raise ValueError("no points to be near to")

    def strip(block: Block, blocks: Sequence[Block]) -> None:
        best = np.full(len(block.points), np.inf)
        found = []
        for other in blocks:
            near = _measured(block, other, best, reach)
            np.minimum.at(best, near.rows, near.totals)
            found.append(_within(near, best, reach))
        near = _joined([_within(near, best, reach) for near in found])
        take(NearPairs(block.start + near.rows, near.columns, near.differing, near.totals))

    run_strips(mine, others, layout(mine, others), budget, strip)


def add_numbers(total: Floats, mine: Points, rows: Ints, others: Points, columns: Ints) -> Floats:
    """Add to totals what the numbers of pairs give, one column after the other."""
    for j in range(mine.numbers.shape[1]):
        total = total + np.square(mine.numbers[rows, j] - others.numbers[columns, j])
    return total


def _measured(block: Block, other: Block, best: Floats, reach: float) -> NearPairs:
    """Measure directly the pairs of two blocks that may be within reach of the best so far."""
    values, error = measure(block, other)
    lowest = np.minimum(best, values.min(axis=1).astype(np.float64) + error)
    bound = ((lowest + reach) * (1 + SLACK) + error).astype(values.dtype)
    hits = np.flatnonzero(values <= np.nextafter(bound, values.dtype.type(np.inf))[:, None])
    rows, columns = np.divmod(hits, values.shape[1])
    differing = np.zeros(len(rows))
    for mine, others in zip(block.points.codes, other.points.codes, strict=True):
        differing += mine[rows] != others[columns]
    totals = add_numbers(differing, block.points, rows, other.points, columns)
    return NearPairs(rows, columns + other.start, differing, totals)


def _within(near: NearPairs, best: Floats, reach: float) -> NearPairs:
    slack = SLACK if reach else TIE
    return near.take(np.flatnonzero(near.totals <= (best[near.rows] + reach) * (1 + slack)))


def _joined(found: Sequence[NearPairs]) -> NearPairs:
    """Put the pairs of all blocks together, by row."""
    rows = np.concatenate([near.rows for near in found])
    columns = np.concatenate([near.columns for near in found])
    differing = np.concatenate([near.differing for near in found])
    totals = np.concatenate([near.totals for near in found])
    return NearPairs(rows, columns, differing, totals).take(np.argsort(rows, kind="stable"))
