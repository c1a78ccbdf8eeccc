"""Bins of a number: where the values of one table are cut, and into which bin those of any table fall.

The rule is chosen by what the bins are for; all three set their edges by one table and give missing the code after the
last bin.

equal width
    Bins of one width over the range, the outer two open-ended; where the table holds one value the bins are below,
    equal and above, so that a deviation still counts. For comparing distributions: a shift moves rows across edges.
interpolated deciles
    Cut at the deciles, between two values where one falls there; a value on an edge is in the bin above. For numbers
    that are matched: every bin holds a tenth of the rows, ties apart.
observed deciles
    Cut above the values that the deciles are; a value on an edge is in the bin below. For counting records: a bin is
    a set of values that occur. Edges at the largest value are left out, or with "observed deciles, top apart" cut just
    below it, so that a value which most rows share is told from the others at either end.
"""

from math import isfinite
from typing import Literal

import numpy as np

from seethrough.kernels.arrays import Codes, Floats, Values

DecileRule = Literal["interpolated deciles", "observed deciles", "observed deciles, top apart"]
BinRule = Literal["equal width"] | DecileRule

BINS = 10
EDGE = 1e-6
"""A value so near below the edge of a bin of equal width, in bins, lies on it: rounding and the unit do not decide."""
FEW_EDGES = 16
"""So many comparisons are faster than a search."""


def bin_numbers(rule: BinRule, first: Values, second: Values, bins: int = BINS) -> tuple[Codes, Codes]:
    """Put the numbers of two tables into bins that the first one sets; missing is the code after the last bin."""
    known = known_numbers(first)
    mine, others = first.astype(np.float64, copy=False), second.astype(np.float64, copy=False)
    if rule == "equal width":
        return _equal_width(known, mine, bins), _equal_width(known, others, bins)
    edges, above = decile_edges(rule, known), rule == "interpolated deciles"
    return cut(mine, edges, above=above), cut(others, edges, above=above)


def known_numbers(values: Values) -> Floats:
    """Give the values that are not missing."""
    numbers = values.astype(np.float64, copy=False)
    return numbers[~np.isnan(numbers)]


def decile_edges(rule: DecileRule, known: Floats, bins: int = BINS) -> Floats:
    """Find the different edges between at most ten `bins`, or as many as asked for, ascending; none for no numbers."""
    if not len(known):
        return known
    if rule == "interpolated deciles":
        return np.unique(np.quantile(known, np.arange(1, bins) / bins))
    ends = np.sort(known)[-(-np.arange(1, bins) * len(known) // bins) - 1]
    largest = known.max()
    if rule == "observed deciles":
        return np.unique(ends[ends < largest])
    return np.unique(np.minimum(ends, np.nextafter(largest, -np.inf)))


def cut(numbers: Floats, edges: Floats, *, above: bool = False) -> Codes:
    """Find the bin of each number; one on an edge falls below it, or `above`."""
    kind = np.min_scalar_type(len(edges) + 1)
    if len(edges) > FEW_EDGES:
        codes = np.searchsorted(edges, numbers, side="right" if above else "left").astype(kind)
    else:
        codes = np.zeros(len(numbers), kind)
        for edge in edges:
            codes += numbers >= edge if above else numbers > edge
    codes[np.isnan(numbers)] = len(edges) + 1
    return codes


def _equal_width(known: Floats, values: Floats, bins: int) -> Codes:
    if not len(known):
        bins, places = 1, np.zeros(len(values))
    elif (low := float(known.min())) == (high := float(known.max())):
        bins, places = 3, np.where(values == low, 1.0, np.where(values < low, 0.0, 2.0))
    else:
        scale = 1.0 if isfinite(high - low) else 0.5
        shares = (np.clip(values, low, high) * scale - low * scale) / (high * scale - low * scale)
        places = np.minimum(np.floor(shares * bins + EDGE), bins - 1)
    return np.where(np.isnan(values), bins, places).astype(np.min_scalar_type(bins))
