"""Rows that are alone with their fingerprint, and which other rows have it; without sorting.

Fingerprints fall into slots, and the last row of a slot holds it. A row that finds its own fingerprint with another
holder is not alone, and neither is the holder; a row that finds another fingerprint goes into the next round, with
other bits for its slot, together with all rows that equal it. Nothing is left to chance but equal fingerprints of rows
that differ.
"""

import numpy as np

from seethrough.kernels.arrays import Bools, Ints
from seethrough.kernels.counting.fingerprints import Prints

_ROUND = np.uint64(0x9E3779B97F4A7C15)


def alone(prints: Prints) -> Bools:
    """Tell which rows share their fingerprint with no other."""
    shared = np.zeros(len(prints), np.bool_)
    left, mixed = np.arange(len(prints)), prints
    while len(left):
        holder = _held(mixed, left)[_slots(mixed, len(left))]
        same = prints[holder] == prints[left]
        doubled = same & (holder != left)
        shared[left[doubled]] = True
        shared[holder[doubled]] = True
        left, mixed = left[~same], mixed[~same] * _ROUND
    return ~shared


def matches(prints: Prints, others: Prints) -> tuple[Ints, Ints]:
    """Pair the rows of `prints`, which are all different, with those of `others` that equal them: both places."""
    left, mixed = np.arange(len(prints)), prints
    asking, wanted = np.arange(len(others)), others
    rows, equal = [], []
    while len(left) and len(asking):
        table = _held(mixed, left)
        holder = table[_slots(wanted, len(left))]
        found = (holder >= 0) & (prints[holder] == others[asking])
        rows.append(holder[found])
        equal.append(asking[found])
        lost = table[_slots(mixed, len(left))] != left
        # A slot without a holder has none in later rounds either: who lost a slot lost it to a holder.
        open_ = (holder >= 0) & ~found
        left, mixed = left[lost], mixed[lost] * _ROUND
        asking, wanted = asking[open_], wanted[open_] * _ROUND
    return (np.concatenate(rows), np.concatenate(equal)) if rows else (left[:0], asking[:0])


def _slots(mixed: Prints, rows: int) -> Ints:
    """Take the first bits, at least four slots a row."""
    bits = max(6, (4 * rows).bit_length())
    return (mixed >> np.uint64(64 - bits)).astype(np.int64)


def _held(mixed: Prints, rows: Ints) -> Ints:
    """Let every row take its slot, the last one keeps it; -1 where nobody came."""
    slots = _slots(mixed, len(rows))
    table = np.full(1 << max(6, (4 * len(rows)).bit_length()), -1, np.int64)
    table[slots] = rows
    return table
