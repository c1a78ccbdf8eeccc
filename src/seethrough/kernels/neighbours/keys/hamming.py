"""Nearest rows in Hamming distance, all ties kept, and how many of them agree on a further value, or have which.

For a row y: T(y) = the rows z that differ from y in the fewest key columns; what comes back is |T(y)| and
the number of z in T(y) with y's secret, or with each label, all counted with multiplicity.

Exact without comparing all pairs: rows at distance 0 are found by joining on the key code. Rows at
distance h are found by joining, for every choice of h columns, on the other columns; a pair at distance
exactly h meets in exactly one of these joins, so counts just add up. When the joins of a level would cost
more than comparing all pairs that are left, these are compared.
"""

from collections.abc import Sequence
from itertools import combinations
from math import comb

import numpy as np

from seethrough.kernels.arrays import Codes, Ints
from seethrough.kernels.budget import Budget
from seethrough.kernels.counting.grouping import combine, counts_of, radices
from seethrough.kernels.neighbours.blocks import Block, count_differences, run_strips
from seethrough.kernels.neighbours.products import layout
from seethrough.kernels.points import Points

JOIN_NS = 60.0
COLUMN_NS = 0.1
START_NS = 1e7
"""Measured cost of a row in a join, of a column of a pair in a comparison and of starting that, in nanoseconds; they
only steer the choice."""
ROOMY = 16
"""Entries of a table of counts for each row counted up to which counting beats sorting."""


def nearest_agreement(
    keys: tuple[Codes, Codes], secrets: tuple[Codes, Codes], budget: Budget
) -> tuple[Ints, Ints, Ints]:
    """Count, for each row of the first table, its nearest rows in the second and those that share its secret.

    `keys` are the key columns (one row a column) of the two tables, `secrets` one code for each row.
    Returns the number of nearest rows, the number of those with the same secret, and their distance.
    """
    split = keys[0].shape[1]
    both = np.concatenate(keys, axis=1)
    secret = np.concatenate(secrets).astype(np.int64)
    units = combine([*both, secret])
    _, first, inverse = np.unique(units[:split], return_index=True, return_inverse=True)
    _, other_first, weights = np.unique(units[split:], return_index=True, return_counts=True)
    search = _HammingSearch(
        both[:, first], secret[first], both[:, split + other_first], secret[split + other_first], weights
    )
    search.run(budget)
    return search.total[inverse], search.agree[inverse], search.distance[inverse]


def nearest_labels(
    keys: tuple[Codes, Codes], labels: Ints, count: int, budget: Budget, *, equal: bool = False
) -> tuple[Ints, Ints]:
    """Count, for each row of the first table, its nearest rows in the second by their label, 0 to `count` - 1.

    Returns one row of counts for each row, and the distances. With `equal` only rows with all keys equal are counted;
    where there are none, the distance is -1.
    """
    split = keys[0].shape[1]
    both = np.concatenate(keys, axis=1)
    groups = combine(list(both))
    _, first, inverse = np.unique(groups[:split], return_index=True, return_inverse=True)
    units = combine([groups[split:], labels])
    _, other_first, weights = np.unique(units, return_index=True, return_counts=True)
    search = _LabelSearch(both[:, first], both[:, split + other_first], labels[other_first], weights, count)
    if equal:
        search.join_equal()
    else:
        search.run(budget)
    return search.agree[inverse], search.distance[inverse]


def prefers_joins(width: int, level: int, rows: int, others: int) -> bool:
    """Tell whether the joins of a level cost no more than comparing all pairs."""
    joins = comb(width, level) * (rows + others) * JOIN_NS
    return joins <= rows * others * width * COLUMN_NS + START_NS


