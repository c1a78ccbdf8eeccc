"""Several released tables under each other, of which some are read in chunks."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from seethrough.data.chunked.chunked_table import (
    ChunkedRows,
    ChunkedTable,
    HeldChunks,
    RowStep,
    chunked_table,
    take_steps,
)
from seethrough.data.rows import stack_tables
from seethrough.data.table import Table
from seethrough.kernels.passes import Chunk, Chunks

HELD = 1 << 20
"""Rows of a chunk of a table that is in memory."""


@dataclass(frozen=True, eq=False)
class ChunkOfMany:
    """A chunk of one of several tables; `earlier` counts the rows of the tables before it."""

    chunk: Chunk[Table]
    steps: tuple[RowStep, ...]
    earlier: int

    @property
    def before(self) -> int:
        """Count the rows before these in all tables."""
        return self.earlier + self.chunk.before

    def read(self) -> Table:
        """Read them, and take the steps of their table."""
        return take_steps(self.chunk.read(), self.steps)


@dataclass(frozen=True, eq=False)
class StackedChunks:
    """The chunks of several tables, one table after the other."""

    tables: tuple[Table, ...]

    def list_chunks(self) -> Sequence[ChunkOfMany]:
        """Name the chunks of all."""
        found: list[ChunkOfMany] = []
        for (chunks, steps), earlier in zip(map(_cut, self.tables), self._starts(), strict=True):
            found += [ChunkOfMany(chunk, steps, earlier) for chunk in chunks.list_chunks()]
        return found

    def read_all(self) -> Iterator[tuple[Table, int]]:
        """Read one table after the other."""
        for (chunks, steps), earlier in zip(map(_cut, self.tables), self._starts(), strict=True):
            for rows, before in chunks.read_all():
                yield take_steps(rows, steps), earlier + before

    def _starts(self) -> list[int]:
        return [sum(map(len, self.tables[:place])) for place in range(len(self.tables))]


def _cut(table: Table) -> tuple[Chunks[Table], tuple[RowStep, ...]]:
    if isinstance(table, ChunkedTable):
        return table.rows.chunks, table.rows.steps
    return HeldChunks(Table(table.schema, table.columns), HELD), ()


def stack_released(tables: Sequence[Table]) -> Table:
    """Put released tables under each other; where one is read in chunks, all are."""
    large = next((table for table in tables if isinstance(table, ChunkedTable)), None)
    if large is None:
        return stack_tables(list(tables))
    if len(tables) == 1:
        return large
    rows = ChunkedRows(StackedChunks(tuple(tables)), large.rows.executor)
    return chunked_table(large.schema, rows, sum(map(len, tables)))
