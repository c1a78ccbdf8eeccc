"""A part of a population that is the same part of every table: the people with certain values in certain columns.

Where there are too many people to solve for, a random sample of them will not do: a release speaks of everybody in a
cell, so the people left out would spoil every count. Here people are left out together with the released rows that are
like them. Columns are taken in turn, the one with most different values first, and of its values so many, in random
order, as stay within the limit; where these would be less than half of it, one value more, and the next column goes on.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from seethrough.data.table import Table
from seethrough.kernels.arrays import Ints
from seethrough.kernels.counting.cells import Coding, coding_of


@dataclass(frozen=True, eq=False)
class Condition:
    """Values that one column may have, as codes."""

    column: str
    coding: Coding
    codes: Ints
    of_codes: int

    def holds(self, table: Table) -> npt.NDArray[np.bool_]:
        """Tell which rows meet it."""
        return np.isin(self.coding.codes(table.column(self.column)), self.codes)


@dataclass(frozen=True)
class Subpopulation:
    """People who meet every condition; without any, everybody."""

    conditions: tuple[Condition, ...] = ()

    def rows(self, table: Table) -> Ints:
        """Find the rows of a table that belong to it."""
        found = np.arange(len(table))
        for condition in self.conditions:
            found = found[condition.holds(table.take(found))]
        return found

    def __str__(self) -> str:
        """Say who belongs to it."""
        parts = (f"{len(each.codes)} of {each.of_codes} values of {each.column!r}" for each in self.conditions)
        return " and ".join(parts)


def subpopulation(known: Table, most: int, rng: np.random.Generator) -> Subpopulation:
    """Choose a part of the people of at most about `most`; who is in it does not depend on the order of rows."""
    found: list[Condition] = []
    codings = {column.name: coding_of(known.column(column.name)) for column in known.schema.used}
    for name in sorted(codings, key=lambda name: -codings[name].radix):
        if len(known) <= most:
            break
        counts = np.bincount(codings[name].codes(known.column(name)))
        there = np.flatnonzero(counts)
        chosen = _filled(counts, rng.permutation(there), most)
        if len(chosen) < len(there):
            found.append(Condition(name, codings[name], chosen, len(there)))
            known = known.take(np.flatnonzero(found[-1].holds(known)))
    return Subpopulation(tuple(found))


def _filled(counts: Ints, order: Ints, most: int) -> Ints:
    """Take values in order, leaving out those too frequent to fit; where that is too few people, one of these too."""
    taken: list[int] = []
    total, over = 0, []
    for value in order.tolist():
        if total + counts[value] <= most:
            taken.append(value)
            total += int(counts[value])
        else:
            over.append(value)
    return np.sort([*taken, *(over[:1] if 2 * total < most else [])])
