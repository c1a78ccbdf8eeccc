"""Tables: columns of codes or numbers under one schema."""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from seethrough.data.schema import Schema
from seethrough.errors import SchemaMismatch
from seethrough.kernels.passes import Pass
from seethrough.seeds import stream

S = TypeVar("S")

Array = npt.NDArray[np.generic]
MOST_WHOLE = 200_000
"""Rows up to which a table describes itself, and is learnt from, as a whole."""
DRAWN_ROWS = 100_000
"""Rows that are drawn from a larger one."""
MISSING = 0
"""The code of a missing category; levels of the schema follow from 1 on, levels unseen in it after those."""


@dataclass(frozen=True, eq=False)
class Table:
    """Rows under the used columns of a schema.

    A column of categories is an array of unsigned codes, in the smallest type that holds them;
    0 is missing, 1 to L are the schema's levels, larger codes are levels unseen in it, the same
    code for the same level in all tables of one release. A number or a date is float64 with NaN
    for missing and no negative zero.
    """

    schema: Schema
    columns: tuple[Array, ...]

    def __post_init__(self) -> None:
        """Refuse a table whose parts disagree."""
        if len(self.columns) != len(self.schema.used):
            raise SchemaMismatch(f"{len(self.columns)} columns under a schema of {len(self.schema.used)}")
        if len({len(column) for column in self.columns}) > 1:
            raise SchemaMismatch("columns of different lengths")

    def __len__(self) -> int:
        """Count the rows."""
        return len(self.columns[0]) if self.columns else 0

    def column(self, name: str) -> Array:
        """Look up one column."""
        return self.columns[self._position[name]]

    @cached_property
    def _position(self) -> dict[str, int]:
        return {column.name: position for position, column in enumerate(self.schema.used)}

    def project(self, names: Iterable[str]) -> "Table":
        """Keep the named columns, in the order given."""
        names = tuple(names)
        return Table(self.schema.project(names), tuple(self.column(name) for name in names))

    def under(self, schema: Schema) -> "Table":
        """Give the same rows under another schema, whose columns mean the same."""
        return Table(schema, self.columns)

    def fold(self, each: "Pass[Table, S]") -> S:
        """Run a pass over all rows; a table in memory is one chunk."""
        return each.partial(self, 0, None)

    def head(self, rows: int) -> "Table":
        """Give the first rows."""
        return self.take(slice(0, rows))

    @cached_property
    def drawn(self) -> "Table":
        """The rows that describe the table or are learnt from: all of a small one, some of a large one."""
        places = drawn_places(len(self))
        return self if places is None else self.take(places)

    def take(self, rows: npt.NDArray[np.integer] | slice) -> "Table":
        """Pick rows, by index."""
        return Table(self.schema, tuple(column[rows] for column in self.columns))

    def round_numbers(self, decimals: int) -> "Table":
        """Round the numbers."""
        rounded = [np.round(c.astype(float), decimals) + 0.0 if c.dtype.kind == "f" else c for c in self.columns]
        return Table(self.schema, tuple(rounded))

    @cached_property
    def digest(self) -> str:
        """Identify the content."""
        parts = hashlib.sha256()
        for column, values in zip(self.schema.used, self.columns, strict=True):
            wide = values.astype("<f8" if values.dtype.kind == "f" else "<u4")
            parts.update(repr((column.name, column.kind.value, column.levels)).encode())
            parts.update(wide.tobytes())
        return parts.hexdigest()[:16]


def drawn_places(rows: int) -> npt.NDArray[np.int64] | None:
    """Draw row numbers, ascending, from so many rows; None where all serve.

    They depend on the number of rows alone, so that however a table is cut or read the same ones are drawn.
    """
    if rows <= MOST_WHOLE:
        return None
    return np.sort(stream(0, "drawn rows").choice(rows, DRAWN_ROWS, replace=False, shuffle=False))
