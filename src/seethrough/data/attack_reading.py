"""Reading for an attack: released tables and what is known about people, without a real table.

The first released table takes the place of the real one: its columns, as far as the known people have them, and the
secret make the schema. The known people are read under it with an empty secret, or with the true one where it is given.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from seethrough.data.reading import read_release
from seethrough.data.release import Named
from seethrough.data.schema import Schema, listed
from seethrough.data.schema_files import read_schema
from seethrough.data.sources import CsvOptions, Source, open_source
from seethrough.data.table import Array
from seethrough.errors import DataError, SchemaMismatch


@dataclass(frozen=True, eq=False)
class AttackInput:
    """Released tables, the known people without the secret, and apart from them the truth, where it is given."""

    known: Named
    released: tuple[Named, ...]
    secret: str
    truth: Array | None
    notes: tuple[str, ...]

    @property
    def levels(self) -> tuple[str, ...]:
        """The values of the secret that the first released table has."""
        return self.released[0].table.schema[self.secret].levels


def read_attack(
    known: object,
    synthetic: Sequence[object],
    secret: str,
    truth: object | None = None,
    *,
    schema: Schema | str | Path | None = None,
    options: CsvOptions = CsvOptions(),  # noqa: B008 - it is frozen
) -> AttackInput:
    """Read what an adversary has; `truth` is a table with the secret, its rows in the order of the known people."""
    people = open_source(known, "known", options)
    several = len(synthetic) > 1
    released = [
        open_source(each, f"synthetic {place}" if several else "synthetic", options)
        for place, each in enumerate(synthetic, 1)
    ]
    if not released:
        raise DataError("an attack needs at least one synthetic table")
    columns, notes = _common_columns(people, released, secret)
    asked = _with_secret(people, columns, secret, open_source(truth, "truth", options) if truth is not None else None)
    names = [source.name for source in released]
    first, *others = [_kept(source, (*columns, secret)) for source in released]
    found = read_release(
        (names[0], first),
        [*zip(names[1:], others, strict=True), (people.name, asked)],
        schema=_declared(schema, (*columns, secret)),
        secrets=(secret,),
    )
    tables = (found.train, *found.synthetic)
    notes += _notes((people, *released), tables)
    return _split(tables[:-1], tables[-1], secret, has_truth=truth is not None, notes=notes)


def _common_columns(people: Source, released: Sequence[Source], secret: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    for source in released:
        if secret not in source.dtypes:
            there = listed(source.dtypes)
            raise SchemaMismatch(f"{source.name} has no column {secret!r}, which is to be guessed; it has {there}")
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
            notes.append(f"{source.name} has columns that not all tables have, left out: {listed(extra)}")
    return common, tuple(notes)


def _declared(schema: Schema | str | Path | None, names: Sequence[str]) -> Schema | None:
    """Read what is declared; columns that the tables do not share are of no concern here."""
    whole = read_schema(schema) if isinstance(schema, str | Path) else schema
    return Schema(tuple(column for column in whole.columns if column.name in names)) if whole else None


def _kept(source: Source, names: Iterable[str]) -> pl.LazyFrame:
    return source.frame.select(source.column(name).alias(name) for name in names)


def _with_secret(people: Source, columns: Sequence[str], secret: str, truth: Source | None) -> pl.LazyFrame:
    """Give the known people a secret: the true one, or nothing."""
    kept = _kept(people, columns)
    if truth is None:
        return kept.with_columns(pl.lit(None, pl.String).alias(secret))
    if secret not in truth.dtypes:
        raise SchemaMismatch(
            f"{truth.name} has no column {secret!r}, which it is to tell; it has {listed(truth.dtypes)}"
        )
    frame, answers = people.collect(kept), truth.collect(_kept(truth, [secret]))
    if len(frame) != len(answers):
        raise SchemaMismatch(
            f"{truth.name} has {len(answers)} rows and {people.name} {len(frame)}; "
            "the same people in the same order are expected"
        )
    return frame.hstack(answers).lazy()


def _notes(sources: Sequence[Source], tables: Sequence[Named]) -> tuple[str, ...]:
    """Collect what was remarked about files and about tables."""
    return tuple(note for notes in (*(s.notes for s in sources), *(t.notes for t in tables)) for note in notes)


def _split(
    released: tuple[Named, ...], people: Named, secret: str, *, has_truth: bool, notes: tuple[str, ...]
) -> AttackInput:
    """Take the secret away from the known people."""
    schema = people.table.schema
    names = [column.name for column in schema.used if column.name != secret]
    if not names:
        raise DataError(f"{released[0].name} has no usable column beside {secret!r}: all others look like identifiers")
    order = (*names, secret)
    truth = people.table.column(secret) if has_truth else None
    return AttackInput(
        known=Named(people.name, people.table.project(names)),
        released=tuple(Named(each.name, each.table.project(order)) for each in released),
        secret=secret,
        truth=truth,
        notes=notes,
    )
