"""The table of people, what attacks have in common, columns, and groups of people."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from seethrough.exploring.answers.persons import ShownCell
from seethrough.results.diagnostics import Rate

PAGE = 50
"""People on a page."""


@dataclass(frozen=True)
class PeopleQuestion:
    """Which people are asked for, and in which order; addresses can carry all of it, for it has no values.

    `sort` is "row", "flags", the name of a check, or the name of a column. `page` counts from 0. `check` keeps those
    whom it flags, `fewest_flags` those with so many flags at least, `column` and `level` those of one group; the level
    is a number: 0 is missing, k the k-th of `ColumnView.levels`.
    """

    sort: str = "flags"
    descending: bool = True
    page: int = 0
    check: str = ""
    fewest_flags: int = 0
    column: str = ""
    level: int | None = None


@dataclass(frozen=True)
class PersonRow:
    """A real row, its number from 0 on: which checks flag it, its risk by each (None: not known), its values."""

    row: int
    flags: int
    flagged_by: tuple[str, ...]
    risks: Mapping[str, float | None]
    cells: tuple[ShownCell, ...]


@dataclass(frozen=True)
class PeoplePage:
    """One page of people; `found` counts those that fit the question, `checks` are those with a risk for each person.

    `listed` is the number of people on the calibrated list of exposed people, and `false_share` how many of them are
    expected to be there by chance; None where there is no such list.
    """

    rows: tuple[PersonRow, ...]
    found: int
    page: int
    pages: int
    checks: tuple[str, ...]
    listed: int | None = None
    false_share: float | None = None


@dataclass(frozen=True)
class AttackOverlap:
    """How many people two checks both flag, of how many each flags alone, and how many both would by chance."""

    first: str
    second: str
    both: int
    by_chance: float
    first_flags: int
    second_flags: int
    people: int


@dataclass(frozen=True)
class ColumnCell:
    """One level or range of a column: its text, and its share of the real, the released and the outside rows."""

    label: str
    real: float
    released: float
    outside: float | None


@dataclass(frozen=True)
class ColumnAssociation:
    """How strongly two columns go together, from 0 to 1 (Cramér's V of the counts), really and in the release."""

    other: str
    real: float
    released: float


@dataclass(frozen=True)
class ColumnView:
    """One column: how it is distributed, how far the release is from the real table, how often it is guessed.

    `number` is its place among the columns in use, `levels` the texts of its levels (empty for numbers and dates),
    `low` and `high` the range of a number. Distances are total variation; `outside_distance` is that of people outside.
    `guessed` and `guessed_outside` are shares of real rows and of people outside whose value the most similar released
    row has, `most_frequent` what guessing the most frequent value gives.
    """

    name: str
    number: int
    kind: str
    role: str
    levels: tuple[str, ...]
    low: str
    high: str
    missing: int
    cells: tuple[ColumnCell, ...]
    distance: float
    outside_distance: float | None
    guessed: Rate | None
    guessed_outside: Rate | None
    most_frequent: float | None
    pairs: tuple[ColumnAssociation, ...]


@dataclass(frozen=True)
class GroupRisk:
    """The mean risk of a group of people by one check, with its interval and the number of people."""

    check: str
    risk: Rate


@dataclass(frozen=True)
class RiskGroup:
    """People with one level of a column, or with all small levels together (`level` is None, `merged` of them).

    `away` is how far the mean share of flags is from that of all people; groups come in its order. For numbers a level
    is a range.
    """

    label: str
    level: int | None
    merged: int
    people: int
    flagged: Rate
    away: float
    risks: Mapping[str, Rate] = field(default_factory=lambda: MappingProxyType({}))
