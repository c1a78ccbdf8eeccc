"""Chunks of files: rows as they are written, and the same rows as a table, under codes found before."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from threading import Lock

import polars as pl

from seethrough.data.files.row_groups import row_group_sizes
from seethrough.data.files.sources import CsvOptions, Source, open_source
from seethrough.data.reading.codebooks import encode_levels, rename_levels
from seethrough.data.reading.columns import ColumnLevels, read_piece
from seethrough.data.reading.large.packed_rows import PackedRows, pack_rows
from seethrough.data.schema import Schema
from seethrough.data.table import Table
from seethrough.errors import DataError

CHUNK = 1 << 20
"""Rows of a chunk of a Parquet or Arrow file at most: a row group as Arrow writes it, four as Polars does."""
KEPT = 2 << 30
"""Bytes of encoded rows that are kept in memory where a table is read more than once."""
MOST_IN_ONE = 1 << 22
"""Rows of a text file that is one chunk; where a row begins in it cannot be told without reading all before."""


@dataclass(frozen=True)
class FileRows:
    """Some rows of a file, not yet read; `start` counts the rows before them in the file, `before` in the table."""

    path: Path
    options: CsvOptions
    name: str
    start: int
    rows: int
    before: int

    def read(self) -> Source:
        """Read them as they are written."""
        try:
            whole = open_source(self.path, self.name, self.options, in_chunks=True)
        except DataError as error:
            raise DataError(f"a worker cannot read {self.path.name}: {error}") from error
        rows = whole.frame.slice(self.start, self.rows)
        frame = whole.collect(rows).lazy()
        return replace(whole, name=self.name, frame=frame, before=self.before)


@dataclass(frozen=True, eq=False)
class RawChunks:
    """All rows of a source, as they are written; `rows` counts them."""

    source: Source
    rows: int

    def list_chunks(self) -> Sequence[FileRows]:
        """Cut files into chunks; a text file is one."""
        found: list[FileRows] = []
        before = 0
        for path in self.source.files:
            part = open_source(path, path.name, self.source.options, in_chunks=True)
            rows = int(part.collect(part.frame.select(pl.len())).item())
            if not part.may_panic and rows > MOST_IN_ONE:
                raise DataError(
                    f"{path.name} has {rows:,} rows in one text file, which the workers of a cluster cannot share; "
                    f"write Parquet, or a folder of files of at most {MOST_IN_ONE:,} rows"
                )
            start = 0
            for size in cut_file(path, rows) if part.may_panic else [rows]:
                found.append(FileRows(path.absolute(), self.source.options, self.source.name, start, size, before))
                start, before = start + size, before + size
        return found

    def read_all(self, start: int = 0) -> Iterator[tuple[Source, int]]:
        """Read the rows here, in order, from one on."""
        source = replace(self.source, frame=self.source.frame.slice(start)) if start else self.source
        for piece in source.pieces(CHUNK):
            yield replace(piece, before=start + piece.before), start + piece.before


def cut_file(path: Path, rows: int) -> list[int]:
    """Say how many rows the chunks of a Parquet or Arrow file have: row groups, so that none is read by two workers.

    Small row groups are put together as long as they do not exceed a chunk; large ones, and a file without, are cut.
    """
    groups = row_group_sizes(path)
    found: list[int] = []
    for group in groups if sum(groups) == rows else [rows]:
        if found and found[-1] + group <= CHUNK:
            found[-1] += group
        else:
            found += [min(CHUNK, group - start) for start in range(0, group, CHUNK)]
    return found


@dataclass(frozen=True, eq=False)
class RowCoding:
    """How rows as they are written become a table: the schema, how levels are renamed, and the codes of levels."""

    schema: Schema
    names: Mapping[str, Mapping[str, str]]
    books: Mapping[str, Mapping[str, int]]
    authority: str

    def encode(self, rows: Source) -> Table:
        """Encode rows; every level is in the books."""
        values = read_piece(rows, self.schema.used, self.authority)
        columns = (
            encode_levels(rename_levels(each, self.names.get(column.name, {})), self.books[column.name])
            if isinstance(each := values[column.name], ColumnLevels)
            else each
            for column in self.schema.used
        )
        return Table(self.schema, tuple(columns))


@dataclass(frozen=True, eq=False)
class CodedRows:
    """Some rows of a file as a table."""

    raw: FileRows
    coding: RowCoding

    @property
    def before(self) -> int:
        """Count the rows of the table before these."""
        return self.raw.before

    def read(self) -> Table:
        """Read and encode them."""
        return self.coding.encode(self.raw.read())


@dataclass(frozen=True, eq=False)
class CodedChunks:
    """All rows of a source, as tables."""

    raw: RawChunks
    coding: RowCoding
    kept: list[tuple[PackedRows, int]] = field(default_factory=list)
    lock: Lock = field(default_factory=Lock)

    def list_chunks(self) -> Sequence[CodedRows]:
        """Cut files into chunks."""
        return [CodedRows(each, self.coding) for each in self.raw.list_chunks()]

    def read_all(self) -> Iterator[tuple[Table, int]]:
        """Read and encode the rows here, in order; the first of them are kept, so that they are encoded once."""
        done = 0
        for packed, before in list(self.kept):
            rows = packed.unpack()
            done = before + len(rows)
            yield rows, before
        if done == self.raw.rows:
            return
        for raw, before in self.raw.read_all(done):
            rows = self.coding.encode(raw)
            self._keep(rows, before)
            yield rows, before

    def _keep(self, rows: Table, before: int) -> None:
        """Keep rows that follow those kept so far, as long as there is room; passes may go on side by side."""
        with self.lock:
            if before != sum(len(each) for each, _ in self.kept):
                return
            packed = pack_rows(rows)
            if packed.bytes_held + sum(each.bytes_held for each, _ in self.kept) <= KEPT:
                self.kept.append((packed, before))
