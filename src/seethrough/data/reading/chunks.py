"""Tables too large to hold: read a piece at a time, as often as they are gone through.

What a column is, its levels and its range are learnt from a sample, every so many rows of the table; the levels of the
secret are collected from all rows. Levels that no sample has share one code, the last. So what a piece holds does not
depend on how the table is cut.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np
import polars as pl

from seethrough.data.canonical import by_meaning, canonical, missing_texts, present, text
from seethrough.data.files.sources import Source
from seethrough.data.reading.codebooks import rename_levels
from seethrough.data.reading.columns import ColumnLevels, read_piece
from seethrough.data.schema import BINARY_LEVELS, Kind, Schema
from seethrough.data.table import MISSING, Array, Table

LARGE = 1 << 20
"""Rows that a table may have before it is read in pieces, and about the rows of a sample."""
PIECE = 1 << 20
"""Rows of a piece."""

Book = Mapping[str, int]


def row_count(source: Source) -> int:
    """Count the rows of a table without reading its columns."""
    return int(source.collect(source.frame.select(pl.len())).item())


def sample_rows(source: Source, rows: int) -> Source:
    """Keep every so many rows; a table that is not large is kept as it is."""
    step = -(-rows // LARGE)
    if step <= 1:
        return source
    # An index that is a column is streamed, an expression that counts would hold the table.
    index = "".join(source.dtypes) + " row"
    kept = (
        source.frame.with_row_index(index)
        .filter(pl.nth(0) % step == 0)
        .select(pl.nth(range(1, len(source.dtypes) + 1)))
    )
    note = f"{source.name} has {rows:,} rows: it is read in pieces; what columns are is learnt from one row in {step}"
    return replace(source, frame=source.collect(kept).lazy(), notes=(*source.notes, note))


def with_all_levels(schema: Schema, name: str, source: Source) -> Schema:
    """Add to a column of categories the levels that only the whole table has."""
    column = schema[name]
    if not column.kind.has_levels:
        return schema
    written = present(text(source, name), missing_texts(column))
    found = source.collect(source.frame.select(written.alias("text")).unique())
    texts = found.select(canonical(pl.col("text"))).drop_nulls().unique().to_series().to_list()
    levels = tuple(by_meaning({*column.levels, *texts} - set(column.missing)))
    kind = Kind.BINARY if len(levels) <= BINARY_LEVELS else Kind.CATEGORICAL
    whole = replace(column, levels=levels, kind=kind)
    return Schema(tuple(whole if each.name == name else each for each in schema.columns))


@dataclass(frozen=True, eq=False)
class Pieces:
    """The rows of tables of one release under a schema, with the codes that the books give.

    `names` says, for each source, how levels of a column are renamed.
    """

    schema: Schema
    sources: tuple[Source, ...]
    names: tuple[Mapping[str, Mapping[str, str]], ...]
    books: Mapping[str, Book]

    def project(self, names: Iterable[str]) -> "Pieces":
        """Keep the named columns, in the order given."""
        return replace(self, schema=self.schema.project(names))

    def __iter__(self) -> Iterator[Table]:
        """Read all tables, one piece after the other."""
        for source, names in zip(self.sources, self.names, strict=True):
            for piece in source.pieces(PIECE):
                values = read_piece(piece, self.schema.used, "the sample that tells what columns are")
                columns = (
                    _encoded(rename_levels(each, names.get(column.name, {})), self.books[column.name])
                    if isinstance(each := values[column.name], ColumnLevels)
                    else each
                    for column in self.schema.used
                )
                yield Table(self.schema, tuple(columns))


def _encoded(values: ColumnLevels, book: Book) -> Array:
    other = len(book) + 1
    codes = [MISSING if level is None else book.get(level, other) for level in values.levels]
    return np.array(codes, dtype=np.min_scalar_type(other))[values.codes]
