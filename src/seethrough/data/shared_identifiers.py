"""What a release carries over besides its columns: identifiers of real people, and whole real rows written as text."""

from dataclasses import dataclass


@dataclass(frozen=True)
class SharedIdentifiers:
    """How many real identifiers, and how many of people outside, stand anywhere in a release.

    `column` is where people have them, `places` are the columns of the release that hold them. `chance` is the share of
    real identifiers that whole numbers drawn blindly from their range would hit; `counted` are those that are met if
    columns which count rows in order are looked at as well. `against` says whose identifiers the others are.
    """

    column: str
    real: int
    found: int
    outside: int
    found_outside: int
    places: tuple[str, ...] = ()
    chance: float = 0.0
    against: str = ""
    counted: int = 0


@dataclass(frozen=True)
class RowsAsText:
    """How many real people, and how many others, have all or most of their row written out in a column of a release."""

    place: str
    real: int
    found: int
    outside: int
    found_outside: int
    against: str


@dataclass(frozen=True)
class CarriedOver:
    """All that a release carries over besides its columns; `unexplained` are unique columns that nobody else has."""

    identifiers: tuple[SharedIdentifiers, ...] = ()
    row_texts: tuple[RowsAsText, ...] = ()
    unexplained: tuple[str, ...] = ()
