"""Which values a release has, column by column: ends of numbers, and levels that occur."""

from dataclasses import dataclass

import numpy as np

from seethrough.data.table import Array, Table
from seethrough.kernels.arrays import Bools, Floats


@dataclass(frozen=True, eq=False)
class SeenValues:
    """For each column the smallest and the largest number, infinite where there is none, and which codes occur.

    A column of numbers has no codes, and one of levels no numbers.
    """

    low: Floats
    high: Floats
    codes: tuple[Bools, ...]


@dataclass(frozen=True)
class SeenValuesPass:
    """Pass: the values that columns have."""

    def partial(self, rows: Table, before: int, hint: Floats | None) -> SeenValues:
        """Look at each column by itself."""
        known = [_known(values) for values in rows.columns]
        return SeenValues(
            np.array([each.min(initial=np.inf) for each in known]),
            np.array([each.max(initial=-np.inf) for each in known]),
            tuple(_occurring(values) for values in rows.columns),
        )

    def merge(self, first: SeenValues, second: SeenValues) -> SeenValues:
        """Take what either has."""
        codes = tuple(map(_either, first.codes, second.codes))
        return SeenValues(np.minimum(first.low, second.low), np.maximum(first.high, second.high), codes)

    def hint(self, state: SeenValues) -> Floats | None:
        """Say nothing."""
        return None


def _known(values: Array) -> Floats:
    numbers = values.astype(np.float64) if values.dtype.kind == "f" else np.empty(0)
    return numbers[np.isfinite(numbers)]


def _occurring(values: Array) -> Bools:
    return np.zeros(0, bool) if values.dtype.kind == "f" else np.bincount(values) > 0


def _either(first: Bools, second: Bools) -> Bools:
    long, short = (first, second) if len(first) >= len(second) else (second, first)
    found = long.copy()
    found[: len(short)] |= short
    return found
