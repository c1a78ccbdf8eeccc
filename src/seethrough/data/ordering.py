"""An order for the values of every column, so that they can be ranked.

Numbers and dates have one. Categories have the order of their levels where the schema declares them as ordered;
otherwise the most frequent level of the real table comes first, and levels as frequent as each other stand as in the
schema. Levels that the real table lacks come after those it has, and missing values last of all.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, timedelta

import numpy as np
import numpy.typing as npt

from seethrough.data.schema import Column, Kind
from seethrough.data.table import MISSING, Array, Table
from seethrough.kernels.arrays import Floats

EPOCH = date(1970, 1, 1)


@dataclass(frozen=True, eq=False)
class ColumnOrder:
    """The order of one column: `levels` are places of the schema's levels in it, empty for numbers."""

    column: Column
    levels: npt.NDArray[np.int64]

    @property
    def is_taken(self) -> bool:
        """Tell whether the column has no order of its own, so that one had to be taken."""
        return self.column.kind.has_levels and not self.column.ordered

    def keys(self, values: Array) -> Floats:
        """Give numbers in this order; infinity is missing."""
        if not self.column.kind.has_levels:
            numbers = values.astype(np.float64)
            return np.where(np.isnan(numbers), np.inf, numbers)
        codes = values.astype(np.int64)
        keys = np.arange(max(int(codes.max(initial=0)), len(self.levels)) + 1, dtype=np.float64)
        keys[1 : len(self.levels) + 1] = self.levels + 1
        keys[MISSING] = np.inf
        return keys[codes]

    def text(self, key: float) -> str:
        """Write the value that a key stands for; empty where it is missing."""
        if np.isinf(key):
            return ""
        if self.column.kind.has_levels:
            return self.column.levels[int(np.flatnonzero(self.levels == int(key) - 1)[0])]
        if self.column.kind is Kind.DATE:
            day = EPOCH + timedelta(days=int(np.floor(key)))
            return day.isoformat() if key == np.floor(key) else f"{day.isoformat()} + {key - np.floor(key):.6g} days"
        return f"{key:.15g}"


def orders(real: Table) -> Mapping[str, ColumnOrder]:
    """Put the values of every column of the real table in order."""
    columns = zip(real.schema.used, real.columns, strict=True)
    return {column.name: ColumnOrder(column, _places(column, values)) for column, values in columns}


def _places(column: Column, values: Array) -> npt.NDArray[np.int64]:
    size = len(column.levels) if column.kind.has_levels else 0
    if column.ordered or not size:
        return np.arange(size)
    counts = np.bincount(values.astype(np.int64), minlength=size + 1)[1 : size + 1]
    places = np.empty(size, np.int64)
    places[np.argsort(-counts, kind="stable")] = np.arange(size)
    return places


def taken_note(used: Iterable[ColumnOrder]) -> tuple[str, ...]:
    """Say which columns have no order of their own, and which order was taken."""
    names = [repr(order.column.name) for order in used if order.is_taken]
    if not names:
        return ()
    told = "the most frequent level of the real table comes first; a schema may declare an order"
    return (f"no order of their own: {', '.join(names)}; {told}",)
