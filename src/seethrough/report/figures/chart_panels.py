"""One chart as SVG: axes, reference lines, series with their intervals, and what the mouse is told about a point."""

from dataclasses import dataclass
from html import escape
from itertools import pairwise
from math import isfinite

from seethrough.report.figures.axis_scales import AxisScale, scales
from seethrough.report.figures.palette import INK, QUIET, REFERENCE_DASHES, look
from seethrough.report.figures.svg_text import LETTER, text_at
from seethrough.results.figure import Chart, Figure, Series

CHART, SMALL = (400, 270), (250, 170)
"""Width and height of a chart, and of one of four or more in a row."""
LEFT, RIGHT, ABOVE, BELOW = 58, 14, 8, 38
TICK_LETTER = 0.9 * LETTER
SHORT = 6
"""Letters of a word at a tick that never slants, as those of numbers."""
DOWN, ALONG = 0.64, 0.77
"""Sine and cosine of 40 degrees, by which words at ticks slant."""
APART = 4
"""How far apart points of several series at one place are drawn, so that their intervals do not cover each other."""
_SHAPES = {
    "circle": "<circle r='4'/>",
    "square": "<rect x='-3.6' y='-3.6' width='7.2' height='7.2'/>",
    "diamond": "<path d='M0,-5 L5,0 L0,5 L-5,0 Z'/>",
    "triangle-up": "<path d='M0,-4.8 L4.8,4 L-4.8,4 Z'/>",
    "triangle-down": "<path d='M0,4.8 L4.8,-4 L-4.8,-4 Z'/>",
    "cross": "<path d='M-4.5,-1.4 H-1.4 V-4.5 H1.4 V-1.4 H4.5 V1.4 H1.4 V4.5 H-1.4 V1.4 H-4.5 Z'/>",
    "x": "<path d='M-4,-4 L4,4 M-4,4 L4,-4' stroke-width='2.2'/>",
    "star": "<path d='M0,-5 L1.5,-1.5 L5,-1 L2.3,1.4 L3,5 L0,3 L-3,5 L-2.3,1.4 L-5,-1 L-1.5,-1.5 Z'/>",
}
_FAINT = f"stroke='{INK}' stroke-opacity='0.3' stroke-width='0.6'"


@dataclass(frozen=True)
class ChartFrame:
    """The rectangle of a chart in which values are drawn, with its scales and the room that slanting words take."""

    x: AxisScale
    y: AxisScale
    left: int
    width: int
    height: int
    slant: int

    def at(self, x: float, y: float) -> tuple[float, float]:
        """Give the point of a pair of values."""
        return self.x.place(x) * self.width, (1 - self.y.place(y)) * self.height


def frame_of(chart: Chart, figure: Figure) -> ChartFrame:
    """Settle where a chart draws its values, so that no word at a tick is cut off."""
    x, y = scales(chart)
    whole = SMALL if figure.across > 3 else CHART
    width, height = whole[0] - LEFT - RIGHT, whole[1] - ABOVE - BELOW
    places = sorted((x.place(value) * width, TICK_LETTER * len(word)) for value, word in chart.x.ticks)
    longest = max((wide for _, wide in places), default=0.0)
    meets = any(to - at < (wide + next_wide) / 2 + 4 for (at, wide), (to, next_wide) in pairwise(places))
    if not meets or longest < TICK_LETTER * SHORT:
        return ChartFrame(x, y, LEFT, width, height, 0)
    left = max(LEFT, *(round(ALONG * wide - at) + 4 for at, wide in places))
    return ChartFrame(x, y, left, width, height, round(DOWN * longest))


def chart_size(chart: Chart, figure: Figure) -> tuple[int, int]:
    """Give width and height of a chart."""
    frame = frame_of(chart, figure)
    return frame.left + frame.width + RIGHT, ABOVE + frame.height + frame.slant + BELOW


def draw_chart(chart: Chart, figure: Figure) -> str:
    """Draw a chart without its title."""
    frame = frame_of(chart, figure)
    parts = [_axes(chart, frame)]
    for place, (_, value) in enumerate(chart.lines):
        parts.append(_reference(place, f"M0,{frame.at(0, value)[1]:.1f} H{frame.width}"))
    if chart.diagonal:
        parts.append(_reference(0, f"M0,{frame.height} L{frame.width},0"))
    for series, shift in zip(chart.series, shifts(chart), strict=True):
        drawn = _series(series, figure.legend.index(series.name), chart, frame)
        parts.append(f"<g transform='translate({shift:g},0)'>{drawn}</g>" if shift else drawn)
    return f"<g transform='translate({frame.left},{ABOVE})'>{''.join(parts)}</g>"


def series_key(place: int, *, marked: bool, is_quiet: bool = False) -> str:
    """Draw the sign of a series for a legend, 24 wide."""
    colour, mark, dash = look(place, is_quiet=is_quiet)
    shape = f"<g transform='translate(12,0)' fill='{colour}' stroke='{colour}'>{_SHAPES[mark]}</g>" if marked else ""
    return f"<path d='M0,0 H24' stroke='{colour}' stroke-width='1.8' stroke-dasharray='{dash}'/>{shape}"


