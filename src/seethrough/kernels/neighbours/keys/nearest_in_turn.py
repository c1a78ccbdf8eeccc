"""All nearest points across, ties included, without each of several columns in turn, by one pass over the pairs.

Let T be the total of a pair with all columns and T_t that without column t, whose weight is 1: T_t = T - 1 where the
two differ in t, else T. With m the smallest T of a row the smallest T_t is at most m, so a pair that attains it has
T <= m + 1. The pass keeps these pairs: codes are compared byte by byte, numbers as a product with a bounded error, and
what may be within reach is measured directly. Both totals of a pair are added up in the order of `points.totals`, so
that they are to the bit those of a search on the columns of one turn.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from seethrough.kernels.arrays import Codes, Floats, Ints, Matrix
from seethrough.kernels.budget import Budget
from seethrough.kernels.neighbours.blocks import Block, measure
from seethrough.kernels.neighbours.keys.mismatches import mismatches, narrow_codes, run_strips_of_rows
from seethrough.kernels.neighbours.products import layout, left, right
from seethrough.kernels.points import TIE, Norm, Points

SLACK = 1e-9
"""Relative reach beyond what a turn can win, far above the rounding of a sum and far below a difference that counts."""


@dataclass(frozen=True, eq=False)
class TurnNeighbours:
    """The pairs that are nearest without one column: `turn` by place, rows and columns, and the total of each pair."""

    turn: int
    rows: Ints
    columns: Ints
    totals: Floats


def nearest_in_turn(
    mine: Points, others: Points, turns: Ints, budget: Budget, take: Callable[[TurnNeighbours], None]
) -> None:
    """Give `take`, for each strip of `mine` and each of `turns` (code columns), the pairs nearest without that column.

    Weights are 1 and the norm is Euclidean. A row is in one strip only; strips may come from several threads at once.
    """
    if np.any(mine.weights != 1) or mine.norm is not Norm.EUCLIDEAN:
        raise ValueError("columns take turns in the Euclidean norm with weights of 1")
    if not len(others):
        raise ValueError("no points to be near to")
    search = _TurnSearch(mine, others, turns, take)
    run_strips_of_rows(len(mine), len(others), budget, search.strip)


@dataclass(frozen=True, eq=False)
class _Reached:
    """Pairs within reach: rows of the strip, columns, and their totals with and without a column that differs."""

    rows: Ints
    columns: Ints
    whole: Floats
    without: Floats

    def take(self, which: Ints) -> "_Reached":
        return _Reached(self.rows[which], self.columns[which], self.whole[which], self.without[which])


class _TurnSearch:
    """Two sets of points, the columns that take turns, and what to do with the pairs found."""

    def __init__(self, mine: Points, others: Points, turns: Ints, take: Callable[[TurnNeighbours], None]) -> None:
        self.codes, self.other_codes = narrow_codes(list(mine.codes), list(others.codes))
        none = np.empty((0, 0), np.uint8)
        self.numbers = Points(mine.numbers, none, np.empty(0))
        self.other_numbers = Points(others.numbers, none, np.empty(0))
        self.turns, self.take = turns, take
        self.plan = layout(self.numbers, self.other_numbers)

    def strip(self, span: slice, blocks: Sequence[slice]) -> None:
        """Find what is within reach of a strip of rows, block by block, then tell the turns apart."""
        best = np.full(span.stop - span.start, np.inf)
        found = []
        mine = self._number_block(self.numbers, span, left)
        for block in blocks:
            near = self._reached(span, block, mine, best)
            np.minimum.at(best, near.rows, near.whole)
            found.append(near.take(_within(near, best)))
        self._tell(span, _joined(found, best))

    def _number_block(self, points: Points, span: slice, encode: Callable[..., object]) -> Block | None:
        if not points.numbers.shape[1]:
            return None
        part = Points(points.numbers[span], np.empty((0, span.stop - span.start), np.uint8), points.weights)
        return Block(part, span.start, self.plan, encode)  # type: ignore[arg-type]

    def _reached(self, span: slice, block: slice, mine: Block | None, best: Floats) -> _Reached:
        """Measure directly the pairs of a block that may be within 1 of the best so far."""
        counts = mismatches(self.codes, span, self.other_codes, block)
        other = self._number_block(self.other_numbers, block, right)
        values: Matrix | Codes = counts
        error = 0.0
        if mine is not None and other is not None:
            values, error = measure(mine, other)
            values += counts
            error += float(np.finfo(values.dtype).eps) * float(np.abs(values).max())
        lowest = values.min(axis=1).astype(np.float64) + error
        reach = (np.minimum(best, lowest) + 1) * (1 + SLACK) + error
        hits = np.flatnonzero(values <= _rounded_up(reach, values.dtype)[:, None])
        row, column = np.divmod(hits, values.shape[1])
        count = counts.ravel()[hits].astype(np.float64)
        columns = column + block.start
        return _Reached(row, columns, *self._chains(count, span.start + row, columns))

    def _chains(self, count: Floats, rows: Ints, columns: Ints) -> tuple[Floats, Floats]:
        """Add up the totals of pairs that differ in `count` codes, and in one less, as `points.totals` does."""
        whole, without = count, count - 1
        for j in range(self.numbers.numbers.shape[1]):
            part = np.square(self.numbers.numbers[rows, j] - self.other_numbers.numbers[columns, j])
            whole, without = whole + part, without + part
        return whole, without

    def _tell(self, span: slice, near: _Reached) -> None:
        """Find, for each turn, which of the pairs within reach are nearest."""
        starts = np.flatnonzero(np.diff(near.rows, prepend=-1))
        place = np.repeat(np.arange(len(starts)), np.diff(starts, append=len(near.rows)))
        rows = span.start + near.rows
        for turn, column in enumerate(self.turns.tolist()):
            differ = self.codes[column][rows] != self.other_codes[column][near.columns]
            total = np.where(differ, near.without, near.whole)
            best = np.minimum.reduceat(total, starts)[place]
            nearest = np.flatnonzero(total <= best * (1 + TIE))
            self.take(TurnNeighbours(turn, rows[nearest], near.columns[nearest], best[nearest]))


def _within(near: _Reached, best: Floats) -> Ints:
    return np.flatnonzero(near.whole <= (best[near.rows] + 1) * (1 + SLACK))


def _joined(found: Sequence[_Reached], best: Floats) -> _Reached:
    """Put the pairs of all blocks together, those that are still within reach, by row."""
    kept = [near.take(_within(near, best)) for near in found]
    whole = _Reached(
        *(np.concatenate([getattr(near, name) for near in kept]) for name in ("rows", "columns", "whole", "without"))
    )
    return whole.take(np.argsort(whole.rows, kind="stable"))


def _rounded_up(reach: Floats, kind: np.dtype) -> Codes | Matrix:
    """Give bounds in the type of a block: a comparison across types would convert the whole block."""
    if kind.kind != "f":
        return np.minimum(np.floor(reach), np.iinfo(kind).max).astype(kind)
    above: Matrix = np.nextafter(reach.astype(kind), kind.type(np.inf))
    return above
