"""The thing audited."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

from seethrough.data.shared_identifiers import SharedIdentifiers
from seethrough.data.table import Table
from seethrough.errors import DataError, SchemaMismatch


class Part(Enum):
    """The tables that a check looks at."""

    TRAIN = "train"
    HOLDOUT = "holdout"
    SYNTHETIC = "synthetic"


@dataclass(frozen=True, eq=False)
class NamedTable:
    """A table with the name the user knows it by, what was remarked when it was read, and identifiers it shares."""

    name: str
    table: Table
    notes: tuple[str, ...] = ()
    shared_identifiers: tuple[SharedIdentifiers, ...] = ()


@dataclass(frozen=True, eq=False)
class Release:
    """One or more synthetic tables, the real table they were made from, and rows kept out of it."""

    train: NamedTable
    synthetic: tuple[NamedTable, ...]
    holdout: NamedTable | None = None

    def __post_init__(self) -> None:
        """Refuse a release without rows or tables that do not share their schema."""
        if not self.synthetic:
            raise DataError("a release needs at least one synthetic table")
        for named in self.all:
            if not len(named.table):
                raise DataError(f"{named.name} has no rows")
            if named.table.schema != self.train.table.schema:
                raise SchemaMismatch(f"{named.name} does not share the schema of {self.train.name}")

    @property
    def all(self) -> tuple[NamedTable, ...]:
        """Every table."""
        return (self.train, *((self.holdout,) if self.holdout else ()), *self.synthetic)

    def parts(self, synthetic: Table) -> Mapping[Part, Table]:
        """Name the tables for a bench on which `synthetic` is the one looked at."""
        tables = {Part.TRAIN: self.train.table, Part.SYNTHETIC: synthetic}
        return tables | ({Part.HOLDOUT: self.holdout.table} if self.holdout else {})
