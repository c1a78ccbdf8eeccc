"""A first pass over rows as they are written: which levels columns have, and that all values are readable."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from seethrough.data.files.sources import Source
from seethrough.data.reading.columns import ColumnLevels, read_piece
from seethrough.data.schema import Column
from seethrough.errors import DataError
from seethrough.kernels.arrays import Floats

MOST_LEVELS = 1 << 20
"""Different values of a column of categories that are kept apart; there are no codes for more."""


@dataclass(frozen=True, eq=False)
class FoundLevels:
    """The levels of each column of categories, and how many rows were read."""

    levels: Mapping[str, frozenset[str]]
    rows: int

    def values(self, columns: Sequence[Column]) -> dict[str, ColumnLevels | Floats]:
        """Give columns without rows, which have the levels that were found."""
        return {
            column.name: ColumnLevels(np.empty(0, np.uint32), (None, *sorted(self.levels[column.name])))
            if column.kind.has_levels
            else np.empty(0)
            for column in columns
        }


@dataclass(frozen=True, eq=False)
class LevelsPass:
    """Pass: the levels of columns; a value that is no number in a column of numbers is refused."""

    columns: tuple[Column, ...]
    authority: str

    def partial(self, rows: Source, before: int, hint: Floats | None) -> FoundLevels:
        """Read the columns of a chunk."""
        found = read_piece(rows, self.columns, self.authority)
        size = max((len(each.codes if isinstance(each, ColumnLevels) else each) for each in found.values()), default=0)
        levels = {name: frozenset(each.present) for name, each in found.items() if isinstance(each, ColumnLevels)}
        return FoundLevels(levels, size)

    def merge(self, first: FoundLevels, second: FoundLevels) -> FoundLevels:
        """Unite levels."""
        levels = {name: first.levels[name] | second.levels[name] for name in first.levels}
        for name, each in levels.items():
            if len(each) > MOST_LEVELS:
                raise DataError(
                    f"column {name!r} of the release has more than {MOST_LEVELS:,} different values, too many for "
                    "categories in a table that is read in chunks; declare in a schema what it is, or leave it out"
                )
        return FoundLevels(levels, first.rows + second.rows)

    def hint(self, state: FoundLevels) -> Floats | None:
        """Say nothing."""
        return None
