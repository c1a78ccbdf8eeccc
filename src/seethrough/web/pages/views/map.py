"""The map: real, released and outside rows in the plane that keeps most of the variation of the real table.

A window of the map stands in the address in millionths of the whole, so that zooming comes down to single rows and no
coordinate, which would be made of values, is in an address.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from seethrough.exploring.answers.places import MapDots, MapPlace, MapView, MapWindow
from seethrough.web.messages import Answer, Asked, redirect
from seethrough.web.pages.asking.addresses import AddressRefused
from seethrough.web.pages.asking.looking import TableView, show_tables
from seethrough.web.pages.drawing.scatter import HEIGHT, WIDTH, Place, draw_map
from seethrough.web.session.session import Session

FINE = 1_000_000
_WINDOW = re.compile(r"(\d{1,7})-(\d{1,7})-(\d{1,7})-(\d{1,7})")
_SWITCHES = ("real", "released", "outside", "flagged")
_WAYS = {"left": (-1, 0), "right": (1, 0), "up": (0, -1), "down": (0, 1)}


@dataclass(frozen=True)
class MapPart:
    """A window in millionths of the whole map: left, right, bottom, top."""

    left: int = 0
    right: int = FINE
    bottom: int = 0
    top: int = FINE

    def write(self) -> str:
        """Write it as an address has it; the whole map is nothing."""
        return "" if self == MapPart() else f"{self.left}-{self.right}-{self.bottom}-{self.top}"

    def scale(self, by: float, around: tuple[float, float] | None = None) -> "MapPart":
        """Make it larger or smaller around a place in millionths, by default its middle; it stays on the map."""
        x, y = around or ((self.left + self.right) / 2, (self.bottom + self.top) / 2)
        wide = min(max(round((self.right - self.left) * by), 2), FINE)
        high = min(max(round((self.top - self.bottom) * by), 2), FINE)
        left = min(max(round(x - wide / 2), 0), FINE - wide)
        bottom = min(max(round(y - high / 2), 0), FINE - high)
        return MapPart(left, left + wide, bottom, bottom + high)


def page(session: Session, asked: Asked) -> Answer:
    """Show a window of the map."""
    return show_tables(session, asked, "map", _show)


def read_part(text: str) -> MapPart:
    """Read a window from an address."""
    if not text:
        return MapPart()
    form = _WINDOW.fullmatch(text)
    part = MapPart(*map(int, form.groups())) if form else None
    if part is None or not (0 <= part.left < part.right <= FINE and 0 <= part.bottom < part.top <= FINE):
        raise AddressRefused("There is no such part of the map.")
    return part


def window_of(part: MapPart, whole: MapWindow) -> MapWindow:
    """Give a window in the coordinates of the projection."""
    wide, high = whole.right - whole.left, whole.top - whole.bottom
    return MapWindow(
        whole.left + wide * part.left / FINE,
        whole.left + wide * part.right / FINE,
        whole.bottom + high * part.bottom / FINE,
        whole.bottom + high * part.top / FINE,
    )


def _show(view: TableView) -> Answer:
    part = read_part(view.query.get("window", ""))
    whole = view.exploration.map(None, view.release)
    found = whole if part == MapPart() else view.exploration.map(window_of(part, whole.whole), view.release)
    here = view.exploration.place_of(view.person, view.release)
    hidden = set(view.query.get("without", "").split(".")) & set(_SWITCHES)
    return view.show(
        "map",
        "Map",
        drawn=_draw(found, here, hidden),
        found=found,
        part=part,
        is_whole=part == MapPart(),
        window=part.write(),
        switches=[(name, name not in hidden) for name in _SWITCHES if name != "outside" or found.outside],
        without=".".join(sorted(hidden)),
        zooms=_zooms(view, part, whole.whole, here),
        ways=_ways(view, found, here, part),
        nearest=[row + 1 for row, _, _ in here.nearest],
        counts=_counts(found),
    )


def place_in(window: MapWindow, x: float, y: float) -> Place:
    """Give a place in the frame of the drawing, the top being up."""
    return (
        round(WIDTH * (x - window.left) / ((window.right - window.left) or 1.0)),
        round(HEIGHT * (window.top - y) / ((window.top - window.bottom) or 1.0)),
    )


def _places(window: MapWindow, dots: MapDots | None) -> list[Place]:
    return [] if dots is None else [place_in(window, x, y) for x, y in zip(dots.x, dots.y, strict=True)]


def _draw(found: MapView, here: MapPlace, hidden: set[str]) -> object:
    window = found.window
    layers = (
        ("outside", found.outside),
        ("released", found.released),
        ("real", found.real),
        ("flagged", found.flagged),
    )
    kinds = [(name, _places(window, dots)) for name, dots in layers if name not in hidden]
    said = (
        "Real, released and outside rows",
        f"{found.real.inside:,} real and {found.released.inside:,} released rows lie in this window.",
    )
    near = [place_in(window, x, y) for _, x, y in here.nearest]
    return draw_map(kinds, place_in(window, here.x, here.y), near, said)


def _zooms(view: TableView, part: MapPart, whole: MapWindow, here: MapPlace) -> dict[str, str]:
    """Lead to a smaller and a larger window, one around the person, and the whole map."""
    own = (
        FINE * (here.x - whole.left) / ((whole.right - whole.left) or 1.0),
        FINE * (here.y - whole.bottom) / ((whole.top - whole.bottom) or 1.0),
    )
    parts = {
        "zoom in": part.scale(0.5),
        "zoom out": part.scale(2.0),
        "around this person": part.scale(0.5, own),
        "whole map": MapPart(),
    }
    without = view.query.get("without", "")
    return {
        name: view.to("map", window=to.write(), without=without)
        for name, to in parts.items()
        if to != part or name == "around this person"
    }


def _ways(view: TableView, found: MapView, here: MapPlace, part: MapPart) -> dict[str, str]:
    """Lead to the nearest real row in each of four directions, of those that are drawn."""
    start = place_in(found.window, here.x, here.y)
    places = _places(found.window, found.real)
    ways = {}
    for name, towards in _WAYS.items():
        row = nearest_towards(start, places, towards)
        if row is not None:
            kept = {"window": part.write(), "without": view.query.get("without", "")}
            ways[name] = view.to("map", **{**kept, "row": found.real.rows[row] + 1, "typed": None})
    return ways


def nearest_towards(start: Place, places: Sequence[Place], towards: tuple[int, int]) -> int | None:
    """Find the place nearest to another within the quarter that lies in a direction."""
    best: tuple[int, int] | None = None
    for number, (x, y) in enumerate(places):
        aside_x, aside_y = x - start[0], y - start[1]
        along = aside_x * towards[0] + aside_y * towards[1]
        across = abs(aside_x * towards[1]) + abs(aside_y * towards[0])
        if along > 0 and across <= along:
            far = aside_x * aside_x + aside_y * aside_y
            best = min(best, (far, number)) if best else (far, number)
    return best[1] if best else None


def _counts(found: MapView) -> str:
    def told(name: str, dots: MapDots) -> str:
        drawn = f", {len(dots.rows):,} drawn" if len(dots.rows) < dots.inside else ""
        return f"{dots.inside:,} of {dots.of:,} {name} rows{drawn}"

    outside = [told("outside", found.outside)] if found.outside else []
    return "; ".join([told("real", found.real), told("released", found.released), *outside])


def pick_on_map(view: TableView) -> Answer:
    """Pick the person nearest to where the map was pressed; the place is in thousandths of the drawing."""
    part = read_part(view.asked.first("window"))
    whole = view.exploration.map(None, view.release).whole
    window = window_of(part, whole)
    x, y = (_thousandths(view.asked.first(name)) for name in ("x", "y"))
    found = view.exploration.person_near(
        window.left + x * (window.right - window.left), window.top - y * (window.top - window.bottom), view.release
    )
    assert found.person.row is not None
    kept = {"window": part.write(), "without": view.query.get("without", "")}
    return redirect(view.to("map", **{**kept, "row": found.person.row + 1, "typed": None}))


def _thousandths(text: str) -> float:
    if not re.fullmatch(r"\d{1,4}", text) or int(text) > 1000:
        raise AddressRefused("There is no such place on the map.")
    return int(text) / 1000
