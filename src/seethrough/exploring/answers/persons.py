"""A person, the rows that are nearest, and the checks that flag them."""

from dataclasses import dataclass, field

from seethrough.data.table import Table


@dataclass(frozen=True)
class ShownCell:
    """The value of one column as text: "" where it is not known, "(missing)" where the table has none."""

    column: str
    text: str


@dataclass(frozen=True)
class ValueField:
    """What may be typed in for a column: one of its levels, or a number or date, those of the real table in a range."""

    column: str
    kind: str
    levels: tuple[str, ...]
    low: str
    high: str


@dataclass(frozen=True, eq=False)
class Person:
    """A real row, by its number from 0 on, or a person whose values were typed in (`row` is None).

    `known` are the columns that have a value; all of them for a real row. `values` is a table of one row, in which the
    columns that are not known are missing.
    """

    row: int | None
    cells: tuple[ShownCell, ...]
    known: tuple[str, ...]
    values: Table = field(repr=False)

    @property
    def typed(self) -> bool:
        """Tell whether the values were typed in."""
        return self.row is None


@dataclass(frozen=True)
class NearRow:
    """A row near a person: its number from 0 on, how far it is, the columns that differ, and its values."""

    row: int
    distance: float
    differs: tuple[str, ...]
    cells: tuple[ShownCell, ...]


@dataclass(frozen=True)
class NearRows:
    """The rows of each table nearest to a person, by `distance`; `outside` is None where nobody was kept out.

    The person's own row is not among `real`. `columns` are those that were compared: what is known of the person.
    """

    released: tuple[NearRow, ...]
    real: tuple[NearRow, ...]
    outside: tuple[NearRow, ...] | None
    columns: tuple[str, ...]
    distance: str = "Gower: numbers by their range, a category that differs counts 1, Euclidean"


@dataclass(frozen=True)
class CheckFlag:
    """What one check says of a person.

    `risk` is None where the check has none for this person, and `reason` says why. `flagged` follows from `rule`, a
    sentence; `outside` of 100 people outside would be flagged as well, None where nobody was kept out or the check
    cannot be asked about them.
    """

    check: str
    risk: float | None
    flagged: bool | None
    rule: str
    outside: float | None = None
    reason: str = ""
