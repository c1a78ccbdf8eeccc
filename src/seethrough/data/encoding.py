"""Tables as points of the distance space, and as codes that are equal where values are.

The distance space: a number is scaled by the range that the schema took from the real table, so a
synthetic value may lie outside [0, 1]; a category that differs adds 1 to the squared distance. A missing
number stands at the real median and adds a category "is missing".
"""

from typing import cast

import numpy as np

from seethrough.data.schema import Column
from seethrough.data.table import Array, Table
from seethrough.kernels.grouping import dense_codes
from seethrough.kernels.points import Codes, Floats, Points


def points(table: Table) -> Points:
    """Place the rows of a table in the distance space of its schema."""
    numbers, codes = [], []
    for column, values in zip(table.schema.used, table.columns, strict=True):
        if column.kind.has_levels:
            codes.append(values)
        else:
            missing = np.isnan(values.astype(np.float64, copy=False))
            numbers.append((np.where(missing, column.fill or 0.0, values) - (column.low or 0.0)) / span(column))
            codes.append(missing.astype(np.uint8))
    return Points(_stack_numbers(numbers, len(table)), _stack_codes(codes, len(table)), np.ones(len(codes)))


def span(column: Column) -> float:
    """Length of the range of a number; 1 where the real table has one value, so that others still count."""
    if column.low is None or column.high is None or column.high == column.low:
        return 1.0
    return column.high - column.low


def _stack_numbers(columns: list[Floats], rows: int) -> Floats:
    return np.column_stack(columns).astype(np.float64) if columns else np.empty((rows, 0))


def _stack_codes(columns: list[Array], rows: int) -> Codes:
    if not columns:
        return np.empty((0, rows), np.uint8)
    kind = np.result_type(*columns)
    return np.stack([column.astype(kind, copy=False) for column in columns])


def shared_codes(first: Table, second: Table) -> tuple[tuple[Codes, ...], tuple[Codes, ...]]:
    """Code every column of two tables alike: equal codes for equal values, a missing value being one of them."""
    pairs = [_aligned(a, b) for a, b in zip(first.columns, second.columns, strict=True)]
    return tuple(a for a, _ in pairs), tuple(b for _, b in pairs)


def _aligned(first: Array, second: Array) -> tuple[Codes, Codes]:
    if first.dtype.kind != "f":
        return cast("Codes", first), cast("Codes", second)
    codes = dense_codes(np.concatenate([first, second]))
    small = codes.astype(np.min_scalar_type(int(codes.max(initial=0))))
    return small[: len(first)], small[len(first) :]
