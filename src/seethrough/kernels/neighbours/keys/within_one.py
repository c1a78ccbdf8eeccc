"""All pairs of points whose total is within 1 of the smallest of their row, by one pass over the pairs.

One is what a category that differs adds to a total, so these are the pairs that can matter once a category is left out,
or set to another value. Codes are compared byte by byte, numbers as a product with a bounded error, and what may be
within reach is measured directly, in the order of `points.totals` and to the same bit.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from seethrough.kernels.arrays import Codes, Floats, Ints, Matrix
from seethrough.kernels.budget import Budget
from seethrough.kernels.neighbours.blocks import Block, Encode, measure
from seethrough.kernels.neighbours.keys.mismatches import mismatches, narrow_codes, run_strips_of_rows
from seethrough.kernels.neighbours.products import layout, left, right
from seethrough.kernels.points import Norm, Points

SLACK = 1e-9
"""Relative reach beyond 1, far above the rounding of a sum and far below a difference that counts."""


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


def pairs_within_one(mine: Points, others: Points, budget: Budget, take: Callable[[NearPairs], None]) -> None:
    """Give `take`, for each strip of `mine`, the pairs whose total is at most 1 above the smallest of the row.

    Weights are 1 and the norm is Euclidean. A row is in one strip only; strips may come from several threads at once.
    """
    if np.any(mine.weights != 1) or mine.norm is not Norm.EUCLIDEAN:
        raise ValueError("a reach of 1 asks for the Euclidean norm with weights of 1")
    if not len(others):
        raise ValueError("no points to be near to")
    search = _ReachSearch(mine, others, take)
    run_strips_of_rows(len(mine), len(others), budget, search.strip)


def add_numbers(total: Floats, mine: Points, rows: Ints, others: Points, columns: Ints) -> Floats:
    """Add to totals what the numbers of pairs give, one column after the other."""
    for j in range(mine.numbers.shape[1]):
        total = total + np.square(mine.numbers[rows, j] - others.numbers[columns, j])
    return total


class _ReachSearch:
    """Two sets of points, and what to do with the pairs found."""

    def __init__(self, mine: Points, others: Points, take: Callable[[NearPairs], None]) -> None:
        self.mine, self.others, self.take = mine, others, take
        self.codes, self.other_codes = narrow_codes(list(mine.codes), list(others.codes))
        self.plan = layout(*(Points(side.numbers, np.empty((0, 0), np.uint8), np.empty(0)) for side in (mine, others)))

    def strip(self, span: slice, blocks: Sequence[slice]) -> None:
        """Find what is within reach of a strip of rows, block by block."""
        best = np.full(span.stop - span.start, np.inf)
        found = []
        numbers = self._numbers(self.mine, span, left)
        for block in blocks:
            near = self._measured(span, block, numbers, best)
            np.minimum.at(best, near.rows, near.totals)
            found.append(_within(near, best))
        near = _joined([_within(near, best) for near in found])
        self.take(NearPairs(span.start + near.rows, near.columns, near.differing, near.totals))

    def _numbers(self, points: Points, span: slice, encode: Encode) -> Block:
        part = Points(points.numbers[span], np.empty((0, span.stop - span.start), np.uint8), np.empty(0))
        return Block(part, span.start, self.plan, encode)

    def _measured(self, span: slice, block: slice, numbers: Block, best: Floats) -> NearPairs:
        """Measure directly the pairs of a block that may be within reach of the best so far."""
        counts = mismatches(self.codes, span, self.other_codes, block)
        values: Matrix | Codes = counts
        error = 0.0
        if self.mine.numbers.shape[1]:
            values, error = measure(numbers, self._numbers(self.others, block, right))
            values += counts
            error += float(np.finfo(values.dtype).eps) * float(np.abs(values).max())
        lowest = values.min(axis=1).astype(np.float64) + error
        reach = (np.minimum(best, lowest) + 1) * (1 + SLACK) + error
        hits = np.flatnonzero(values <= _rounded_up(reach, values.dtype)[:, None])
        rows, column = np.divmod(hits, values.shape[1])
        differing, columns = counts.ravel()[hits].astype(np.float64), column + block.start
        totals = add_numbers(differing, self.mine, span.start + rows, self.others, columns)
        return NearPairs(rows, columns, differing, totals)


def _within(near: NearPairs, best: Floats) -> NearPairs:
    return near.take(np.flatnonzero(near.totals <= (best[near.rows] + 1) * (1 + SLACK)))


def _joined(found: Sequence[NearPairs]) -> NearPairs:
    """Put the pairs of all blocks together, by row."""
    rows = np.concatenate([near.rows for near in found])
    columns = np.concatenate([near.columns for near in found])
    differing = np.concatenate([near.differing for near in found])
    totals = np.concatenate([near.totals for near in found])
    return NearPairs(rows, columns, differing, totals).take(np.argsort(rows, kind="stable"))


def _rounded_up(reach: Floats, kind: np.dtype) -> Codes | Matrix:
    """Give bounds in the type of a block: a comparison across types would convert the whole block."""
    if kind.kind != "f":
        return np.minimum(np.floor(reach), np.iinfo(kind).max).astype(kind)
    above: Matrix = np.nextafter(reach.astype(kind), kind.type(np.inf))
    return above