def reference_key(place: int) -> str:
    """Draw the sign of a reference line for a legend, 24 wide."""
    return _reference(place, "M0,0 H24")


def interval_key() -> str:
    """Draw the sign of an interval for a legend, 24 wide."""
    return f"<path d='M9,-6 h6 M12,-6 V6 M9,6 h6' fill='none' stroke='{QUIET}' stroke-width='1.2'/>"


def _reference(place: int, path: str) -> str:
    dash = REFERENCE_DASHES[place % len(REFERENCE_DASHES)]
    return f"<path d='{path}' stroke='{QUIET}' stroke-width='1.2' stroke-dasharray='{dash}'/>"


def shifts(chart: Chart) -> list[float]:
    """Say how far each series is drawn beside its places: not at all, but where intervals would cover each other."""
    count = len(chart.series)
    places = [x for series in chart.series for x in set(series.x)]
    meet = len(set(places)) < len(places)
    if not (chart.joined and meet and any(series.low for series in chart.series)):
        return [0.0] * count
    apart = min(APART, 4 * APART / max(1, count - 1))
    return [(number - (count - 1) / 2) * apart for number in range(count)]


def _axes(chart: Chart, frame: ChartFrame) -> str:
    wide, tall, parts = frame.width, frame.height, list[str]()
    for value, word in frame.x.ticks:
        at = frame.x.place(value) * wide
        parts.append(f"<path d='M{at:.1f},0 V{tall + 4}' {_FAINT}/>")
        if frame.slant:
            word_end = f"translate({at + 4:.1f},{tall + 12}) rotate(-40)"
            parts.append(f"<g transform='{word_end}'>{text_at(0, 0, word, 10, anchor='end')}</g>")
        else:
            parts.append(text_at(at, tall + 16, word, 10, anchor="middle"))
    for value, word in frame.y.ticks:
        at = (1 - frame.y.place(value)) * tall
        parts.append(f"<path d='M-4,{at:.1f} H{wide}' {_FAINT}/>")
        parts.append(text_at(-7, at + 3.5, word, 10, anchor="end"))
    parts.append(f"<rect width='{wide}' height='{tall}' fill='none' stroke='{INK}' stroke-width='0.8'/>")
    parts.append(text_at(wide / 2, tall + 33 + frame.slant, chart.x.label, 11, anchor="middle"))
    turned = f"translate(-44,{tall / 2:.0f}) rotate(-90)"
    label = text_at(0, 0, chart.y.label, 11, anchor="middle")
    return "".join(parts) + f"<g transform='{turned}'>{label}</g>"


def _series(series: Series, place: int, chart: Chart, frame: ChartFrame) -> str:
    colour, mark, dash = look(place, is_quiet=series.is_quiet)
    there = [number for number, y in enumerate(series.y) if isfinite(y)]
    spots = [frame.at(series.x[number], series.y[number]) for number in there]
    parts = []
    if chart.joined and len(spots) > 1:
        path = " L".join(f"{x:.1f},{y:.1f}" for x, y in spots)
        parts.append(f"<path d='M{path}' fill='none' stroke-width='1.8' stroke-dasharray='{dash}'/>")
    parts += [_interval(series, number, frame) for number in there if _has_interval(series, number)]
    if not chart.steps:
        parts += [
            f"<g transform='translate({x:.1f},{y:.1f})'>{_SHAPES[mark]}{_hint(series, number, chart)}</g>"
            for number, (x, y) in zip(there, spots, strict=True)
        ]
    name = escape(series.name, quote=True)
    return f"<g class='series-{place}' data-series='{name}' fill='{colour}' stroke='{colour}'>{''.join(parts)}</g>"


def _has_interval(series: Series, number: int) -> bool:
    return bool(series.low) and isfinite(series.low[number]) and isfinite(series.high[number])


def _interval(series: Series, number: int, frame: ChartFrame) -> str:
    x, top = frame.at(series.x[number], series.high[number])
    bottom = frame.at(series.x[number], series.low[number])[1]
    bar = f"M{x - 3:.1f},{top:.1f} h6 M{x:.1f},{top:.1f} V{bottom:.1f} M{x - 3:.1f},{bottom:.1f} h6"
    return f"<path d='{bar}' fill='none' stroke-width='1.2'/>"


def _hint(series: Series, number: int, chart: Chart) -> str:
    """Say what a browser shows while the mouse rests on a point."""
    interval = f" ({series.low[number]:.3g} to {series.high[number]:.3g})" if _has_interval(series, number) else ""
    remark = f", {series.remarks[number]}" if series.remarks else ""
    place = _word_at(series.x[number], chart)
    said = f"{series.name}{remark}\n{chart.x.label}: {place}\n{chart.y.label}: {series.y[number]:.3g}{interval}"
    return f"<title>{escape(said)}</title>"


def _word_at(value: float, chart: Chart) -> str:
    """Name a place of the x axis by its tick or its number; without a line, ticks name groups of points."""
    ticks = chart.x.ticks
    if ticks and not chart.joined:
        return min(ticks, key=lambda tick: abs(tick[0] - value))[1]
    return dict(ticks).get(value, f"{value:,.6g}")
