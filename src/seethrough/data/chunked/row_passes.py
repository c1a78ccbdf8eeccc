"""Passes over rows as they are: some of them by number, and a digest of all."""

from dataclasses import dataclass

import numpy as np

from seethrough.data.rows import stack_tables
from seethrough.data.schema import Schema
from seethrough.data.table import Table
from seethrough.kernels.arrays import Floats, Ints
from seethrough.kernels.counting.fingerprints import mix_bits, row_prints


@dataclass(frozen=True, eq=False)
class RowsByPlace:
    """Tables of rows, each with the number of its first row; they do not overlap."""

    parts: tuple[tuple[int, Table], ...]

    def table(self, schema: Schema) -> Table:
        """Put the rows in their order."""
        parts = [table for _, table in sorted(self.parts, key=lambda part: part[0])]
        return stack_tables(parts).under(schema)


@dataclass(frozen=True, eq=False)
class PickedRows:
    """Pass: some rows, by their numbers, ascending."""

    places: Ints

    def partial(self, rows: Table, before: int, hint: Floats | None) -> RowsByPlace:
        """Take those of the chunk."""
        first, last = np.searchsorted(self.places, [before, before + len(rows)])
        return RowsByPlace(((before, rows.take(self.places[first:last] - before)),))

    def merge(self, first: RowsByPlace, second: RowsByPlace) -> RowsByPlace:
        """Keep both."""
        return RowsByPlace(first.parts + second.parts)

    def hint(self, state: RowsByPlace) -> Floats | None:
        """Say nothing."""
        return None


@dataclass(frozen=True)
class RowSum:
    """Pass: the sum, modulo 2^64, of a number for each row that depends on its content and on its place."""

    def partial(self, rows: Table, before: int, hint: Floats | None) -> int:
        """Mix the fingerprint of every row with its place."""
        if not len(rows):
            return 0
        places = np.arange(before, before + len(rows), dtype=np.uint64)
        with np.errstate(over="ignore"):
            return int(mix_bits(row_prints(rows.columns) ^ mix_bits(places + np.uint64(1))).sum(dtype=np.uint64))

    def merge(self, first: int, second: int) -> int:
        """Add up."""
        return (first + second) % (1 << 64)

    def hint(self, state: int) -> Floats | None:
        """Say nothing."""
        return None
