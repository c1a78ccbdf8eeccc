"""People of an exploration: rows of the real table, or values typed in."""

from collections.abc import Mapping

import numpy as np

from seethrough.data.table import Table
from seethrough.errors import ConfigError, no_such
from seethrough.exploring.answers.persons import Person
from seethrough.exploring.values import ValueTexts, one_row


def person_of_row(texts: ValueTexts, row: int) -> Person:
    """Pick a real row."""
    real = texts.release.train.table
    if not 0 <= row < len(real):
        raise ConfigError(f"there is no row {row + 1:,}; the real table has {len(real):,} rows")
    known = tuple(column.name for column in real.schema.used)
    return Person(row, texts.cells(real, row), known, real.take(np.array([row])))


def person_of_values(texts: ValueTexts, values: Mapping[str, str]) -> Person:
    """Read a person from texts; what is empty is not known, values that do not exist are refused in one sentence."""
    schema = texts.release.train.table.schema
    names = [column.name for column in schema.used]
    found: dict[str, float] = {}
    refused = []
    for name, text in values.items():
        if name not in names:
            raise no_such("column", name, names)
        if text.strip():
            found[name], sentence = texts.read(schema[name], text.strip())
            refused += [sentence] if sentence else []
    if refused:
        raise ConfigError("; ".join(refused))
    if not found:
        raise ConfigError("nothing was typed in; at least one value is needed")
    table = Table(schema, one_row(schema.used, found))
    known = tuple(name for name in names if name in found)
    return Person(None, texts.cells(table, 0, known), known, table)
