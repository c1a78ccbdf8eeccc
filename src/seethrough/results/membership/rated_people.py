"""People rated by how likely they were in the data: plain values, without anybody's label.

With a reference of people who were not in the data each person has a false alarm rate p: the share of the reference
rated at least as high, the person counted with it. For a person who was not in the data either the chance of p <= f is
at most f. Without a reference there is an order of people, and no probability.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from seethrough.kernels.arrays import Bools, Floats, Ints
from seethrough.results.outcome import Value

FORMAT = 1
"""Grows whenever a reader of the JSON form has to change."""
COLUMNS = ("synthetic", "rating", "row", "id", "score", "rank", "p", "listed")
FALSE_ALARM_RATES = (0.1, 0.01, 0.001)
FALSE_SHARE = 0.1
"""Of the people listed, so large a share at most is expected not to have been in the data."""
_ROUNDING = 1e-9


@dataclass(frozen=True)
class StandingOut:
    """How many people stand out at a false alarm rate, None where so few of the reference cannot resolve it.

    `by_chance` is how many would at most, on average, if nobody had been in the data.
    """

    rate: float
    people: int | None
    by_chance: float


@dataclass(frozen=True, eq=False)
class FalseAlarms:
    """The false alarm rate of each person, who is listed, and how many people of the reference were rated for it."""

    p: Floats
    listed: Bools
    outsiders: int

    def standing_out(self, rate: float) -> StandingOut:
        """Count who stands out at a false alarm rate."""
        is_resolved = rate * (self.outsiders + 1) >= 1 - _ROUNDING
        found = int((self.p <= rate + _ROUNDING).sum()) if is_resolved else None
        return StandingOut(rate, found, rate * len(self.p))


@dataclass(frozen=True, eq=False)
class PeopleRating:
    """One rating of all people against one released table; the larger a score, the likelier the person was in it.

    The rank of a person is 1 + the number of people rated higher. `alarms` is None without a reference.
    """

    synthetic: str
    rating: str
    title: str
    parameters: dict[str, Value]
    columns: tuple[str, ...]
    scores: Floats
    alarms: FalseAlarms | None
    seconds: float = 0.0

    @property
    def ranks(self) -> Ints:
        """Rank the people, the highest score first."""
        ordered = np.sort(self.scores)
        return np.asarray(1 + len(ordered) - np.searchsorted(ordered, self.scores, side="right"))

    @property
    def standing_out(self) -> tuple[StandingOut, ...]:
        """Count who stands out at each rate; nothing without a reference."""
        return tuple(map(self.alarms.standing_out, FALSE_ALARM_RATES)) if self.alarms else ()

    def rows(self, names: tuple[str | None, ...] | None) -> Iterator[tuple[Value, ...]]:
        """Give each person as plain values, under `COLUMNS`."""
        none = [None] * len(self.scores)
        p, listed = (self.alarms.p.tolist(), self.alarms.listed.tolist()) if self.alarms else (none, none)
        people = zip(names or none, self.scores.tolist(), self.ranks.tolist(), p, listed, strict=True)
        return ((self.synthetic, self.rating, row, *person) for row, person in enumerate(people, 1))


@dataclass(frozen=True)
class SkippedRating:
    """A rating that could not be computed against a released table, and why."""

    synthetic: str
    rating: str
    reason: str


@dataclass(frozen=True, eq=False)
class RatedPeople:
    """People rated against one or several released tables, each by itself.

    `names` has what the people are called; `set_aside` people of the reference set the scale and are not rated.
    """

    version: str
    people: str
    synthetic: tuple[str, ...]
    reference: str | None
    set_aside: int
    names: tuple[str | None, ...] | None
    seed: int
    ratings: tuple[PeopleRating, ...]
    skipped: tuple[SkippedRating, ...]
    notes: tuple[str, ...]
    seconds: float = field(compare=False, default=0.0)

    def rows(self) -> Iterator[tuple[Value, ...]]:
        """Give every rating of every person as plain values, under `COLUMNS`."""
        return (row for rating in self.ratings for row in rating.rows(self.names))

    def to_dict(self) -> dict[str, Any]:
        """Give everything as plain values."""
        return {
            "format": FORMAT,
            "seethrough": self.version,
            "people": self.people,
            "synthetic": list(self.synthetic),
            "reference": self.reference,
            "set_aside": self.set_aside,
            "seed": self.seed,
            "false_share": FALSE_SHARE,
            "ratings": [_described(rating, self.names) for rating in self.ratings],
            "skipped": [vars(each) for each in self.skipped],
            "notes": list(self.notes),
            "seconds": self.seconds,
        }


def _described(rating: PeopleRating, names: tuple[str | None, ...] | None) -> dict[str, Any]:
    return {
        "synthetic": rating.synthetic,
        "rating": rating.rating,
        "title": rating.title,
        "parameters": rating.parameters,
        "columns": list(rating.columns),
        "outsiders": rating.alarms.outsiders if rating.alarms else None,
        "standing_out": [vars(each) for each in rating.standing_out],
        "listed": int(rating.alarms.listed.sum()) if rating.alarms else None,
        "people": [dict(zip(COLUMNS[2:], row[2:], strict=True)) for row in rating.rows(names)],
        "seconds": rating.seconds,
    }
