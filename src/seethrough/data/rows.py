"""Rows of tables: put together, told apart, put in an order that says nothing."""

from collections.abc import Sequence

import numpy as np

from seethrough.data.table import Table
from seethrough.kernels.arrays import Ints
from seethrough.kernels.counting.grouping import combine, dense_codes


def stack_tables(tables: Sequence[Table]) -> Table:
    """Put the rows of tables of one release under each other."""
    if len(tables) == 1:
        return tables[0]
    columns = zip(*(table.columns for table in tables), strict=True)
    return Table(tables[0].schema, tuple(np.concatenate(parts) for parts in columns))


def row_numbers(table: Table) -> Ints:
    """Give equal rows equal numbers; they follow from what stands in the rows and not from their order."""
    codes = [dense_codes(values) if values.dtype.kind == "f" else values for values in table.columns]
    return combine(codes) if codes else np.zeros(len(table), np.int64)  # type: ignore[arg-type]


def fold_equal_rows(table: Table) -> tuple[Ints, Ints]:
    """Find the distinct rows: where each stands first, and how often it comes."""
    _, first, counts = np.unique(row_numbers(table), return_index=True, return_counts=True)
    return first, counts


def by_content(table: Table) -> Ints:
    """Find an order of the rows that depends on what stands in them alone."""
    return np.argsort(row_numbers(table), kind="stable")


def aligned_rows(table: Table, rows: int, rng: np.random.Generator) -> Ints:
    """Pick as many rows as asked for: some at random of more, all and random ones again of fewer.

    Which ones is decided by content and not by their order in the table.
    """
    here = len(table)
    if here == rows:
        return np.arange(rows)
    order = by_content(table)
    if here > rows:
        return np.sort(order[rng.choice(here, rows, replace=False)])
    return np.concatenate([np.arange(here), order[rng.integers(0, here, rows - here)]])
