"""Which rows are equal: exact group numbers without comparing rows pairwise.

Columns of small codes are combined in mixed radix, code = c_1 + r_1 (c_2 + r_2 (c_3 + ...)); when the
next column would overflow 63 bits the codes so far are replaced by their ranks. No hashing is
involved, so there is nothing to collide.
"""

from collections.abc import Sequence

import numpy as np

from seethrough.kernels.arrays import Codes, Ints, Values

LIMIT = 1 << 62


def dense_codes(values: Values) -> Ints:
    """Give numbers to the distinct values of one column from 0 on; all NaN are one value."""
    return np.unique(values, return_inverse=True, equal_nan=True)[1].astype(np.int64, copy=False)


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
