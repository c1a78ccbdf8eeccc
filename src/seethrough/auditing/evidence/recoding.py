"""Columns that the release writes in another way altogether: they cannot be tested, which is not the same as private.

A category column is recoded if fewer than 5 % of the released rows that show it have a value that people have, members
or not; a number column, if fewer than 5 % lie in the range of people's values. Attacks then go without the column. A
leak that they find all the same stands; where they find none, nothing can be told, for what they would have compared
was not there. A column in which all people are alike tells nobody apart: attacks go without it, and nothing is missed.
"""

import numpy as np

from seethrough.data.table import MISSING, Array, Table
from seethrough.kernels.arrays import Bools

SHARED = 0.05
"""Share of released rows with a value that people have, below which a column counts as recoded."""


def recoded_columns(people: Table, release: Table) -> dict[str, str]:
    """Name the columns that cannot be compared, each with the reason."""
    found = {}
    for column in people.schema.used:
        mine, others = people.column(column.name), release.column(column.name)
        shown = _shown(others)
        if not shown.any() or not _shown(mine).any():
            continue
        shared = float(_is_shared(mine[_shown(mine)], others[shown]).mean())
        if shared < SHARED:
            share = "have a value that people have" if column.kind.has_levels else "lie in the range of people's values"
            found[column.name] = f"column {column.name!r} cannot be compared: {shared:.0%} of released rows {share}"
    return found


def untestable_columns(people: Table, recoded: dict[str, str]) -> tuple[str, ...]:
    """Give the reasons of those recoded columns in which people differ."""
    return tuple(reason for name, reason in recoded.items() if len(np.unique(people.column(name))) > 1)


def _shown(values: Array) -> Bools:
    return values != MISSING if values.dtype.kind != "f" else np.isfinite(values.astype(np.float64))


def _is_shared(mine: Array, others: Array) -> Bools:
    if mine.dtype.kind != "f":
        return np.isin(others, np.unique(mine))
    numbers = others.astype(np.float64)
    inside: Bools = (numbers >= mine.astype(np.float64).min()) & (numbers <= mine.astype(np.float64).max())
    return inside
