"""Drawing a map of people: a frame of cells, darker where more rows are, rings where people are exposed."""

from html import escape

from seethrough.report.html.svg import image
from seethrough.report.pictures.map_pictures import SHADES, MapPanel

_SIDE = 10
"""Of a cell."""
_LEFT, _BELOW = 18, 18
"""Room for the names of the axes."""


def draw_map(figure: MapPanel, ident: str) -> str:
    """Draw one table as a path for each shade, so that a map stays small; the whole is scaled to its column."""
    wide, high = figure.across * _SIDE, figure.up * _SIDE
    parts = [f'<rect class="map-frame" x="{_LEFT}" y="0" width="{wide}" height="{high}"/>']
    for number in range(1, len(SHADES) + 1):
        cells = [place for place, each in enumerate(figure.shades) if each == number]
        if cells:
            parts.append(f'<path class="shade-{number}" d="{"".join(_square(figure, cell) for cell in cells)}"/>')
    if figure.marked:
        parts.append(f'<path class="map-exposed" d="{"".join(_ring(figure, cell) for cell in figure.marked)}"/>')
    across, up = map(escape, figure.axes)
    middle = high / 2
    parts += [
        f'<text class="cell-label" x="{_LEFT + wide / 2:g}" y="{high + 14}" text-anchor="middle">{across}</text>',
        f'<text class="cell-label" x="12" y="{middle:g}" text-anchor="middle" transform="rotate(-90 12 {middle:g})">'
        f"{up}</text>",
    ]
    box = f'width="100%" viewBox="0 0 {_LEFT + wide} {high + _BELOW}"'
    drawn = image(ident, "people-map", high + _BELOW, (figure.title, figure.description), parts)
    return drawn.replace('width="100%"', box, 1)


def _square(figure: MapPanel, cell: int) -> str:
    x, y = _corner(figure, cell)
    return f"M{x} {y}h{_SIDE}v{_SIDE}h-{_SIDE}z"


def _ring(figure: MapPanel, cell: int) -> str:
    x, y = _corner(figure, cell)
    radius = _SIDE * 3 // 10
    return f"M{x + 2} {y + 5}a{radius} {radius} 0 1 0 {2 * radius} 0a{radius} {radius} 0 1 0 -{2 * radius} 0"


def _corner(figure: MapPanel, cell: int) -> tuple[int, int]:
    up, across = divmod(cell, figure.across)
    return _LEFT + across * _SIDE, (figure.up - 1 - up) * _SIDE
