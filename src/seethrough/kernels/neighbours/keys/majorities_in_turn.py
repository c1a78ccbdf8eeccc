"""The codes that most points nearest without a column have in it, for columns that take turns, by one pass."""

import numpy as np
import numpy.typing as npt

from seethrough.kernels.arrays import Ints
from seethrough.kernels.budget import Budget
from seethrough.kernels.neighbours.keys.nearest_in_turn import TurnNeighbours, nearest_in_turn
from seethrough.kernels.points import Points, point_groups

Marks = npt.NDArray[np.uint64]
"""One bit for each code, that of code 0 highest."""
MOST_CODES = 64


def majorities_in_turn(mine: Points, others: Points, turns: Ints, budget: Budget) -> Marks:
    """Mark, for each turn (a code column) and each of `mine`, the codes most frequent among its nearest of `others`.

    The nearest are those without the column, all ties kept and counted with multiplicity. Returns one row a turn.
    """
    sizes = [1 + int(max(mine.codes[turn].max(), others.codes[turn].max())) for turn in turns]
    if max(sizes) > MOST_CODES:
        raise ValueError(f"a column of {max(sizes)} codes; {MOST_CODES} can be marked")
    groups, other_groups = point_groups(mine, others)
    _, first, inverse = np.unique(groups, return_index=True, return_inverse=True)
    _, other_first, weights = np.unique(other_groups, return_index=True, return_counts=True)
    asking, distinct = mine.take(first), others.take(other_first)
    marks: Marks = np.zeros((len(turns), len(first)), np.uint64)

    def take(near: TurnNeighbours) -> None:
        rows, place = np.unique(near.rows, return_inverse=True)
        size, codes = sizes[near.turn], distinct.codes[turns[near.turn], near.columns]
        votes = np.bincount(place * size + codes, weights[near.columns], len(rows) * size).reshape(len(rows), size)
        bits = np.uint64(1) << np.arange(size - 1, -1, -1, dtype=np.uint64)
        marks[near.turn, rows] = (votes == votes.max(axis=1, keepdims=True)) @ bits

    nearest_in_turn(asking, distinct, turns, budget, take)
    return marks[:, inverse]
