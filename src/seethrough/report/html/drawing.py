"""Drawing the pictures of a report as inline SVG, in the same marks and colours as the risk strips."""

from html import escape
from itertools import pairwise
from math import ceil, floor

from seethrough.report import untrusted
from seethrough.report.html.svg import across, image, shape
from seethrough.report.pictures.diagnostic_pictures import SHORT_NAME, Bar, LeakMark, Mark, PictureGrid, Spots
from seethrough.report.pictures.score_pictures import WHOLE, RiskStrip
from seethrough.results.estimate import Estimate

_ROW, _CELL = 22, 18
_LETTER = 6.4
"""About how wide a letter of a label is."""
_SCATTER_HEIGHT = 260
_TOGETHER = 0.04
"""Share of the width below which marks cover each other."""
_SHADES = (0.02, 0.05, 0.1, 0.2)
"""Total variations at which the shade of a cell changes."""
_KEY_WIDTH = 280
"""Width of the key of shades."""


def draw_mark(mark: Mark) -> str:
    """Draw one row of marks; the table beside it says the numbers, so it is silent to a screen reader."""
    middle = _ROW / 2
    rate = mark.rate
    parts = [
        f'<line class="rail" x1="0%" x2="100%" y1="{middle}" y2="{middle}"/>',
        f'<line class="mark-interval" x1="{across(rate.low)}" x2="{across(rate.high)}" y1="{middle}" y2="{middle}"/>',
    ]
    if mark.base_rate is not None:
        parts.append(shape("base-rate", mark.base_rate, middle))
    if mark.other is not None:
        parts.append(shape("independent", mark.other.value, middle))
    parts.append(shape("value", rate.value, middle))
    return _silent("row", _ROW, parts)


def draw_leak(mark: LeakMark) -> str:
    """Draw a leak with its interval, 0 in the middle; the table beside it says the numbers."""
    middle = _ROW / 2

    def place(value: float) -> float:
        return 0.5 + value / (2 * mark.end)

    low, high = across(place(mark.leak.low)), across(place(mark.leak.high))
    parts = [
        f'<line class="rail" x1="0%" x2="100%" y1="{middle}" y2="{middle}"/>',
        shape("base-rate", 0.5, middle),
        f'<line class="mark-interval" x1="{low}" x2="{high}" y1="{middle}" y2="{middle}"/>',
        shape("value", place(mark.leak.value), middle),
    ]
    return _silent("row", _ROW, parts)


def draw_score(figure: RiskStrip) -> str:
    """Draw a score between its controls on one line, for a table that says the numbers.

    Where the controls lie close together the scale is magnified: the rail is broken, and its ends are written below.
    """
    window, middle = figure.window, _ROW / 2
    style = "rail" if window == WHOLE else "rail magnified"
    parts = [
        f'<line class="{style}" x1="0%" x2="100%" y1="{middle}" y2="{middle}"/>',
        _line("mark-interval", figure.risk, middle, window),
    ]
    heights = _heights(figure)
    for control, mark in ((figure.independent, "independent"), (figure.copy, "copy")):
        if control is not None:
            y = heights[mark]
            parts += [_line(f"whisker-{mark}", control, y, window), shape(mark, _within(control.value, window), y)]
    if figure.base_rate is not None and window[0] <= figure.base_rate <= window[1]:
        parts.append(shape("base-rate", _within(figure.base_rate, window), middle))
    parts.append(shape("value", _within(figure.risk.value, window), middle))
    if window == WHOLE:
        return _silent("row", _ROW, parts)
    ends = zip(("0%", "100%"), ("start", "end"), window, strict=True)
    written = [
        f'<text class="end" x="{x}" y="{_ROW + 11}" text-anchor="{side}">{end:g}</text>' for x, side, end in ends
    ]
    return _silent("row", _ROW + 14, [*parts, *written])


def _heights(figure: RiskStrip) -> dict[str, float]:
    """Put controls that would cover each other or the score above and below the line."""
    middle, wide = _ROW / 2, _TOGETHER * (figure.window[1] - figure.window[0])
    marks = sorted(each.value for each in (figure.independent, figure.risk, figure.copy) if each is not None)
    apart = 5 if any(after - before < wide for before, after in pairwise(marks)) else 0
    return {"independent": middle - apart, "copy": middle + apart}


def _within(value: float, window: tuple[float, float]) -> float:
    return (value - window[0]) / (window[1] - window[0])


def _line(style: str, estimate: Estimate, y: float, window: tuple[float, float]) -> str:
    low, high = (across(_within(end, window)) for end in (estimate.low, estimate.high))
    return f'<line class="{style}" x1="{low}" x2="{high}" y1="{y:g}" y2="{y:g}"/>'


