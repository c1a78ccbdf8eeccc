"""Reading for an attack: released tables and what is known about people, without a real table.

The first released table takes the place of the real one: its columns, as far as the people have them, and the
secret make the schema. The people are read under it with an empty secret, or with the true one where it is given.

For an attack on membership each released table stands for itself, and there is no secret.

Tables of more than a million rows are not held: `tables` reads them in pieces, and `released` has samples of them.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import polars as pl

from seethrough.data.canonical import text
from seethrough.data.files.sources import CsvOptions, Source, open_source
from seethrough.data.reading.chunks import Pieces, row_count, sample_rows, with_all_levels
from seethrough.data.reading.codebooks import as_arrays, codebooks
from seethrough.data.reading.release_tables import open_synthetic, read_tables
from seethrough.data.release import NamedTable
from seethrough.data.schema import Role, Schema, list_names
from seethrough.data.schema_files import read_schema
from seethrough.data.table import Array, Table
from seethrough.errors import ConfigError, DataError, SchemaMismatch, suggest_names


@dataclass(frozen=True, eq=False)
class AttackInput:
    """Released tables, the people without the secret, and apart from them the truth, where it is given.

    `released` are the tables, or samples of them where they are large; `tables` has all their rows, may be gone through
    more than once, and is a tuple where they are in memory.
    """

    people: NamedTable
    released: tuple[NamedTable, ...]
    tables: Iterable[Table]
    secret: str
    truth: Array | None
    notes: tuple[str, ...]

    @property
    def levels(self) -> tuple[str, ...]:
        """The values of the secret that the first released table has."""
        return self.released[0].table.schema[self.secret].levels


def read_attack(
    people: object,
    synthetic: Sequence[object],
    secret: str,
    truth: object | None = None,
    *,
    schema: Schema | str | Path | None = None,
    options: CsvOptions = CsvOptions(),  # noqa: B008 - it is frozen
) -> AttackInput:
    """Read what an adversary has; `truth` is a table with the secret, its rows in the order of the people."""
    asked_about = open_source(people, "people", options)
    several = len(synthetic) > 1
    released = [
        open_source(each, f"synthetic {place}" if several else "synthetic", options)
        for place, each in enumerate(synthetic, 1)
    ]
    if not released:
        raise DataError("an attack needs at least one synthetic table")
    columns, notes = _common_columns(asked_about, released, secret)
    asked = _with_secret(
        asked_about, columns, secret, open_source(truth, "truth", options) if truth is not None else None
    )
    whole = [_kept(source, (*columns, secret)) for source in released]
    read = _read(whole, asked, _declared(schema, (*columns, secret)), secret)
    notes += tuple(note for source in (asked_about, *released) for note in source.notes)
    return _split(read, secret, has_truth=truth is not None, notes=notes)


@dataclass(frozen=True, eq=False)
class _Whole:
    """Tables under one schema, the people last, and all rows of the others."""

    tables: tuple[NamedTable, ...]
    pieces: Pieces | None


def _read(whole: Sequence[Source], people: Source, declared: Schema | None, secret: str) -> _Whole:
    """Read tables that are not large, and samples of the others."""
    rows = [row_count(source) for source in whole]
    samples = [sample_rows(source, count) for source, count in zip(whole, rows, strict=True)]
    is_large = any(sample is not source for sample, source in zip(samples, whole, strict=True))
    if is_large:
        declared = with_all_levels(read_tables(samples[0], [], declared, (secret,))[0], secret, whole[0])
    complete, read = read_tables(samples[0], [*samples[1:], people], declared, (secret,))
    values = [each.values for each in read]
    arrays = as_arrays(complete.used, values)
    tables = tuple(each.name_table(Table(complete, columns)) for each, columns in zip(read, arrays, strict=True))
    if not is_large:
        return _Whole(tables, None)
    names = tuple(each.names for each in read[:-1])
    return _Whole(tables, Pieces(complete, tuple(whole), names, codebooks(complete.used, values)))


def _common_columns(people: Source, released: Sequence[Source], secret: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    for source in released:
        if secret not in source.dtypes:
            hint = suggest_names(secret, source.dtypes, f"it has {list_names(source.dtypes)}")
            raise SchemaMismatch(f"{source.name} has no column {secret!r}, which is to be guessed; {hint}")
    common = tuple(
        name
        for name in released[0].dtypes
        if name != secret and all(name in each.dtypes for each in (people, *released))
    )
    if not common:
        raise SchemaMismatch(f"{people.name} and {released[0].name} have no column in common to guess {secret!r} from")
    notes = []
    if secret in people.dtypes:
        notes.append(f"{people.name} has the column {secret!r}, which is ignored: the attack does not see it")
    for source in (people, *released):
        if extra := source.dtypes.keys() - {*common, secret}:
            notes.append(f"{source.name} has columns that not all tables have, left out: {list_names(extra)}")
    return common, tuple(notes)


def _declared(schema: Schema | str | Path | None, names: Sequence[str]) -> Schema | None:
    """Read what is declared; columns that the tables do not share are of no concern here."""
    whole = read_schema(schema) if isinstance(schema, str | Path) else schema
    return Schema(tuple(column for column in whole.columns if column.name in names)) if whole else None


def _kept(source: Source, names: Sequence[str]) -> Source:
    frame = source.frame.select(source.column(name).alias(name) for name in names)
    return replace(source, frame=frame, dtypes={name: source.dtypes[name] for name in names}, notes=())


def _with_secret(people: Source, columns: Sequence[str], secret: str, truth: Source | None) -> Source:
    """Give the people a secret: the true one, or nothing."""
    kept = _kept(people, columns)
    if truth is None:
        nothing = pl.lit(None, pl.String).alias(secret)
        return replace(kept, frame=kept.frame.with_columns(nothing), dtypes={**kept.dtypes, secret: pl.String()})
    if secret not in truth.dtypes:
        raise SchemaMismatch(
            f"{truth.name} has no column {secret!r}, which it is to tell; it has {list_names(truth.dtypes)}"
        )
    frame, answers = people.collect(kept.frame), truth.collect(_kept(truth, [secret]).frame)
    if len(frame) != len(answers):
        raise SchemaMismatch(
            f"{truth.name} has {len(answers)} rows and {people.name} {len(frame)}; "
            "the same people in the same order are expected"
        )
    dtypes = {**kept.dtypes, secret: truth.dtypes[secret]}
    return replace(kept, frame=frame.hstack(answers).lazy(), dtypes=dtypes)


def _split(read: _Whole, secret: str, *, has_truth: bool, notes: tuple[str, ...]) -> AttackInput:
    """Take the secret away from the people."""
    *tables, people = read.tables
    schema = people.table.schema
    names = [column.name for column in schema.used if column.name != secret]
    if not names:
        raise DataError(f"{tables[0].name} has no usable column beside {secret!r}: all others look like identifiers")
    order = (*names, secret)
    released = tuple(NamedTable(each.name, each.table.project(order)) for each in tables)
    return AttackInput(
        people=NamedTable(people.name, people.table.project(names)),
        released=released,
        tables=tuple(each.table for each in released) if read.pieces is None else read.pieces.project(order),
        secret=secret,
        truth=people.table.column(secret) if has_truth else None,
        notes=(*notes, *(note for each in read.tables for note in each.notes)),
    )


@dataclass(frozen=True, eq=False)
class StrangersInput:
    """People who may have been in the data, a released table, and a reference of people who were not.

    `names` has what the people are called, where a column says so; it is compared with nothing.
    """

    people: NamedTable
    release: NamedTable
    reference: NamedTable | None
    names: tuple[str | None, ...] | None
    notes: tuple[str, ...]


def read_strangers(
    people: object,
    synthetic: Sequence[object] | Mapping[str, object],
    reference: object | None = None,
    *,
    identifier: str | None = None,
    schema: Schema | str | Path | None = None,
    options: CsvOptions = CsvOptions(),  # noqa: B008 - it is frozen
) -> Iterator[StrangersInput]:
    """Read people, and a reference if there is one, with each released table by itself, under the schema of that."""
    others = [open_source(people, "people", options)]
    others += [open_source(reference, "reference", options)] if reference is not None else []
    released = open_synthetic(synthetic, options)
    if not released:
        raise DataError("an attack needs at least one synthetic table")
    whole = read_schema(schema) if isinstance(schema, str | Path) else schema
    column = _identifier(others[0], identifier, whole)
    names = tuple(others[0].collect(others[0].frame.select(text(others[0], column))).to_series()) if column else None
    for source in released:
        yield _strangers(source, others, column, whole, names)


def _identifier(people: Source, named: str | None, schema: Schema | None) -> str | None:
    """Find the column that names people: the one named, or else the first identifier that the schema declares."""
    if named is None:
        declared = schema.columns if schema else ()
        return next((each.name for each in declared if each.role is Role.ID and each.name in people.dtypes), None)
    if named not in people.dtypes:
        hint = suggest_names(named, people.dtypes, f"it has {list_names(people.dtypes)}")
        raise ConfigError(f"{people.name} has no column {named!r} that names people; {hint}")
    return named


def _strangers(
    source: Source,
    others: Sequence[Source],
    identifier: str | None,
    schema: Schema | None,
    names: tuple[str | None, ...] | None,
) -> StrangersInput:
    every = (source, *others)
    common = [name for name in source.dtypes if name != identifier and all(name in each.dtypes for each in every)]
    if not common:
        raise SchemaMismatch(f"{' and '.join(each.name for each in every)} have no column in common to compare")
    extra = [(each, each.dtypes.keys() - {*common, identifier}) for each in every]
    told = "{} has columns that not all tables have, left out: {}"
    notes = [told.format(each.name, list_names(left_out)) for each, left_out in extra if left_out]
    declared = _declared(schema, common)
    complete, read = read_tables(_kept(source, common), [_kept(each, common) for each in others], declared)
    arrays = as_arrays(complete.used, [each.values for each in read])
    tables = [each.name_table(Table(complete, columns)) for each, columns in zip(read, arrays, strict=True)]
    notes += [note for each in every for note in each.notes] + [note for each in tables for note in each.notes]
    return StrangersInput(tables[1], tables[0], tables[2] if len(tables) > 2 else None, names, tuple(notes))
