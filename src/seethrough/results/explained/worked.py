"""A check worked through on one person: the rows it looks at, its formula with the person's numbers, and the table.

Nothing here holds a value of a table: rows are numbers, columns are names.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

SHOWN = 10
"""Rows that a step lists, at most."""

PartShown = Literal["real", "released", "outside", "person"]


@dataclass(frozen=True)
class RowsOf:
    """Some rows of a table, by number from 0 on, and for each the columns in which it differs from the person.

    `total` counts all rows of the kind, of which `rows` lists the first few; `distances` stand beside `rows` where the
    check measures any.
    """

    part: PartShown
    rows: tuple[int, ...]
    differs: tuple[tuple[str, ...], ...] = ()
    remark: str = ""
    total: int = 0
    distances: tuple[float, ...] = ()


@dataclass(frozen=True)
class Step:
    """One step: a sentence, the formula with numbers in it, the same numbers by name, the rows that were looked at.

    `curve` has false and true positive rates, where a check rates people.
    """

    said: str
    formula: str = ""
    numbers: Mapping[str, float] = field(default_factory=dict)
    rows: tuple[RowsOf, ...] = ()
    curve: tuple[tuple[float, float], ...] = ()


@dataclass(frozen=True)
class Worked:
    """A check worked through: the rows looked at, the formula, and from the person to the table.

    `result` is the person's own number, that of the run to the last bit, where `of` is "person". A check that has no
    risk for each person ends in the number of the whole table, and `of` is "table".
    """

    check: str
    steps: tuple[Step, ...]
    result: float
    of: Literal["person", "table"] = "person"


@dataclass(frozen=True)
class Lacking:
    """What cannot be shown: what the check would look at, and the reason why it does not."""

    check: str
    reason: str
    looks_at: str = ""
