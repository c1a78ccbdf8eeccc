"""A map of the tables: places in the plane that keeps most of the variation of the real table."""

from dataclasses import dataclass

from seethrough.exploring.answers.persons import Person


@dataclass(frozen=True)
class MapWindow:
    """A part of the map, in the coordinates of the projection; edges belong to it."""

    left: float
    right: float
    bottom: float
    top: float


@dataclass(frozen=True)
class MapDots:
    """Rows of one table in a window, at most 3,000 of `inside` many; rows count from 0.

    Where there are more, those drawn are the same every time, and every other one is drawn in a smaller window.
    """

    rows: tuple[int, ...]
    x: tuple[float, ...]
    y: tuple[float, ...]
    inside: int
    of: int


@dataclass(frozen=True)
class MapView:
    """What the map shows in a window: real, released and outside rows, and the real ones that are flagged.

    `variation` is the share of the variation of the real table that the two axes keep. `whole` is the window that holds
    every row.
    """

    window: MapWindow
    whole: MapWindow
    variation: float
    real: MapDots
    released: MapDots
    outside: MapDots | None
    flagged: MapDots


@dataclass(frozen=True)
class MapPlace:
    """Where a person is on the map, and the places of the three released rows that are nearest by distance."""

    person: Person
    x: float
    y: float
    nearest: tuple[tuple[int, float, float], ...]
