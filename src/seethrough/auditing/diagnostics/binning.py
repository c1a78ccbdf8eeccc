"""Numbers by the part of the real range that they fall into."""

import numpy as np

from seethrough.data.schema import Column
from seethrough.data.table import Array, Table


def bin_numbers(table: Table, steps: int) -> list[Array]:
    """Give the columns with numbers by the part of the real range that they fall into; missing is a part."""
    return [_stepped(column, values, steps) for column, values in zip(table.schema.used, table.columns, strict=True)]


def _stepped(column: Column, values: Array, steps: int) -> Array:
    if column.kind.has_levels:
        return values
    numbers = values.astype(np.float64, copy=False)
    low, high = (0.0, 0.0) if column.low is None or column.high is None else (column.low, column.high)
    # Halves, because the length of the longest range is no number; a value far outside may be infinitely far.
    width = high / 2 - low / 2 or 0.5
    with np.errstate(over="ignore"):
        return np.asarray(np.floor((numbers / 2 - low / 2) / width * steps + 1e-9) + 0.0)
