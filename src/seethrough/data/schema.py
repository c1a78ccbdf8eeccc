"""Schema: what each column is. The one source of kinds, levels, ranges and roles.

A schema is inferred from the real table or declared in a file; either way it is completed
from the real table, so that every table of a release is read with the same levels and all
distances are in one unit.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import Enum
from functools import cached_property
from hashlib import sha256

from seethrough.errors import ConfigError, no_such, suggest_names


class Kind(Enum):
    """How the values of a column are compared."""

    NUMERIC = "numeric"
    CATEGORICAL = "categorical"
    BINARY = "binary"
    DATE = "date"
    INFERRED = "inferred"
    """Declared without a kind: the real table decides. No column of a complete schema is of this kind."""

    @property
    def has_levels(self) -> bool:
        """Tell categories from numbers; a date is a number."""
        return self in {Kind.CATEGORICAL, Kind.BINARY}


BINARY_LEVELS = 2
"""A binary column has so many levels at most."""


class Role(Enum):
    """What a column is to an attacker."""

    SECRET = "secret"
    KEY = "key"
    ID = "id"
    IGNORE = "ignore"
    NONE = ""


@dataclass(frozen=True)
class Column:
    """One column.

    Categories have `levels`, canonical texts of the values of the real table. Numbers and dates
    have `low` and `high`, the range that scales distances, and `fill`, the real median that stands
    in for a missing value; a date counts days since 1970-01-01. `missing` lists further texts that
    mean "missing", `format` is how dates are written, `reason` says why the column was read so.

    `declared` says that levels or range were stated in a schema file instead of read from the table; `optional` that
    a value may then be missing; `edges` are the bins of a number for generators that model categories only; `whole`
    says that numbers are whole, or that dates are days, so that generators draw such ones; `decimals` to how many
    decimals numbers are written in a release with a privacy guarantee, all that a float has where it is None.
    """

    name: str
    kind: Kind
    role: Role = Role.NONE
    levels: tuple[str, ...] = ()
    ordered: bool = False
    low: float | None = None
    high: float | None = None
    fill: float | None = None
    missing: tuple[str, ...] = ()
    format: str | None = None
    reason: str = ""
    declared: bool = False
    optional: bool = False
    edges: tuple[float, ...] = ()
    whole: bool = False
    decimals: int | None = None

    @property
    def is_used(self) -> bool:
        """Identifiers and ignored columns take no part in any check."""
        return self.role not in {Role.ID, Role.IGNORE}


@dataclass(frozen=True)
class Schema:
    """The columns, in the order of the real table."""

    columns: tuple[Column, ...]

    @cached_property
    def used(self) -> tuple[Column, ...]:
        """The columns that take part."""
        return tuple(column for column in self.columns if column.is_used)

    @property
    def digest(self) -> str:
        """Identify the schema, levels and ranges too."""
        # What is not said adds nothing, so that a schema keeps its digest when there is more to say.
        values = [
            [_plain(value) for name, value in vars(column).items() if name != "decimals" or value is not None]
            for column in self.columns
        ]
        return sha256(repr(values).encode("utf-8", "backslashreplace")).hexdigest()[:16]

    @property
    def secrets(self) -> tuple[str, ...]:
        """Names of the secret columns."""
        return tuple(column.name for column in self.used if column.role is Role.SECRET)

    @property
    def keys(self) -> tuple[str, ...]:
        """Names of the columns an attacker is said to know; empty when none was named."""
        return tuple(column.name for column in self.used if column.role is Role.KEY)

    def __getitem__(self, name: str) -> Column:
        """Find a column by its name."""
        for column in self.columns:
            if column.name == name:
                return column
        raise no_such("column", name, [column.name for column in self.columns])

    def project(self, names: Iterable[str]) -> "Schema":
        """Keep the named columns, in the order given."""
        return Schema(tuple(self[name] for name in names))

    def with_roles(self, secrets: Iterable[str], keys: Iterable[str]) -> "Schema":
        """Mark secrets and keys; what the caller names wins over the roles that the schema has."""
        secrets, keys = tuple(secrets), tuple(keys)
        known = [column.name for column in self.columns]
        for what, names in (("secret", secrets), ("key", keys)):
            for name in names:
                if name not in known:
                    hint = suggest_names(name, known, f"it has {list_names(known)}")
                    raise ConfigError(f"{what} column {name!r} is not in the real table; {hint}")
        if both := set(secrets) & set(keys):
            raise ConfigError(f"column {min(both)!r} is named both as secret and as key")
        return Schema(tuple(_with_role(column, secrets, keys) for column in self.columns))


def _with_role(column: Column, secrets: tuple[str, ...], keys: tuple[str, ...]) -> Column:
    if column.name in secrets:
        return replace(column, role=Role.SECRET)
    if column.name in keys:
        return replace(column, role=Role.KEY)
    if (column.role is Role.SECRET and secrets) or (column.role is Role.KEY and keys):
        return replace(column, role=Role.NONE)
    return column


def list_names(names: Iterable[str], limit: int = 12) -> str:
    """Name some of many, for a message."""
    shown = sorted(names)
    return ", ".join(shown[:limit]) + (f" and {len(shown) - limit} more" if len(shown) > limit else "")


def _plain(value: object) -> object:
    return value.value if isinstance(value, Enum) else value
