"""Nearest rows in Hamming distance on all columns but one, and how many share a row's value of that one, for each turn.

Let m be the smallest distance of a row with all columns, W the rows at m and W_t those of them that differ in column t.
Without t the distance is m - 1 if W_t > 0: the nearest are those W_t rows, and none of them shares the value. Otherwise
it is m: the nearest are the W rows, all of which share it, and the rows at m + 1 that differ in t.

As in `hamming`, rows at distance h are found by joining, for every choice of h columns, on the others. A pair at m with
W_t = 0 meets in one of the joins at m + 1 whose choice has t, so the joins that have t count the nearest themselves.
Where joins would cost more than comparing all pairs that are left, these are compared, once for all turns.
"""

from itertools import combinations

import numpy as np

from seethrough.kernels.arrays import Bools, Codes, Ints
from seethrough.kernels.budget import Budget
from seethrough.kernels.counting.grouping import combine, counts_of, radices
from seethrough.kernels.neighbours.keys import hamming
from seethrough.kernels.neighbours.keys.nearest_in_turn import TurnNeighbours, nearest_in_turn
from seethrough.kernels.points import Points


def agreement_in_turn(columns: tuple[Codes, Codes], turns: Ints, budget: Budget) -> tuple[Ints, Ints, Ints]:
    """Count, for each turn and each row of the first table, its nearest rows in the second and those that agree.

    `columns` are the columns of the two tables (one row a column), `turns` those that are left out in turn and looked
    at. Returns the number of nearest rows, of those with the same value, and their distance: one row for each turn.
    """
    split = columns[0].shape[1]
    both = np.concatenate(columns, axis=1)
    units = combine(list(both))
    _, first, inverse = np.unique(units[:split], return_index=True, return_inverse=True)
    _, other_first, weights = np.unique(units[split:], return_index=True, return_counts=True)
    search = _AgreementSearch(both[:, first], both[:, split + other_first], weights, turns)
    search.run(units[first], units[split + other_first], budget)
    return search.total[:, inverse], search.agree[:, inverse], search.distance[:, inverse]


class _AgreementSearch:
    """Distinct rows of two tables; `weights` counts the rows behind each of the second."""

    def __init__(self, keys: Codes, other_keys: Codes, weights: Ints, turns: Ints) -> None:
        self.keys, self.other_keys, self.weights, self.turns = keys, other_keys, weights, turns
        shape = len(turns), keys.shape[1]
        self.total, self.agree, self.distance = (np.zeros(shape, np.int64) for _ in range(3))
        self.nearest = np.full(shape[1], -1, np.int64)
        self.at_nearest, self.differing = np.zeros(shape[1], np.int64), np.zeros(shape, np.int64)
        self.done: Bools = np.zeros(shape[1], bool)

    def run(self, units: Ints, other_units: Ints, budget: Budget) -> None:
        """Settle all rows, nearest levels first."""
        self._begin(np.arange(len(units)), 0, counts_of(units, other_units, self.weights), self.differing)
        width = len(self.keys)
        places = radices([np.concatenate(pair) for pair in zip(self.keys, self.other_keys, strict=True)])
        for level in range(1, width + 1):
            left_over = np.flatnonzero(~self.done)
            if not len(left_over):
                return
            if places is None or not hamming.prefers_joins(width, level, len(left_over), len(self.weights)):
                self._compare(left_over, budget)
                return
            met, met_in_turn = self._join(left_over, level, places)
            self._finish(left_over, level, met_in_turn)
            self._begin(left_over, level, met, met_in_turn)
        last = np.flatnonzero(~self.done)
        self._settle(last, np.zeros((len(self.turns), len(last)), np.int64))

    def _begin(self, rows: Ints, level: int, met: Ints, met_in_turn: Ints) -> None:
        """Note the rows whose nearest are at this level."""
        new = np.flatnonzero((self.nearest[rows] < 0) & (met > 0))
        self.nearest[rows[new]], self.at_nearest[rows[new]] = level, met[new]
        self.differing[:, rows[new]] = met_in_turn[:, new]

    def _finish(self, rows: Ints, level: int, met_in_turn: Ints) -> None:
        """Settle the rows whose nearest were at the level before."""
        known = np.flatnonzero(self.nearest[rows] == level - 1)
        self._settle(rows[known], met_in_turn[:, known])

    def _settle(self, rows: Ints, met_in_turn: Ints) -> None:
        differing = self.differing[:, rows]
        nearer = differing > 0
        self.total[:, rows] = np.where(nearer, differing, met_in_turn)
        self.agree[:, rows] = np.where(nearer, 0, self.at_nearest[rows])
        self.distance[:, rows] = self.nearest[rows] - nearer
        self.done[rows] = True

    def _join(self, rows: Ints, level: int, places: Ints) -> tuple[Ints, Ints]:
        """Count the rows met in all joins of a level, and in those that leave out each turn's column."""
        mine, other = self.keys[:, rows] * places[:, None], self.other_keys * places[:, None]
        whole, other_whole = mine.sum(axis=0), other.sum(axis=0)
        met, met_in_turn = np.zeros(len(rows), np.int64), np.zeros((len(self.turns), len(rows)), np.int64)
        for dropped in combinations(range(len(places)), level):
            out = list(dropped)
            codes, other_codes = whole - mine[out].sum(axis=0), other_whole - other[out].sum(axis=0)
            found = counts_of(codes, other_codes, self.weights)
            met += found
            met_in_turn[np.isin(self.turns, out)] += found
        return met, met_in_turn

    def _compare(self, rows: Ints, budget: Budget) -> None:
        """Compare all pairs that are left, once for all turns."""
        ones = np.ones(len(self.keys))
        mine = Points(np.empty((len(rows), 0)), self.keys[:, rows], ones)
        other = Points(np.empty((len(self.weights), 0)), self.other_keys, ones)
        nearest_in_turn(mine, other, self.turns, budget, lambda near: self._tally(rows, near))

    def _tally(self, rows: Ints, near: TurnNeighbours) -> None:
        mine, place = np.unique(near.rows, return_inverse=True)
        column, who = self.turns[near.turn], rows[mine]
        weights = self.weights[near.columns]
        same = self.keys[column, rows[near.rows]] == self.other_keys[column, near.columns]
        self.total[near.turn, who] = np.bincount(place, weights)
        self.agree[near.turn, who] = np.bincount(place, weights * same)
        self.distance[near.turn, rows[near.rows]] = near.totals
