"""Reading a release: files or data frames in, tables under one schema out."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from seethrough.data.canonical import missing_texts
from seethrough.data.files.sources import CsvOptions, Source, open_source
from seethrough.data.reading.codebooks import (
    as_arrays,
    codebooks,
    complete_column,
    is_constant,
    rename_levels,
    renaming,
)
from seethrough.data.reading.columns import ColumnLevels, read_columns
from seethrough.data.reading.entities import with_entity
from seethrough.data.reading.identifier_search import collect_identifiers, find_identifiers, unexplained_columns
from seethrough.data.reading.inference import infer_column
from seethrough.data.reading.large.large_release import (
    LargeSource,
    count_rows,
    is_large,
    read_levels,
    share_table,
)
from seethrough.data.reading.people_design import read_design
from seethrough.data.reading.profile import profile_column
from seethrough.data.reading.row_text_search import find_row_texts
from seethrough.data.release import NamedTable, Release
from seethrough.data.schema import BINARY_LEVELS, Column, Kind, Schema, list_names
from seethrough.data.schema_files import read_schema
from seethrough.data.shared_identifiers import CarriedOver
from seethrough.data.split.card_at_hand import CardAtHand
from seethrough.data.table import DRAWN_ROWS, MOST_WHOLE, Table
from seethrough.errors import DataError, SchemaMismatch, suggest_names
from seethrough.kernels.arrays import Floats
from seethrough.kernels.passes import Executor

_LEAST_ROWS = 2
UNEXPLAINED = (
    "{table}: column {name!r} is missing in {real} and has a different value in nearly every row; whoever can link "
    "it to people elsewhere can tell which row is whom"
)


@dataclass(frozen=True, eq=False)
class ReadColumns:
    """The columns of one table, before they are encoded, and how levels were renamed in them.

    `large` is a table that is read in chunks; its columns then have levels and no rows.
    """

    source: Source
    values: dict[str, ColumnLevels | Floats]
    notes: tuple[str, ...]
    names: Mapping[str, Mapping[str, str]]
    carried: CarriedOver = CarriedOver()  # noqa: RUF009  a frozen value
    large: LargeSource | None = None

    @property
    def looked_through(self) -> Source:
        """The rows in which traces of people are looked for."""
        return self.source if self.large is None else self.large.drawn

    def name_table(self, table: Table) -> NamedTable:
        """Give the encoded table its name and the remarks about it."""
        return NamedTable(self.source.name, table, self.source.notes + self.notes, self.carried)


def infer_schema(
    real: object,
    *,
    schema: Schema | str | Path | None = None,
    secrets: Sequence[str] = (),
    keys: Sequence[str] = (),
    separator: str | None = None,
    encoding: str | None = None,
) -> Schema:
    """Infer what each column of the real table is; what `schema` declares wins."""
    source = _opened(real, "real", CsvOptions(separator, encoding))
    complete, read = read_real(source, _declared(schema), secrets, keys)
    return Schema(tuple(_with_gaps(column, read.values.get(column.name)) for column in complete.columns))


def _with_gaps(column: Column, values: ColumnLevels | Floats | None) -> Column:
    """Say that values may be missing where they are, unless it was declared what the column holds."""
    if column.declared or values is None:
        return column
    gaps = values.has_missing if isinstance(values, ColumnLevels) else bool(np.isnan(values).any())
    return replace(column, optional=column.optional or gaps)


def read_release(  # noqa: PLR0913 - what a caller may say about a release
    real: object,
    synthetic: Sequence[object] | Mapping[str, object],
    holdout: object | None = None,
    *,
    schema: Schema | str | Path | None = None,
    secrets: Sequence[str] = (),
    keys: Sequence[str] = (),
    entity: str | None = None,
    card: CardAtHand | None = None,
    separator: str | None = None,
    encoding: str | None = None,
    executor: Executor | None = None,
) -> Release:
    """Read all tables of a release under the schema of the real one.

    A table is a path or a data frame, or a pair of a name and one of those; a mapping gives names to synthetic tables.
    `entity` is the column that names people; `card` may be the card of the split that real table and holdout are from.
    Large synthetic tables are read in chunks; an `executor` goes through all synthetic ones.
    """
    options = CsvOptions(separator, encoding)
    others = [_opened(holdout, "holdout", options)] if holdout is not None else []
    others += open_synthetic(synthetic, options, in_chunks=True)
    source = _opened(real, "real", options)
    design, notes = read_design(source, others[0] if holdout is not None else None, entity, card)
    declared = with_entity(_declared(schema), design.entity, (*secrets, *keys)) if design.entity else schema
    first = 1 if holdout is None else 2
    complete, read = read_tables(source, others[: first - 1], declared, secrets, keys)
    read += [_read_released(each, complete, source.name, executor) for each in others[first - 1 :]]
    outside = read[1].source if holdout is not None else None
    read[first:] = _with_traces((source, outside), read[first:], complete, design.entity)
    values = [each.values for each in read]
    books = codebooks(complete.used, values)
    unseen = {column.name: tuple(books[column.name])[len(column.levels) :] for column in complete.used}
    arrays = as_arrays(complete.used, values, books)
    tables = [Table(complete, columns) for columns in arrays]
    tables[first:] = [
        share_table(table, executor)
        if each.large is None
        else each.large.table(complete, each.names, books, source.name)
        for each, table in zip(read[first:], tables[first:], strict=True)
    ]
    named = [each.name_table(table) for each, table in zip(read, tables, strict=True)]
    if holdout is None:
        return Release(named[0], tuple(named[1:]), design=design, unseen=unseen)
    kept_out = replace(named[1], notes=(*named[1].notes, *notes))
    return Release(named[0], tuple(named[2:]), kept_out, design, unseen)


def _read_released(source: Source, schema: Schema, real: str, executor: Executor | None) -> ReadColumns:
    """Read a synthetic table; of one that is large, which levels it has."""
    _refuse_missing_columns(source, schema, real)
    if not is_large(source, len(schema.used)):
        found = read_other(source, schema, real)
        rows = max(len(each.codes if isinstance(each, ColumnLevels) else each) for each in found.values.values())
        drawn = (
            f"{source.name} has {rows:,} rows; attacks that learn from it learn from {DRAWN_ROWS:,} rows drawn from it"
        )
        return replace(found, notes=(*found.notes, drawn)) if rows > MOST_WHOLE else found
    large = read_levels(source, schema.used, real, executor)
    read = _fitted(source, large.found.values(schema.used), schema, real)
    note = (
        f"{source.name} has {large.found.rows:,} rows and is read in chunks; what describes it is computed on "
        f"{count_rows(large.drawn):,} rows drawn from it, in which identifiers and rows written as text are looked "
        "for, and from which attacks learn"
    )
    return replace(read, large=large, notes=(*read.notes, note))


def _with_traces(
    people: tuple[Source, Source | None], read: list[ReadColumns], schema: Schema, entity: str | None
) -> list[ReadColumns]:
    """Look for what releases carry over besides their columns; say which columns nobody can explain."""
    real, outside = people
    known = collect_identifiers(real, outside, schema.columns, entity)
    found = []
    for each in read:
        carried = CarriedOver(
            find_identifiers(each.looked_through, known),
            find_row_texts(each.looked_through, real, outside, schema.columns),
            unexplained_columns(each.looked_through, schema.columns),
        )
        notes = tuple(
            UNEXPLAINED.format(table=each.source.name, name=name, real=real.name) for name in carried.unexplained
        )
        found.append(replace(each, carried=carried, notes=each.notes + notes))
    return found


def read_tables(
    real: Source,
    others: Sequence[Source],
    schema: Schema | str | Path | None = None,
    secrets: Sequence[str] = (),
    keys: Sequence[str] = (),
) -> tuple[Schema, list[ReadColumns]]:
    """Read a table and others that have to fit it, not yet encoded."""
    complete, first = read_real(real, _declared(schema), secrets, keys)
    return complete, [first, *(read_other(each, complete, real.name) for each in others)]


def declared_columns(schema: Schema | str | Path | None) -> tuple[str, ...]:
    """Name the columns that the user described."""
    found = _declared(schema)
    return tuple(column.name for column in found.columns) if found else ()


def _declared(schema: Schema | str | Path | None) -> Schema | None:
    return read_schema(schema) if isinstance(schema, str | Path) else schema


def _opened(given: object, name: str, options: CsvOptions, *, in_chunks: bool = False) -> Source:
    match given:
        case (str(own_name), table):
            source = open_source(table, own_name, options, in_chunks=in_chunks)
            notes = tuple(note.replace(source.name, own_name, 1) for note in source.notes)
            return replace(source, name=own_name, notes=notes)
    return open_source(given, name, options, in_chunks=in_chunks)


def open_synthetic(
    synthetic: Sequence[object] | Mapping[str, object], options: CsvOptions, *, in_chunks: bool = False
) -> list[Source]:
    """Open released tables; those of one file name are called by their whole path."""
    given = list(synthetic.items() if isinstance(synthetic, Mapping) else synthetic)
    several = len(given) > 1
    sources = [
        _opened(each, f"synthetic {position}" if several else "synthetic", options, in_chunks=in_chunks)
        for position, each in enumerate(given, 1)
    ]
    names = [source.name for source in sources]
    return [
        replace(source, name=str(each)) if isinstance(each, str | Path) and names.count(source.name) > 1 else source
        for source, each in zip(sources, given, strict=True)
    ]


def read_real(
    source: Source, declared: Schema | None, secrets: Sequence[str], keys: Sequence[str]
) -> tuple[Schema, ReadColumns]:
    """Infer the schema of the real table, then read the table and complete the schema from it."""
    schema = infer_columns(source, declared, (*secrets, *keys)).with_roles(secrets, keys)
    if not schema.used:
        raise DataError(f"{source.name} has no usable column: all look like identifiers or are ignored")
    values = read_columns(source, schema.used, "the schema")
    if all(is_constant(column) for column in values.values()):
        raise DataError(f"every column of {source.name} is constant; there is nothing to compare")
    known = {column.name for column in declared.columns if column.kind is not Kind.INFERRED} if declared else set()
    complete = Schema(tuple(settle_column(column, values, source.name, known) for column in schema.columns))
    notes = tuple(
        f"{source.name}: column {column.name!r} has {unseen} values that are not among the declared levels"
        for column in complete.used
        if (unseen := _unseen(column, values[column.name]))
    )
    return complete, ReadColumns(source, values, notes, {})


def infer_columns(source: Source, declared: Schema | None, named: Sequence[str]) -> Schema:
    """Infer what each column of a table is; what is declared wins, and `named` columns are no identifiers."""
    known = {column.name: column for column in declared.columns} if declared else {}
    for name, column in known.items():
        if name not in source.dtypes and column.is_used:
            hint = suggest_names(name, source.dtypes, f"it has {list_names(source.dtypes)}")
            raise SchemaMismatch(f"{source.name} has no column {name!r}, which the schema declares; {hint}")
    missing = {name: missing_texts(known.get(name, Column(name, Kind.CATEGORICAL))) for name in source.dtypes}
    found = profile_column(source, missing)
    if (rows := found[0].rows) < _LEAST_ROWS:
        raise DataError(f"{source.name} has {'one row' if rows else 'no rows'}; at least two are needed")
    return Schema(tuple(infer_column(each, known.get(each.name), named) for each in found))


def settle_column(
    column: Column, values: Mapping[str, ColumnLevels | Floats], table: str, declared: Collection[str]
) -> Column:
    """Complete a column; an inferred one is binary if two levels remain once equal values are one."""
    if column.name not in values:
        return column
    if column.name in declared or not column.kind.has_levels:
        return complete_column(column, values[column.name], table)
    column = complete_column(replace(column, kind=Kind.CATEGORICAL), values[column.name], table)
    return replace(column, kind=Kind.BINARY) if len(column.levels) <= BINARY_LEVELS else column


def _unseen(column: Column, values: ColumnLevels | Floats) -> int:
    return len(set(values.present) - set(column.levels)) if isinstance(values, ColumnLevels) else 0


def read_other(source: Source, schema: Schema, real: str) -> ReadColumns:
    """Read a table that has to fit the real one, which is called `real`."""
    _refuse_missing_columns(source, schema, real)
    found = read_columns(source, schema.used, real)
    if not any(_is_filled(each) for each in found.values()):
        raise DataError(f"{source.name} has no rows; at least one is needed")
    return _fitted(source, found, schema, real)


def _refuse_missing_columns(source: Source, schema: Schema, real: str) -> None:
    for column in schema.used:
        if column.name not in source.dtypes:
            there = list_names(source.dtypes)
            raise SchemaMismatch(f"{source.name} has no column {column.name!r}, which {real} has; it has {there}")


def _fitted(source: Source, found: dict[str, ColumnLevels | Floats], schema: Schema, real: str) -> ReadColumns:
    """Call levels what the real table calls them."""
    called: dict[str, Mapping[str, str]] = {}
    notes: list[str] = []
    for column in schema.used:
        each = found[column.name]
        if isinstance(each, ColumnLevels):
            called[column.name], remarks = renaming(column, each, source.name, real)
            found[column.name] = rename_levels(each, called[column.name])
            notes += remarks
    if extra := source.dtypes.keys() - {column.name for column in schema.columns}:
        notes.append(f"{source.name} has columns missing in {real}, left out: {list_names(extra)}")
    return ReadColumns(source, found, tuple(notes), called)


def _is_filled(values: ColumnLevels | Floats) -> bool:
    return len(values.codes if isinstance(values, ColumnLevels) else values) > 0
