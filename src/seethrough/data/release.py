"""The thing audited."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum

import numpy as np

from seethrough.data.shared_identifiers import CarriedOver
from seethrough.data.table import Table
from seethrough.errors import DataError, SchemaMismatch
from seethrough.kernels.arrays import Bools, Ints


class Part(Enum):
    """The tables that a check looks at."""

    TRAIN = "train"
    HOLDOUT = "holdout"
    SYNTHETIC = "synthetic"


@dataclass(frozen=True, eq=False)
class NamedTable:
    """A table with the name the user knows it by, what was remarked when it was read, and what it carries over."""

    name: str
    table: Table
    notes: tuple[str, ...] = ()
    carried: CarriedOver = CarriedOver()  # noqa: RUF009  a frozen value

    def remarks(self, *more: str) -> list[str]:
        """Give what was remarked, and more of the kind, each beginning with the name of the table, once."""
        named = (f"{self.name}:", f"{self.name} ")
        return [note if note.startswith(named) else f"{self.name}: {note}" for note in (*self.notes, *more)]


@dataclass(frozen=True, eq=False)
class PeopleDesign:
    """Whose row each row of the real table and of the holdout is, and who was in an audit set.

    `real` and `outside` number people, across both tables; without them each row is a person, and `entity` is the
    column that names them. `audited` tells the rows of the real table for which a fair coin decided that they are in,
    as it decided that all of the holdout are out.
    """

    real: Ints | None = None
    outside: Ints | None = None
    audited: Bools | None = None
    entity: str | None = None

    @property
    def audit_people(self) -> int:
        """Count the people in the real table for whom a coin decided."""
        if self.audited is None:
            return 0
        return int(self.audited.sum()) if self.real is None else len(np.unique(self.real[self.audited]))


ONE_ROW_EACH = PeopleDesign()


@dataclass(frozen=True, eq=False)
class Release:
    """One or more synthetic tables, the real table they were made from, and rows kept out of it; and whose rows.

    `unseen` has by column the texts of levels that the schema has not, in the order of their codes, which follow those
    of its own levels.
    """

    train: NamedTable
    synthetic: tuple[NamedTable, ...]
    holdout: NamedTable | None = None
    design: PeopleDesign = ONE_ROW_EACH
    unseen: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

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
