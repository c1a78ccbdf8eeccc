"""All nearest points across, ties included, without each of several columns in turn, by one pass over the pairs.

Let T be the total of a pair with all columns and T_t that without column t, whose weight is 1: T_t = T - 1 where the
two differ in t, else T. With m the smallest T of a row the smallest T_t is at most m, so a pair that attains it has
T <= m + 1. Both totals of a pair are added up in the order of `points.totals`, so that they are to the bit those of a
search on the columns of one turn.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from seethrough.kernels.arrays import Floats, Ints
from seethrough.kernels.budget import Budget
from seethrough.kernels.neighbours.keys.within_reach import NearPairs, add_numbers, pairs_within
from seethrough.kernels.points import TIE, Points


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

    def tell(near: NearPairs) -> None:
        """Find, for each turn, which of the pairs within reach are nearest."""
        without = add_numbers(near.differing - 1, mine, near.rows, others, near.columns)
        starts = np.flatnonzero(np.diff(near.rows, prepend=-1))
        place = np.repeat(np.arange(len(starts)), np.diff(starts, append=len(near.rows)))
        for turn, column in enumerate(turns.tolist()):
            differ = mine.codes[column, near.rows] != others.codes[column, near.columns]
            total = np.where(differ, without, near.totals)
            best = np.minimum.reduceat(total, starts)[place]
            nearest = np.flatnonzero(total <= best * (1 + TIE))
            take(TurnNeighbours(turn, near.rows[nearest], near.columns[nearest], best[nearest]))

    pairs_within(1.0, mine, others, budget, tell)