class _HammingSearch:
    """Distinct (key, secret) units of two tables; `weights` counts the rows behind each unit of the second."""

    def __init__(self, keys: Codes, secret: Ints, other_keys: Codes, other_secret: Ints, weights: Ints) -> None:
        self.keys, self.secret = keys, secret
        self.other_keys, self.other_secret, self.weights = other_keys, other_secret, weights
        self.secrets = int(max(secret.max(initial=0), other_secret.max(initial=0))) + 1
        self.total, self.agree = np.zeros(len(secret), np.int64), np.zeros(len(secret), np.int64)
        self.distance = np.full(len(secret), -1, np.int64)

    def tally_joined(self, rows: Ints, codes: Ints, other_codes: Ints, size: int) -> Ints:
        """Count for each of `rows` the rows with its code, below `size`, and its secret."""
        pairs, other_pairs = codes * self.secrets + self.secret[rows], other_codes * self.secrets + self.other_secret
        if size * self.secrets <= ROOMY * len(other_codes):
            found: Ints = np.bincount(other_pairs, self.weights, size * self.secrets)[pairs].astype(np.int64)
            return found
        return counts_of(pairs, other_pairs, self.weights)

    def tally_pairs(self, rows: Ints, row: Ints, column: Ints) -> Ints:
        """Count for each of `rows` those of its pairs, given by place in `rows` and in the second, with its secret."""
        same = self.secret[rows[row]] == self.other_secret[column]
        return np.bincount(row, self.weights[column] * same, len(rows)).astype(np.int64)

    def run(self, budget: Budget) -> None:
        """Settle all units, nearest levels first."""
        self.join_equal()
        width = len(self.keys)
        places = radices([np.concatenate(pair) for pair in zip(self.keys, self.other_keys, strict=True)])
        for level in range(1, width + 1):
            left_over = np.flatnonzero(self.total == 0)
            if not len(left_over):
                return
            if places is None or not prefers_joins(width, level, len(left_over), len(self.weights)):
                self._compare(left_over, budget)
                return
            self._join(left_over, level, places)

    def join_equal(self) -> None:
        """Count the rows that are equal in all keys."""
        codes = combine([np.concatenate(pair) for pair in zip(self.keys, self.other_keys, strict=True)])
        split, everyone = len(self.secret), np.arange(len(self.secret))
        self._add(everyone, codes[:split], codes[split:])
        self.distance[self.total > 0] = 0

    def _join(self, rows: Ints, level: int, places: Ints) -> None:
        """Add, for every choice of `level` columns, the rows that agree on all the others."""
        mine = self.keys[:, rows] * places[:, None]
        other = self.other_keys * places[:, None]
        whole, other_whole = mine.sum(axis=0), other.sum(axis=0)
        for dropped in combinations(range(len(places)), level):
            out = list(dropped)
            self._add(rows, whole - mine[out].sum(axis=0), other_whole - other[out].sum(axis=0))
        self.distance[rows[self.total[rows] > 0]] = level

    def _add(self, rows: Ints, codes: Ints, other_codes: Ints) -> None:
        """Add what the units with equal codes hold."""
        size, countable = int(max(codes.max(), other_codes.max())) + 1, ROOMY * len(other_codes)
        if size * self.secrets > countable:
            distinct, other_codes = np.unique(other_codes, return_inverse=True)
            place = np.minimum(np.searchsorted(distinct, codes), len(distinct) - 1)
            hit = np.flatnonzero(distinct[place] == codes)
            rows, codes, size = rows[hit], place[hit], len(distinct)
        self.total[rows] += np.bincount(other_codes, self.weights, size)[codes].astype(np.int64)
        self.agree[rows] += self.tally_joined(rows, codes, other_codes, size)

    def _compare(self, rows: Ints, budget: Budget) -> None:
        """Compare all pairs that are left, which counts exactly."""
        ones = np.ones(len(self.keys))
        mine = Points(np.empty((len(rows), 0)), self.keys[:, rows], ones)
        other = Points(np.empty((len(self.weights), 0)), self.other_keys, ones)
        run_strips(
            mine,
            other,
            layout(mine, other),
            budget,
            lambda block, blocks: self._nearest_of_strip(rows[block.span], block, blocks),
        )

    def _nearest_of_strip(self, rows: Ints, block: Block, blocks: Sequence[Block]) -> None:
        kind = np.min_scalar_type(len(self.keys))
        best = np.full(len(rows), np.iinfo(kind).max, kind)
        total, agree = np.zeros(len(rows)), np.zeros((len(rows), *self.agree.shape[1:]), np.int64)
        for other in blocks:
            values = count_differences(block, other)
            lowest = values.min(axis=1)
            total[lowest < best] = agree[lowest < best] = 0
            best = np.minimum(best, lowest)
            row, column = np.divmod(np.flatnonzero(values == best[:, None]), values.shape[1])
            column = column + other.start
            total += np.bincount(row, self.weights[column], len(rows))
            agree += self.tally_pairs(rows, row, column)
        self.total[rows], self.agree[rows], self.distance[rows] = total, agree, best


class _LabelSearch(_HammingSearch):
    """The same search, with a count for every label in the place of agreement with one."""

    def __init__(self, keys: Codes, other_keys: Codes, labels: Ints, weights: Ints, count: int) -> None:
        super().__init__(keys, np.zeros(keys.shape[1], np.int64), other_keys, labels, weights)
        self.secrets = count
        self.agree = np.zeros((keys.shape[1], count), np.int64)

    def tally_joined(self, rows: Ints, codes: Ints, other_codes: Ints, size: int) -> Ints:
        """Count for each of `rows` the rows with its code, below `size`, by label."""
        places = other_codes * self.secrets + self.other_secret
        counts = np.bincount(places, self.weights, size * self.secrets).reshape(size, self.secrets)
        return counts[codes].astype(np.int64)

    def tally_pairs(self, rows: Ints, row: Ints, column: Ints) -> Ints:
        """Count for each of `rows` its pairs by label."""
        places = row * self.secrets + self.other_secret[column]
        counts = np.bincount(places, self.weights[column], len(rows) * self.secrets).astype(np.int64)
        return counts.reshape(len(rows), self.secrets)
