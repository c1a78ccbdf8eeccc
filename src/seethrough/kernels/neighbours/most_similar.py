"""Guessing each column of a row from the rows that agree with it in most of the other columns."""

from collections.abc import Sequence

import numpy as np

from seethrough.kernels.arrays import Floats, Values

BLOCK = 1 << 20
"""Pairs of rows that are compared at once."""


def guessed_right(targets: Sequence[Values], released: Sequence[Values]) -> Floats:
    """Give, for each column and target, the share of its most similar rows that have its value there.

    Similar are rows by the number of other columns in which they are equal; all rows that are equally similar count.
    """
    rows, others = len(targets[0]), len(released[0])
    step = max(1, BLOCK // max(others, 1))
    found = np.empty((len(targets), rows))
    for start in range(0, rows, step):
        part = slice(start, start + step)
        equal = [mine[part, None] == theirs[None, :] for mine, theirs in zip(targets, released, strict=True)]
        total = np.zeros(equal[0].shape, np.int16)
        for each in equal:
            total += each
        for place, each in enumerate(equal):
            rest = total - each
            nearest = rest == rest.max(axis=1, keepdims=True)
            found[place, part] = (nearest & each).sum(axis=1) / nearest.sum(axis=1)
    return found
