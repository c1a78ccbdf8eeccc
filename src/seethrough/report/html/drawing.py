"""Drawing the pictures of a report as inline SVG, in the same marks and colours as the risk strips."""

from html import escape
from math import ceil, floor

from seethrough.report import untrusted
from seethrough.report.html.svg import across, image, shape
from seethrough.report.pictures.diagnostic_pictures import SHORT_NAME, Bar, LeakMark, Mark, Overlay, PictureGrid, Spots
from seethrough.report.pictures.score_pictures import RiskStrip
from seethrough.results.estimate import Estimate

_HEIGHT, _ROW, _CELL, _LABELS = 130, 22, 18, 150
_SCATTER_HEIGHT = 260
_SHADES = (0.02, 0.05, 0.1, 0.2)
"""Total variations at which the shade of a cell changes."""


def draw_overlay(figure: Overlay, ident: str) -> str:
    """Draw two distributions over each other: bars for the release, a line of steps for the independent table."""
    tallest = max(*figure.released, *figure.independent, 1e-9)
    width = 1 / len(figure.released)
    bars = [_column(place * width, width, share / tallest) for place, share in enumerate(figure.released) if share]
    steps = []
    for place, share in enumerate(figure.independent):
        y = _HEIGHT - (_HEIGHT - 6) * share / tallest
        before = _HEIGHT - (_HEIGHT - 6) * (figure.independent[place - 1] if place else 0.0) / tallest
        x1, x2 = across(place * width), across((place + 1) * width)
        steps.append(f'<line class="step" x1="{x1}" x2="{x1}" y1="{before:.1f}" y2="{y:.1f}"/>')
        steps.append(f'<line class="step" x1="{x1}" x2="{x2}" y1="{y:.1f}" y2="{y:.1f}"/>')
    ticks = [_tick(number / 4, f"{figure.end * number / 4:.2g}") for number in range(5)]
    axis = f'<line class="axis" x1="0%" x2="100%" y1="{_HEIGHT}" y2="{_HEIGHT}"/>'
    return image(ident, "overlay", _HEIGHT + 22, (figure.title, figure.description), [*bars, *steps, axis, *ticks])


def _column(start: float, width: float, share: float) -> str:
    height = max(share * (_HEIGHT - 6), 1.0)
    place = f'x="{across(start)}" width="{across(width * 0.94)}" y="{_HEIGHT - height:.1f}" height="{height:.1f}"'
    return f'<rect class="bar" {place}/>'


def _tick(place: float, label: str) -> str:
    anchor = {0.0: "start", 1.0: "end"}.get(place, "middle")
    return f'<text class="tick" x="{across(place)}" y="{_HEIGHT + 16}" text-anchor="{anchor}">{escape(label)}</text>'


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
    """Draw a score between its controls on one line, for a table that says the numbers."""
    middle = _ROW / 2
    parts = [
        f'<line class="rail" x1="0%" x2="100%" y1="{middle}" y2="{middle}"/>',
        _line("mark-interval", figure.risk, middle),
    ]
    for control, mark in ((figure.independent, "independent"), (figure.copy, "copy")):
        if control is not None:
            parts += [_line(f"whisker-{mark}", control, middle), shape(mark, control.value, middle)]
    if figure.base_rate is not None:
        parts.append(shape("base-rate", figure.base_rate, middle))
    return _silent("row", _ROW, [*parts, shape("value", figure.risk.value, middle)])


def _line(style: str, estimate: Estimate, y: float) -> str:
    return f'<line class="{style}" x1="{across(estimate.low)}" x2="{across(estimate.high)}" y1="{y}" y2="{y}"/>'


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
    """Draw a triangle of cells, darker the further a pair is from the real table; hovering a cell tells its number."""
    size = _CELL * len(figure.names)
    names = [untrusted.visible(name, SHORT_NAME) for name in figure.names]
    parts = []
    for row, column, value in figure.cells:
        said = escape(f"{names[column]} and {names[row]}: {value:.3f}")
        parts.append(
            f'<rect class="shade-{shade(value)}" x="{_LABELS + column * _CELL}" y="{row * _CELL}" width="{_CELL - 1}" '
            f'height="{_CELL - 1}"><title>{said}</title></rect>'
        )
    for place, name in enumerate(names):
        y = place * _CELL + 13
        parts.append(f'<text class="cell-label" x="{_LABELS - 6}" y="{y}" text-anchor="end">{escape(name)}</text>')
        if place < len(names) - 1:
            x = _LABELS + place * _CELL + 12
            turned = f'transform="translate({x},{size + 6}) rotate(-60)"'
            parts.append(f'<text class="cell-label" text-anchor="end" {turned}>{escape(name)}</text>')
    drawn = image(ident, "grid-figure", size + 130, (figure.title, figure.description), parts)
    return drawn.replace('width="100%"', f'width="{_LABELS + size + 10}"', 1)


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
    return image(ident, "scatter", _SCATTER_HEIGHT, (figure.title, figure.description), parts)


def _at(share: float) -> str:
    return f"{8 + 90 * min(max(share, 0.0), 1.0):.2f}%"


def _up(share: float) -> float:
    return round(_SCATTER_HEIGHT - 44 - (_SCATTER_HEIGHT - 60) * min(max(share, 0.0), 1.0), 1)
