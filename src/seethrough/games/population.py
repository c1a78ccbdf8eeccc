"""Population: the real records a game draws from, the secret, and what an adversary knows beside it."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from seethrough.data.rows import row_numbers
from seethrough.data.schema import Schema
from seethrough.data.table import Array, Table
from seethrough.errors import ConfigError, DataError

MANY_LEVELS = 50
"""Values of a secret from which on the costs are mentioned."""


@dataclass(frozen=True, eq=False)
class Population:
    """Real records whose secret is known, under the known columns and the secret."""

    table: Table
    secret: str
    notes: tuple[str, ...] = ()

    @property
    def classes(self) -> tuple[int, ...]:
        """The codes that the secret may have: its declared levels."""
        return tuple(range(1, len(self.levels) + 1))

    @property
    def levels(self) -> tuple[str, ...]:
        """What the classes stand for."""
        return self.table.schema[self.secret].levels

    @cached_property
    def known(self) -> Table:
        """What an adversary knows of everybody."""
        return self.table.project(known_columns(self.table.schema, self.secret))

    @cached_property
    def numbers(self) -> npt.NDArray[np.int64]:
        """A number for each record, equal where the known columns are."""
        return row_numbers(self.known)

    @cached_property
    def secrets(self) -> Array:
        """The secret of each record, as codes."""
        return self.table.column(self.secret)


def population(table: Table, secret: str, name: str) -> Population:
    """Prepare a table for the game; records without a secret, or with an undeclared one, are left out."""
    levels = secret_levels(table.schema, secret, name)
    columns = known_columns(table.schema, secret)
    values = table.column(secret).astype(np.int64)
    usable = np.flatnonzero((values >= 1) & (values <= len(levels)))
    notes = []
    if out := len(table) - len(usable):
        notes.append(f"{name}: {out} records without a declared value of {secret!r} take no part")
    if len(levels) > MANY_LEVELS:
        notes.append(f"{secret!r} has {len(levels)} values: chance is {1 / len(levels):.4f}, attacks cost as much more")
    if len(np.unique(values[usable])) < 2:
        raise DataError(f"{name}: the secret {secret!r} has one value only; there is nothing to guess")
    return Population(table.project((*columns, secret)).take(usable), secret, tuple(notes))


def known_columns(schema: Schema, secret: str) -> tuple[str, ...]:
    """Name what an adversary knows: the keys, or else all columns that are not secret."""
    hidden = {secret, *schema.secrets}
    known = tuple(name for name in schema.keys or (column.name for column in schema.used) if name not in hidden)
    if not known:
        raise ConfigError(f"no column is left to guess {secret!r} from")
    return known


def secret_levels(schema: Schema, secret: str, name: str) -> tuple[str, ...]:
    """Give the values of a secret; refuse one that is a number or has one value only."""
    column = schema[secret]
    if not column.kind.has_levels:
        raise ConfigError(
            f"{name}: the secret {secret!r} is a {column.kind.value} column; a category is expected: "
            'set kind = "categorical" in a schema, or make classes of it'
        )
    if len(column.levels) < 2:
        raise DataError(f"{name}: the secret {secret!r} has one value only; there is nothing to guess")
    return column.levels
