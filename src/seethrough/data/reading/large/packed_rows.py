"""Encoded rows in less memory: whole numbers that need few bits are kept in few."""

from dataclasses import dataclass

import numpy as np

from seethrough.data.schema import Schema
from seethrough.data.table import Array, Table

WIDTHS = (np.int8, np.int16, np.int32)


@dataclass(frozen=True, eq=False)
class PackedRows:
    """Rows of a table; numbers that are all whole are integers, the smallest of which stands for missing."""

    schema: Schema
    columns: tuple[Array, ...]

    @property
    def bytes_held(self) -> int:
        """Count what is held."""
        return sum(column.nbytes for column in self.columns)

    def __len__(self) -> int:
        """Count the rows."""
        return len(self.columns[0]) if self.columns else 0

    def unpack(self) -> Table:
        """Give the rows as they were."""
        return Table(self.schema, tuple(map(_unpacked, self.columns)))


def pack_rows(rows: Table) -> PackedRows:
    """Keep rows in as few bits as hold them."""
    return PackedRows(rows.schema, tuple(map(_packed, rows.columns)))


def _packed(values: Array) -> Array:
    if values.dtype.kind != "f":
        return values
    numbers = values.astype(np.float64)
    missing = np.isnan(numbers)
    shown = numbers[~missing]
    if not np.isfinite(shown).all() or (shown != np.rint(shown)).any():
        return values
    for width in WIDTHS:
        ends = np.iinfo(width)
        if not len(shown) or (shown.min() > ends.min and shown.max() <= ends.max):
            return np.where(missing, ends.min, np.where(missing, 0, numbers)).astype(width)
    return values


def _unpacked(values: Array) -> Array:
    if values.dtype.kind != "i":
        return values
    numbers = values.astype(np.float64)
    numbers[numbers == -(1 << (8 * values.dtype.itemsize - 1))] = np.nan
    return numbers
