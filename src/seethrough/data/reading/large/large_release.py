"""Releases that are not held: how large they are, which levels they have, and their rows as a table in chunks."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import polars as pl

from seethrough.data.chunked.chunked_table import ChunkedRows, ChunkedTable, SharedTable, chunked_table
from seethrough.data.files.sources import Source
from seethrough.data.reading.large.file_chunks import CodedChunks, RawChunks, RowCoding
from seethrough.data.reading.large.reading_pass import FoundLevels, LevelsPass
from seethrough.data.schema import Column, Schema
from seethrough.data.table import Table, drawn_places
from seethrough.kernels.arrays import Floats, Ints
from seethrough.kernels.passes import Executor, ThisProcess, Together

LARGE = 1 << 26
"""Cells, rows times columns, above which a release is read in chunks. It does not depend on the memory of a machine, so
that a release is treated alike on all of them."""
SHARED = 1 << 16
"""Rows of a chunk of a table that is in memory and shared with workers."""


def count_rows(source: Source) -> int:
    """Count the rows of a source; of Parquet and Arrow files without reading them."""
    return int(source.collect(source.frame.select(pl.len())).item())


def is_large(source: Source, columns: int) -> bool:
    """Tell whether a release with so many used columns is read in chunks."""
    return count_rows(source) * columns > LARGE


@dataclass(frozen=True, eq=False)
class LargeSource:
    """A source that is read in chunks, the levels it has, and some of its rows as they are written."""

    source: Source
    found: FoundLevels
    drawn: Source
    executor: Executor

    def table(
        self, schema: Schema, names: Mapping[str, Mapping[str, str]], books: Mapping[str, Mapping[str, int]], real: str
    ) -> ChunkedTable:
        """Give the rows as a table in chunks."""
        chunks = CodedChunks(RawChunks(self.source, self.found.rows), RowCoding(schema, names, books, real))
        return chunked_table(schema, ChunkedRows(chunks, self.executor), self.found.rows)


def read_levels(source: Source, columns: Sequence[Column], authority: str, executor: Executor | None) -> LargeSource:
    """Read a release for the first time: its levels, and the rows that are drawn."""
    rows = count_rows(source)
    places = drawn_places(rows)
    who = executor or ThisProcess()
    raw = RawChunks(source, rows)
    found, drawn = who.fold(
        raw,
        Together((LevelsPass(tuple(columns), authority), DrawnSource(np.arange(rows) if places is None else places))),
    )
    frames = [frame for _, frame in sorted(drawn, key=lambda part: part[0])]
    return LargeSource(source, found, replace(source, frame=pl.concat(frames).lazy(), before=0), who)


def share_table(table: Table, executor: Executor | None) -> Table:
    """Let an executor go through a table that is in memory; without one it stays as it is."""
    return table if executor is None else SharedTable(table, executor, SHARED)


FramesByPlace = tuple[tuple[int, pl.DataFrame], ...]


@dataclass(frozen=True, eq=False)
class DrawnSource:
    """Pass: some rows as they are written, by their numbers, ascending."""

    places: Ints

    def partial(self, rows: Source, before: int, hint: Floats | None) -> FramesByPlace:
        """Take those of the chunk."""
        frame = rows.collect(rows.frame)
        first, last = np.searchsorted(self.places, [before, before + len(frame)])
        return ((before, frame[self.places[first:last] - before]),)

    def merge(self, first: FramesByPlace, second: FramesByPlace) -> FramesByPlace:
        """Keep both."""
        return first + second

    def hint(self, state: FramesByPlace) -> Floats | None:
        """Say nothing."""
        return None
