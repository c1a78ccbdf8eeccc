"""Reading one table by itself, as the population of a game or what a generator learns from; and one like another."""

from pathlib import Path

from seethrough.data.files.sources import CsvOptions, Source, open_source
from seethrough.data.reading.codebooks import as_arrays
from seethrough.data.reading.release_tables import read_other, read_real
from seethrough.data.release import NamedTable
from seethrough.data.schema import Schema, list_names
from seethrough.data.schema_files import read_schema
from seethrough.data.table import Table
from seethrough.errors import ConfigError, suggest_names


def read_table(
    given: object,
    secret: str,
    *,
    schema: Schema | str | Path | None = None,
    options: CsvOptions = CsvOptions(),  # noqa: B008 - it is frozen
) -> NamedTable:
    """Read a table under its own schema, with one column as the secret."""
    source = open_source(given, "real", options)
    if secret not in source.dtypes:
        hint = suggest_names(secret, source.dtypes, f"it has {list_names(source.dtypes)}")
        raise ConfigError(f"{source.name} has no column {secret!r} to be guessed; {hint}")
    return read_source(source, schema, (secret,))


def read_source(source: Source, schema: Schema | str | Path | None = None, secrets: tuple[str, ...] = ()) -> NamedTable:
    """Read a table that is open, under its own schema."""
    complete, read = read_real(source, read_schema(schema) if isinstance(schema, str | Path) else schema, secrets, ())
    (columns,) = as_arrays(complete.used, [read.values])
    return NamedTable(source.name, Table(complete, columns), source.notes + read.notes)


def read_like(given: object, schema: Schema, name: str, options: CsvOptions = CsvOptions()) -> NamedTable:  # noqa: B008
    """Read a table under a schema that is complete, that of a real table."""
    source = open_source(given, name, options)
    read = read_other(source, schema, "the real table")
    (columns,) = as_arrays(schema.used, [read.values])
    return NamedTable(source.name, Table(schema, columns), source.notes + read.notes)
