"""What an audit shows besides its scores: signs that a release carries real rows, and what the pictures are drawn from.

Plain frozen values below `results`, because a report holds them. They hold no value of a record but for `shown` of
`ExposedRow` and `label` of `LeakGroup`; both stay out of the JSON form unless the user asked for values.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from enum import Enum
from typing import Any

from seethrough.results.estimate import Estimate
from seethrough.results.evidence import LeakFamily

NOT_KEPT_OUT = "rows that were not kept out of the real table make every risk look smaller than it is"
"""Ends a note about a holdout that is none."""


@dataclass(frozen=True)
class Rate:
    """A share or a mean with its interval and the number of rows it rests on."""

    value: float
    low: float
    high: float
    n: int


class ArtefactSign(Enum):
    """What looking for an artefact came to."""

    SHOWS = "shows through"
    CHANCE = "no more than chance"
    NONE = "none found"
    UNTOLD = "not checked"


@dataclass(frozen=True)
class Artefact:
    """One sign of real rows in a release.

    `found` of `of` things (`unit`) bear it; `chance` is the share that a table which owes nothing to these rows would
    show, taken from `against`, and `p` that of as many by chance, where it was tested. `columns` are those concerned,
    `rows` a few of the released rows concerned, numbered from 1.
    """

    name: str
    sign: ArtefactSign
    unit: str
    found: int = 0
    of: int = 0
    chance: Rate | None = None
    against: str = ""
    columns: tuple[str, ...] = ()
    rows: tuple[int, ...] = ()
    reason: str = ""
    p: float | None = None

    @property
    def share(self) -> float | None:
        """Give the share that bears the sign."""
        return self.found / self.of if self.of else None


@dataclass(frozen=True)
class Distances:
    """Distances to the nearest real row: how many released rows, and how many independent ones, fall into each bin.

    `edges` has one entry more than there are bins. Rows at distance 0 are counted apart as well.
    """

    edges: tuple[float, ...]
    released: tuple[int, ...]
    independent: tuple[int, ...]
    released_zero: int
    independent_zero: int
    released_median: float
    independent_median: float


@dataclass(frozen=True)
class LeakGroup:
    """Members with one level of a column, or with the small levels together, beside people outside of the same group.

    `members` and `outsiders` are shares of people (of pairs, for a rating), `leak` is their difference. Its interval
    and `p` are adjusted for all groups, and `is_exposed` says that the group leaks beyond chance.
    """

    column: str
    label: str
    merged: int
    family: LeakFamily
    attack: str
    measure: str
    members: float
    outsiders: float
    leak: Estimate
    p: float
    is_exposed: bool
    n_members: int
    n_outsiders: int


@dataclass(frozen=True)
class GroupedLeaks:
    """The leak by group; where there is none, the reason.

    `left_out` counts people whose levels are too small even together, in the column where they are most.
    """

    groups: tuple[LeakGroup, ...] = ()
    permutations: int = 0
    left_out: int = 0
    reason: str = ""


@dataclass(frozen=True)
class IsolatedRisk:
    """The mean risk by one check of the most isolated real rows, beside that of all other rows."""

    check: str
    isolated: Rate
    rest: Rate


@dataclass(frozen=True)
class IsolatedPeople:
    """What the people who are furthest from all others risk, beside the rest; where it cannot be said, the reason.

    `risks` are of the most isolated 1 % of real rows, at least 20, by every check that has a risk for each row; `leaks`
    are of the most isolated tenth of members and people outside together, and of the others, by one attack of each
    family. `distance` is the one by which people are isolated.
    """

    distance: str = ""
    risks: tuple[IsolatedRisk, ...] = ()
    leaks: tuple[LeakGroup, ...] = ()
    permutations: int = 0
    reason: str = ""


@dataclass(frozen=True)
class ColumnExposure:
    """How often the value of a column is that of the most similar released row.

    For real rows, for rows of people outside, and for everybody guessed alike (the most frequent value).
    """

    column: str
    real: Rate
    outside: Rate | None
    base_rate: float


@dataclass(frozen=True)
class ColumnFidelity:
    """Total variation between a column of the release and of the real table, and that of people outside if there are.

    Permuted columns have the very counts of the real table, so they are nothing to compare with.
    """

    column: str
    released: float
    outside: float | None


@dataclass(frozen=True)
class ColumnDistribution:
    """How a column is distributed in the real table, the release and among people outside, as shares of their rows.

    A number has ten bins of equal width over the real range and, where values are missing, one for these; a category
    has its levels, the most frequent of the real table first, and the last cell holds the rest of more than twelve:
    `merged` levels, or 0. The cells bear no value of a record.
    """

    column: str
    is_ordered: bool
    real: tuple[float, ...]
    released: tuple[float, ...]
    outside: tuple[float, ...] | None
    merged: int = 0


@dataclass(frozen=True)
class PairFidelity:
    """Total variation between the joint counts of two columns and those of the real table.

    In the release, and among people outside if there are any.
    """

    first: str
    second: str
    released: float
    outside: float | None = None


@dataclass(frozen=True)
class ExposedRow:
    """A real row on the list of exposed people, with its values only where the user asked for them.

    Rows are numbered from 1. `attack` is the one that is surest about this person, `p` its conformal p, `released_row`
    the released row that gives the person away, which is not the person's in the columns `differing`; `families` are
    all that list them. `shown` are the values of the person, `released_shown` those of the released row.
    """

    row: int
    families: tuple[str, ...]
    attack: str
    p: float
    released_row: int | None
    shown: tuple[str, ...] = ()
    released_shown: tuple[str, ...] = ()
    differing: tuple[str, ...] = ()


@dataclass(frozen=True)
class PeopleMap:
    """How many rows of each table fall into the cells of a plane, and which cells hold exposed people.

    The plane is that of the projection of `dcr`; `variation` is the share of the real table's variation that each of
    its two directions keeps. Cells are counted from the lower left, row by row. It stays out of the JSON form.
    """

    across: int
    up: int
    variation: tuple[float, ...]
    real: tuple[int, ...]
    released: tuple[int, ...]
    outside: tuple[int, ...] | None
    exposed: tuple[int, ...]


@dataclass(frozen=True)
class Diagnostics:
    """All that is shown of one synthetic table besides its scores; what is empty was not asked for or not possible."""

    artefacts: tuple[Artefact, ...] = ()
    distances: Distances | None = None
    groups: GroupedLeaks = GroupedLeaks()
    isolated: IsolatedPeople = IsolatedPeople()
    columns: tuple[ColumnExposure, ...] = ()
    marginals: tuple[ColumnFidelity, ...] = ()
    distributions: tuple[ColumnDistribution, ...] = ()
    pairs: tuple[PairFidelity, ...] = ()
    pair_similarity: float | None = None
    exposed: tuple[ExposedRow, ...] = ()
    shows_values: bool = False
    places: PeopleMap | None = None

    def to_dict(self) -> dict[str, Any]:
        """Give the JSON form as plain values; labels and values of rows stay out unless asked for, the map always."""
        plain = _plain(asdict(replace(self, places=None)))
        del plain["places"]
        if not self.shows_values:
            for group in plain["groups"]["groups"]:
                del group["label"]
            for row in plain["exposed"]:
                del row["shown"], row["released_shown"]
        return dict(plain)


def _plain(value: Any) -> Any:
    match value:
        case Mapping():
            return {name: _plain(each) for name, each in value.items()}
        case list() | tuple():
            return [_plain(each) for each in value]
        case Enum():
            return value.value
        case float():
            return round(value, 6)
    return value
