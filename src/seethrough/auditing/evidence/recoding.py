"""Columns that the release writes in another way altogether: they cannot be tested, which is not the same as private.

A category column is recoded if fewer than 5 % of the released rows that show it have a value that people have, members
or not; a number column, if fewer than 5 % lie in the range of people's values. Attacks then go without the column. A
leak that they find all the same stands; where they find none, nothing can be told, for what they would have compared
was not there. A column in which all people are alike tells nobody apart: attacks go without it, and nothing is missed.
"""

from dataclasses import dataclass

import numpy as np

from seethrough.data.table import MISSING, Array, Table
from seethrough.kernels.arrays import Bools, Floats, Ints

SHARED = 0.05
"""Share of released rows with a value that people have, below which a column counts as recoded."""


def recoded_columns(people: Table, release: Table) -> dict[str, str]:
    """Name the columns that cannot be compared, each with the reason."""
    found = {}
    shown, met = release.fold(SharedValuesPass(tuple(_values_of(values) for values in people.columns)))
    for column, mine, rows, alike in zip(people.schema.used, people.columns, shown, met, strict=True):
        if not rows or not _shown(mine).any():
            continue
        shared = float(alike / rows)
        if shared < SHARED:
            share = "have a value that people have" if column.kind.has_levels else "lie in the range of people's values"
            found[column.name] = f"column {column.name!r} cannot be compared: {shared:.0%} of released rows {share}"
    return found


@dataclass(frozen=True, eq=False)
class SharedValuesPass:
    """Pass: for each column how many rows show it, and how many of them have a value that people have.

    `values` are the codes that people have in each column, or the ends of their numbers.
    """

    values: tuple[Array, ...]

    def partial(self, rows: Table, before: int, hint: Floats | None) -> Ints:
        """Count the rows of a chunk."""
        found = []
        for mine, others in zip(self.values, rows.columns, strict=True):
            shown = others[_shown(others)]
            found.append((len(shown), int(np.count_nonzero(_is_shared(mine, shown))) if len(mine) else 0))
        return np.array(found, np.int64).T

    def merge(self, first: Ints, second: Ints) -> Ints:
        """Add up."""
        return first + second

    def hint(self, state: Ints) -> Floats | None:
        """Say nothing."""
        return None


def _values_of(mine: Array) -> Array:
    """Give the different codes of people, or the ends of their numbers."""
    shown = mine[_shown(mine)]
    if mine.dtype.kind != "f" or not len(shown):
        return np.unique(shown)
    numbers = shown.astype(np.float64)
    return np.array([numbers.min(), numbers.max()])


def untestable_columns(people: Table, recoded: dict[str, str]) -> tuple[str, ...]:
    """Give the reasons of those recoded columns in which people differ."""
    return tuple(reason for name, reason in recoded.items() if len(np.unique(people.column(name))) > 1)


def _shown(values: Array) -> Bools:
    return values != MISSING if values.dtype.kind != "f" else np.isfinite(values.astype(np.float64))


def _is_shared(mine: Array, others: Array) -> Bools:
    if mine.dtype.kind != "f":
        return np.isin(others, mine)
    numbers, (low, high) = others.astype(np.float64), mine.astype(np.float64)
    inside: Bools = (numbers >= low) & (numbers <= high)
    return inside
