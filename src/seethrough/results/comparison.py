"""Several releases of the same real table compared: which leaks less, and which differ beyond chance.

Releases are numbered from 1 in the order in which they were given. Nothing here holds a value of a record.
"""

from dataclasses import asdict, dataclass
from typing import Any

from seethrough.results.estimate import Estimate
from seethrough.results.evidence import Grade, LeakFamily


@dataclass(frozen=True)
class ReleaseDifference:
    """How far the leak of one release exceeds that of another, by one attack on the same people.

    `p` is adjusted over all attacks and pairs of releases, the interval holds for all of them at once. `measure` says
    what the two leaks count, in shares of people.
    """

    first: int
    second: int
    attack: str
    family: LeakFamily
    measure: str
    first_leak: float
    second_leak: float
    difference: Estimate
    p: float
    told_apart: bool

    def to_dict(self) -> dict[str, Any]:
        """Give the JSON form."""
        return {**asdict(self), "family": self.family.value}


@dataclass(frozen=True)
class RankedRelease:
    """A release at its place, the one that leaks least first; releases that leak alike share a place.

    `leak` is the lower end of the largest leak found, adjusted for all attacks; 0 where none was found. Without a place
    nothing could be told about the release.
    """

    number: int
    place: int | None
    grade: Grade
    leak: float | None
    attack: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """Give the JSON form."""
        return {**asdict(self), "grade": self.grade.value}


@dataclass(frozen=True)
class ReleaseComparison:
    """Every pair of releases by every attack that both have, and the order of the releases.

    `members` and `outsiders` are the people on whom pairs were compared; `notes` say what could not be.
    """

    releases: tuple[str, ...]
    ranking: tuple[RankedRelease, ...]
    differences: tuple[ReleaseDifference, ...] = ()
    members: int = 0
    outsiders: int = 0
    permutations: int = 0
    notes: tuple[str, ...] = ()

    def between(self, first: int, second: int) -> tuple[ReleaseDifference, ...]:
        """List the differences of a pair of releases, by their numbers in either order."""
        return tuple(each for each in self.differences if {each.first, each.second} == {first, second})

    def to_dict(self) -> dict[str, Any]:
        """Give the JSON form."""
        return {
            "releases": list(self.releases),
            "ranking": [each.to_dict() for each in self.ranking],
            "differences": [each.to_dict() for each in self.differences],
            "members": self.members,
            "outsiders": self.outsiders,
            "permutations": self.permutations,
            "notes": list(self.notes),
        }
