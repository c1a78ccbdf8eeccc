"""Rows as 64-bit fingerprints: equal rows have equal ones, also with a column left out.

The fingerprint of a row is the sum, modulo 2^64, of those of its cells, so leaving a column out is a subtraction. Two
rows that differ share a fingerprint with probability 2^-64: among a million rows on each side once in ten million
audits.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

Prints = npt.NDArray[np.uint64]


def cell_prints(values: npt.NDArray[np.generic], place: int) -> Prints:
    """Mix the cells of the column at `place`; all NaN are one value, and so are codes of any width."""
    if values.dtype.kind == "f":
        bits = np.where(np.isnan(values.astype(np.float64)), np.nan, values.astype(np.float64) + 0.0).view(np.uint64)
    else:
        bits = values.astype(np.uint64)
    with np.errstate(over="ignore"):
        return mix_bits(bits + np.uint64(place + 1) * np.uint64(0x9E3779B97F4A7C15))


def mix_bits(bits: Prints) -> Prints:
    """Finish as SplitMix64 does (Steele, Lea, Flood 2014, doi:10.1145/2714064.2660195)."""
    bits = (bits ^ (bits >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    bits = (bits ^ (bits >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.asarray(bits ^ (bits >> np.uint64(31)))


def row_prints(columns: Sequence[npt.NDArray[np.generic]]) -> Prints:
    """Give the fingerprints of rows; those of cells are not kept, since they are made again sooner than stored."""
    total = np.zeros(len(columns[0]), np.uint64)
    with np.errstate(over="ignore"):
        for place, values in enumerate(columns):
            total += cell_prints(values, place)
    return total


def occurs_in(prints: Prints, among: Prints) -> npt.NDArray[np.bool_]:
    """Tell which fingerprints are among the others.

    Their first bits mark slots, many more than there are rows, so that most of what does not occur falls out on either
    side before anything is sorted.
    """
    found = np.zeros(len(prints), np.bool_)
    bits = min(24, max(10, int(len(among) * 16).bit_length()))
    mine, others = (values >> np.uint64(64 - bits) for values in (prints, among))
    maybe = np.flatnonzero(_marked(others, bits)[mine])
    ordered = np.sort(among[_marked(mine[maybe], bits)[others]])
    if len(ordered):
        place = np.minimum(np.searchsorted(ordered, prints[maybe]), len(ordered) - 1)
        found[maybe] = ordered[place] == prints[maybe]
    return found


def _marked(slots: Prints, bits: int) -> npt.NDArray[np.bool_]:
    marks = np.zeros(1 << bits, np.bool_)
    marks[slots] = True
    return marks


def counts_within(prints: Prints) -> npt.NDArray[np.int64]:
    """Count, for every row, the rows with its fingerprint, itself among them."""
    _, inverse, counts = np.unique(prints, return_inverse=True, return_counts=True)
    return np.asarray(counts[inverse], np.int64)
