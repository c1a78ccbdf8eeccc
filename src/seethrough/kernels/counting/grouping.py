"""Which rows are equal: exact group numbers without comparing rows pairwise.

Columns of small codes are combined in mixed radix, code = c_1 + r_1 (c_2 + r_2 (c_3 + ...)); when the
next column would overflow 63 bits the codes so far are replaced by their ranks. No hashing is
involved, so there is nothing to collide.
"""

from collections.abc import Sequence

import numpy as np

from seethrough.kernels.arrays import Codes, Floats, Ints, Values

LIMIT = 1 << 62
EXACT = 1 << 52
"""Whole numbers below this, and their differences, are exact in double precision."""
CLOSE = 4
"""Whole numbers lie close where they span at most so many times as many values as there are."""


def dense_codes(values: Values) -> Ints:
    """Give numbers to the distinct values of one column from 0 on, in their order; all NaN are one value, the last."""
    places = _places_in_a_row(values)
    if places is not None:
        there = np.zeros(int(places.max(initial=-1)) + 1, np.int64)
        there[places] = 1
        return (np.cumsum(there) - 1)[places]
    return np.unique(values, return_inverse=True, equal_nan=True)[1].astype(np.int64, copy=False)


def _places_in_a_row(values: Values) -> Ints | None:
    """Count from the least value on, where all are whole numbers that lie close: a table of them beats a sort."""
    if values.dtype.kind not in "fiu" or not len(values):
        return None
    least, most = float(values.min()), float(values.max())
    # False also where a value is infinite or not a number.
    if not (most - least < CLOSE * len(values) and abs(least) < EXACT and least.is_integer()):
        return None
    places = (values.astype(np.float64) - least).astype(np.int64)
    return places if np.array_equal(places + int(least), values) else None


def combine(columns: Sequence[Codes]) -> Ints:
    """Give equal rows equal non-negative numbers, and different rows different ones."""
    if not columns:
        raise ValueError("no columns to combine")
    total, size = np.zeros(len(columns[0]), np.int64), 1
    for column in columns:
        radix = int(column.max(initial=0)) + 1
        if size * radix > LIMIT:
            total, size = _ranked(total)
        total, size = total * radix + column, size * radix
    return total


def _ranked(codes: Ints) -> tuple[Ints, int]:
    distinct, ranks = np.unique(codes, return_inverse=True)
    return ranks.astype(np.int64, copy=False), len(distinct)


def radices(columns: Sequence[Codes]) -> Ints | None:
    """Place values under which the columns add up to one code, or None where 63 bits do not hold it."""
    sizes = [int(column.max(initial=0)) + 1 for column in columns]
    places, place = [], 1
    for size in sizes:
        places.append(place)
        place *= size
    return np.array(places, np.int64) if place <= LIMIT else None


def counts_of(wanted: Ints, among: Ints, weights: Ints) -> Ints:
    """Sum the weights of the members of `among` that equal each of `wanted`."""
    distinct, inverse = np.unique(among, return_inverse=True)
    totals = np.bincount(inverse, weights=weights, minlength=len(distinct)).astype(np.int64)
    place = np.minimum(np.searchsorted(distinct, wanted), len(distinct) - 1)
    return np.where(distinct[place] == wanted, totals[place], 0)


def distinct_rows(rows: Floats) -> tuple[Floats, Ints]:
    """Give the different rows of numbers in their order, column by column, and how often each comes."""
    ordered = rows[np.lexsort(rows.T[::-1])]
    first = np.ones(len(rows), bool)
    first[1:] = (ordered[1:] != ordered[:-1]).any(axis=1)
    starts = np.flatnonzero(first)
    return ordered[starts], np.diff(np.append(starts, len(rows)))
