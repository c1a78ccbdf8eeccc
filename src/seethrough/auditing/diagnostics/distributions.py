"""How each column is distributed in the real table, in the release, and among people outside: histograms alone."""

import numpy as np

from seethrough.data.schema import Column
from seethrough.data.table import Array, Table
from seethrough.kernels.arrays import Floats
from seethrough.kernels.counting.bins import BINS, bin_numbers
from seethrough.results.diagnostics import ColumnDistribution

MOST_LEVELS = 12
"""Cells of a category; the last one holds the rest where there are more levels."""


def column_distributions(real: Table, released: Table, outside: Table | None) -> tuple[ColumnDistribution, ...]:
    """Count every used column over cells that the real table sets; `outside` are people kept out."""
    others = outside.columns if outside else [None] * len(real.columns)
    columns = zip(real.schema.used, real.columns, released.columns, others, strict=True)
    return tuple(_counted(*column) for column in columns)


def _counted(column: Column, real: Array, released: Array, outside: Array | None) -> ColumnDistribution:
    tables = [real, released] if outside is None else [real, released, outside]
    shares, merged = _by_level(tables) if column.kind.has_levels else (_by_bin(tables), 0)
    found = [tuple(float(share) for share in each) for each in shares]
    last = found[2] if outside is not None else None
    return ColumnDistribution(column.name, not column.kind.has_levels, found[0], found[1], last, merged)


def _by_bin(tables: list[Array]) -> list[Floats]:
    """Count ten bins of equal width over the real range, and missing values where there are some."""
    codes = [bin_numbers("equal width", tables[0], each)[1] for each in tables]
    counts = [np.bincount(each, minlength=BINS + 1) for each in codes]
    cells = BINS + 1 if any(each[BINS] for each in counts) else BINS
    return [each[:cells] / max(len(table), 1) for each, table in zip(counts, tables, strict=True)]


def _by_level(tables: list[Array]) -> tuple[list[Floats], int]:
    """Count levels, those most frequent in the real table first, and say how many rare ones share the last cell."""
    size = max(int(each.max(initial=0)) for each in tables) + 1
    counts = [np.bincount(each, minlength=size) for each in tables]
    order = np.argsort(-counts[0], kind="stable")
    order = order[np.sum(counts, axis=0)[order] > 0]
    found = []
    for each, table in zip(counts, tables, strict=True):
        sorted_counts = each[order]
        if len(order) > MOST_LEVELS:
            rest = sorted_counts[MOST_LEVELS - 1 :].sum()
            sorted_counts = np.append(sorted_counts[: MOST_LEVELS - 1], rest)
        found.append(sorted_counts / max(len(table), 1))
    return found, len(order) - MOST_LEVELS + 1 if len(order) > MOST_LEVELS else 0
