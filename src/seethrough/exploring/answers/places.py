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
    """Dots of one table in a window: the places of its rows, at most 3,000 of them; rows count from 0.

    Rows at one place are one dot, named by the first of them. `inside` of the `of` rows are in the window, at `places`
    different places. Where there are more than are drawn, it is the same ones every time, and every other one is drawn
    in a smaller window.
    """

    rows: tuple[int, ...]
    x: tuple[float, ...]
    y: tuple[float, ...]
    inside: int
    of: int
    places: int


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
