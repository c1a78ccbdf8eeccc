"""Reading one table by itself, as the population of a game."""

from pathlib import Path

from seethrough.data.reading import read_release
from seethrough.data.release import Named
from seethrough.data.schema import Schema, listed
from seethrough.data.sources import CsvOptions, open_source
from seethrough.errors import ConfigError


def read_table(
    given: object,
    secret: str,
    *,
    schema: Schema | str | Path | None = None,
    options: CsvOptions = CsvOptions(),  # noqa: B008 - it is frozen
) -> Named:
    """Read a table under its own schema, with one column as the secret."""
    source = open_source(given, "data", options)
    if secret not in source.dtypes:
        raise ConfigError(f"{source.name} has no column {secret!r} to be guessed; it has {listed(source.dtypes)}")
    # A release has a synthetic table; the first row of the same one stands in for it.
    found = read_release(
        (source.name, source.frame), [(source.name, source.frame.head(1))], schema=schema, secrets=(secret,)
    )
    return Named(source.name, found.train.table, source.notes + found.train.notes)