def draw_bar(bar: Bar) -> str:
    """Draw the distance of one column from the real table, and a tick at that of people outside."""
    share = bar.value / bar.end if bar.end else 0.0
    parts = [f'<rect class="bar" x="0%" width="{across(share)}" y="5" height="12"/>']
    if bar.other is not None:
        parts.append(shape("base-rate", bar.other / bar.end if bar.end else 0.0, _ROW / 2))
    return _silent("row", _ROW, parts)


def _silent(kind: str, height: int, parts: list[str]) -> str:
    return f'<svg class="{kind}" aria-hidden="true" width="100%" height="{height}">{"".join(parts)}</svg>'


def draw_grid(figure: PictureGrid, ident: str) -> str:
    """Draw a triangle of cells, darker the further a pair is from the real table; hovering a cell tells its number.

    Rows bear number and name, columns the number alone, so that the drawing fits a phone.
    """
    names = [untrusted.visible(name, SHORT_NAME) for name in figure.names]
    labels = [f"{name} {number}" for number, name in enumerate(names, start=1)]
    left, size = round(_LETTER * max(map(len, labels)) + 8), _CELL * len(names)
    parts = []
    for row, column, value in figure.cells:
        said = escape(f"{names[column]} and {names[row]}: {value:.3f}")
        parts.append(
            f'<rect class="shade-{shade(value)}" x="{left + column * _CELL}" y="{row * _CELL}" width="{_CELL - 1}" '
            f'height="{_CELL - 1}"><title>{said}</title></rect>'
        )
    for place, label in enumerate(labels):
        y, x = place * _CELL + 13, left + place * _CELL + _CELL / 2
        parts.append(f'<text class="cell-label" x="{left - 6}" y="{y}" text-anchor="end">{escape(label)}</text>')
        if place < len(names) - 1:
            parts.append(f'<text class="cell-label" x="{x:g}" y="{size + 14}" text-anchor="middle">{place + 1}</text>')
    wide = max(left + size, _KEY_WIDTH)
    parts += _grid_key(size + 26)
    drawn = image(ident, "grid-figure", size + 64, (figure.title, figure.description), parts)
    return drawn.replace('width="100%"', f'width="{wide}" viewBox="0 0 {wide} {size + 64}"', 1)


def _grid_key(top: int) -> list[str]:
    """Draw the shades with the total variation at which each begins."""
    parts = [f'<text class="cell-label" x="0" y="{top + 13}">total variation</text>']
    for number, start in enumerate((0.0, *_SHADES)):
        x = 90 + number * 36
        parts.append(f'<rect class="shade-{number}" x="{x}" y="{top}" width="35" height="{_CELL}"/>')
        parts.append(f'<text class="cell-label" x="{x}" y="{top + _CELL + 13}" text-anchor="middle">{start:g}</text>')
    return parts


def shade(value: float) -> int:
    """Choose one of five shades."""
    return sum(value >= step for step in _SHADES)


def draw_spots(figure: Spots, ident: str) -> str:
    """Draw releases between utility and leak, in people out of 100; numbers are those of the table beside it."""
    spots = figure.spots
    lows = min(spot.utility for spot in spots), min(0.0, *(spot.leak for spot in spots))
    left, bottom = floor(lows[0] * 20) / 20, floor(lows[1] * 20) / 20
    top = max(0.05, ceil(max(spot.leak for spot in spots) * 20) / 20)
    width = max(1.0 - left, 0.05)
    parts = []
    for step in range(6):
        x, y = step / 5, _up(step / 5)
        utility, lead = left + width * x, bottom + (top - bottom) * x
        parts.append(f'<line class="grid" x1="8%" x2="98%" y1="{y}" y2="{y}"/>')
        parts.append(f'<text class="tick" x="7%" y="{y + 4}" text-anchor="end">{100 * lead:.0f}</text>')
        parts.append(
            f'<text class="tick" x="{_at(x)}" y="{_SCATTER_HEIGHT - 22}" text-anchor="middle">{utility:.2f}</text>'
        )
    for spot in spots:
        x, y = (spot.utility - left) / width, (spot.leak - bottom) / (top - bottom)
        parts.append(f'<circle class="mark-value" cx="{_at(x)}" cy="{_up(y)}" r="11"/>')
        parts.append(f'<text class="spot" x="{_at(x)}" y="{_up(y) + 4}" text-anchor="middle">{spot.number}</text>')
    y = _SCATTER_HEIGHT - 4
    parts.append(f'<text class="tick" x="53%" y="{y}" text-anchor="middle">similarity of pairs of columns</text>')
    parts.append('<text class="tick" x="0%" y="10">leak, people of 100 (at least)</text>')
    return image(ident, "scatter", _SCATTER_HEIGHT, (figure.title, figure.description), parts)


def _at(share: float) -> str:
    return f"{8 + 90 * min(max(share, 0.0), 1.0):.2f}%"


def _up(share: float) -> float:
    return round(_SCATTER_HEIGHT - 44 - (_SCATTER_HEIGHT - 70) * min(max(share, 0.0), 1.0), 1)
