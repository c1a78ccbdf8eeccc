"""Tables as points of a distance space, and as codes that are equal where values are.

Spaces:

gower
    A number is scaled by the range that the schema took from the real table, so a synthetic value may lie outside
    [0, 1]; a category that differs adds 1 to the squared distance. Euclidean.
gower-l1
    The same scales; the distance is the mean over columns of absolute differences and mismatches.
numeric
    As gower, with the numbers alone.
standardised
    Numbers and an indicator for each level, all divided by their standard deviation in the real table; rare levels
    weigh more.

In all of them a missing number stands at the real median and adds a category "is missing".

A space of its own, `standard_points`, is that of attacks which must not know who was in the data: numbers in standard
deviations of a reference table, a category that differs adds 1, absolute differences are added.
"""

from dataclasses import dataclass
from typing import Literal, cast

import numpy as np

from seethrough.data.schema import Column
from seethrough.data.table import Array, Table
from seethrough.errors import NotApplicable
from seethrough.kernels.arrays import Codes, Floats, Ints
from seethrough.kernels.counting.bins import bin_numbers
from seethrough.kernels.counting.grouping import dense_codes
from seethrough.kernels.points import Norm, Points

Space = Literal["gower", "gower-l1", "numeric", "standardised"]
NumericKeys = Literal["exact", "bin"]
"""How numbers among the keys match: where they are equal, or in the same tenth of the first table."""
FARTHEST = 1e100
"""A value this many units away is as far as can be: squares of distances have to be numbers."""


def points(table: Table, space: Space = "gower") -> Points:
    """Place the rows of a table in the distance space of its schema."""
    numbers: list[Floats] = []
    codes: list[Array] = []
    for column, values in zip(table.schema.used, table.columns, strict=True):
        if not column.kind.has_levels:
            missing = np.isnan(values.astype(np.float64, copy=False))
            shifted = np.where(missing, column.fill or 0.0, values) - (column.low or 0.0)
            numbers.append(_scaled(shifted, span(column)))
            codes.append(missing.astype(np.uint8))
        elif space != "numeric":
            codes.append(values)
    if not numbers and space == "numeric":
        raise NotApplicable("the table has no numbers")
    weight = 1 / len(table.columns) if space == "gower-l1" else 1.0
    stacked = _stack_numbers(numbers, len(table)) * weight
    norm = Norm.MANHATTAN if space == "gower-l1" else Norm.EUCLIDEAN
    return Points(stacked, _stack_codes(codes, len(table)), np.full(len(codes), weight), norm)


def places_in_points(table: Table) -> dict[str, tuple[Ints, Ints]]:
    """Say which codes, and which numbers, each column is among `points`."""
    is_number = np.array([not column.kind.has_levels for column in table.schema.used], bool)
    place = np.cumsum(is_number) - 1
    return {
        column.name: (np.array([code]), place[code : code + 1][is_number[code : code + 1]])
        for code, column in enumerate(table.schema.used)
    }


def standardise(reference: Table, first: Table, second: Table) -> tuple[Points, Points]:
    """Place two tables in the standardised space of a third, which may be one of them."""
    scale, mine, others = (points(table) for table in (reference, first, second))
    columns: list[list[Floats]] = [[], []]
    for codes, *pair in zip(scale.codes, mine.codes, others.codes, strict=True):
        for level in np.unique(np.concatenate([codes, *pair])):
            spread = float((codes == level).std()) or 1.0
            for side, values in zip(columns, pair, strict=True):
                side.append((values == level) / spread)
    spreads = scale.numbers.std(axis=0)
    spreads = np.where(spreads > 0, spreads, 1.0)
    return tuple(  # type: ignore[return-value]
        Points(np.column_stack([side.numbers / spreads, *extra]), np.empty((0, len(side)), np.uint8), np.empty(0))
        for side, extra in zip((mine, others), columns, strict=True)
    )


def span(column: Column) -> float:
    """Length of the range of a number; 1 where the real table has one value, so that others still count."""
    if column.low is None or column.high is None or column.high == column.low:
        return 1.0
    return column.high - column.low


def _scaled(values: Floats, unit: float) -> Floats:
    """Divide by a unit; one that is tiny beside a value must not make infinity of it."""
    with np.errstate(over="ignore"):
        return np.asarray(np.clip(values / unit, -FARTHEST, FARTHEST))


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


def key_codes(first: Table, second: Table, numeric: NumericKeys) -> tuple[tuple[Codes, ...], tuple[Codes, ...]]:
    """Code the columns of two tables as they are matched; a missing number keeps a code of its own."""
    mine, others = shared_codes(first, second)
    if numeric == "exact":
        return mine, others
    pairs = [
        (x, y) if column.kind.has_levels else bin_numbers("interpolated deciles", a, b)
        for column, a, b, x, y in zip(first.schema.used, first.columns, second.columns, mine, others, strict=True)
    ]
    return tuple(a for a, _ in pairs), tuple(b for _, b in pairs)


def _aligned(first: Array, second: Array) -> tuple[Codes, Codes]:
    if first.dtype.kind != "f":
        return cast("Codes", first), cast("Codes", second)
    codes = dense_codes(np.concatenate([first, second]))
    small = codes.astype(np.min_scalar_type(int(codes.max(initial=0))))
    return small[: len(first)], small[len(first) :]


@dataclass(frozen=True, eq=False)
class StandardScale:
    """For each number its standard deviation and median in a table of other people."""

    spreads: Floats
    medians: Floats


def standard_scale(reference: Table, fallback: Table) -> StandardScale:
    """Measure the numbers of a reference; one with a single value there is measured in the fallback."""
    spreads, medians = [], []
    for name in (column.name for column in reference.schema.used if not column.kind.has_levels):
        mine, others = (_present(table.column(name)) for table in (reference, fallback))
        spreads.append(_spread(mine) or _spread(others) or 1.0)
        medians.append(float(np.median(mine if len(mine) else others)) if len(mine) or len(others) else 0.0)
    return StandardScale(np.array(spreads), np.array(medians))


def standard_points(table: Table, scale: StandardScale) -> Points:
    """Place rows: numbers in standard deviations, a missing one at the median and with a category of its own."""
    numbers: list[Floats] = []
    codes: list[Array] = []
    for column, values in zip(table.schema.used, table.columns, strict=True):
        if column.kind.has_levels:
            codes.append(values)
            continue
        missing = np.isnan(values.astype(np.float64, copy=False))
        place = len(numbers)
        numbers.append(_scaled(np.where(missing, scale.medians[place], values), float(scale.spreads[place])))
        codes.append(missing.astype(np.uint8))
    return Points(
        _stack_numbers(numbers, len(table)), _stack_codes(codes, len(table)), np.ones(len(codes)), Norm.MANHATTAN
    )


def _present(values: Array) -> Floats:
    numbers = values.astype(np.float64)
    return numbers[np.isfinite(numbers)]


def _spread(values: Floats) -> float:
    return float(values.std()) if len(values) else 0.0
