"""Drawing figures as inline SVG.

Positions across are percentages of the width and heights are pixels, so a drawing fits a phone
and a desk without its labels shrinking. Colours come from the classes of the page; every mark has
a shape of its own, so that nothing rests on colour. The page leaves room for marks at both ends.
"""

from html import escape
from itertools import pairwise

from seethrough.report.html.plot_frame import steps_path
from seethrough.report.pictures.score_pictures import GrowthLines, RiskHistogram, RiskStrip
from seethrough.results.estimate import Estimate

_TICKS = ((0.0, "0"), (0.25, "0.25"), (0.5, "0.5"), (0.75, "0.75"), (1.0, "1"))
_SHAPES = {
    "value": '<circle class="mark-value" r="6"/>',
    "independent": '<path class="mark-independent" d="M0,-6 L6,0 L0,6 L-6,0 Z"/>',
    "copy": '<path class="mark-copy" d="M0,-6 L6.5,5 L-6.5,5 Z"/>',
    "base-rate": '<path class="mark-base-rate" d="M0,-8 V8"/>',
    "interval": '<path class="mark-interval" d="M-9,0 H9"/>',
    "released": '<rect class="spread-released" x="-8" y="-5" width="16" height="10"/>',
    "outside": '<path class="spread-outside" d="M-9,0 H9"/>',
    "real": '<path class="spread-real" d="M-5,0 H5"/>',
    "person": '<path class="cell-label" d="M0,0 L6,-10 L-6,-10 Z"/><path class="spread-real" d="M0,0 V60"/>',
    "exposed": '<circle class="map-exposed" r="5"/>',
    "cell": '<rect class="shade-3" x="-7" y="-7" width="14" height="14"/>',
    "magnified": '<path class="magnified" d="M-10,0 H10"/>',
    "release": '<circle class="mark-value" r="5"/>',
    "permuted": '<path class="mark-independent" d="M0,-5 L5,0 L0,5 L-5,0 Z"/>',
    "holdout": '<rect class="mark-holdout" x="-4" y="-4" width="8" height="8"/>',
}
_CONTROLS_AT, _VALUE_AT, _AXIS_AT, _STRIP_HEIGHT = 10, 32, 46, 82
_BARS_HEIGHT, _HISTOGRAM_HEIGHT = 64, 100
_GROWTH_TOP, _GROWTH_BOTTOM, _GROWTH_HEIGHT = 12, 112, 150


def draw_strip(figure: RiskStrip, ident: str) -> str:
    """Draw a risk strip; `ident` names it uniquely in the page."""
    parts = [
        _axis(_AXIS_AT, top=0),
        _named("risk", _AXIS_AT),
        *_control(figure.independent, "independent"),
        *_control(figure.copy, "copy"),
        _segment("mark-interval", figure.risk, _VALUE_AT),
        *([] if figure.base_rate is None else [shape("base-rate", figure.base_rate, _VALUE_AT)]),
        shape("value", figure.risk.value, _VALUE_AT),
    ]
    return image(ident, "strip", _STRIP_HEIGHT, (figure.title, figure.description), parts)


def draw_histogram(figure: RiskHistogram, ident: str) -> str:
    """Draw a histogram of risks; `ident` names it uniquely in the page."""
    tallest = max(*figure.counts, *figure.independent, 1)
    width = 1 / len(figure.counts)
    bars = [_bar(number * width, width, count / tallest) for number, count in enumerate(figure.counts) if count]
    parts = [
        '<text class="tick" x="-44" y="-6">records</text>',
        f'<text class="tick" x="-6" y="10" text-anchor="end">{tallest:,}</text>',
        *bars,
        _against(figure.independent, tallest),
        _axis(_BARS_HEIGHT, top=_BARS_HEIGHT),
        _named("risk", _BARS_HEIGHT),
        *([] if figure.picked is None else [shape("person", figure.picked, 4)]),
    ]
    return image(ident, "histogram plot", _HISTOGRAM_HEIGHT, (figure.title, figure.description), parts)


def _against(counts: tuple[int, ...], tallest: int) -> str:
    """Draw the records against an independent table as a line of steps."""
    if not counts:
        return ""
    path = f'<path class="spread-outside" d="{steps_path([count / tallest for count in counts])}"/>'
    place = f'y="4" width="100%" height="{_BARS_HEIGHT - 4}" viewBox="0 0 100 100" preserveAspectRatio="none"'
    return f'<svg class="shape" {place}>{path}</svg>'


def draw_growth(figure: GrowthLines, ident: str) -> str:
    """Draw a line for each side over the number of tables; `ident` names it uniquely in the page."""
    tables = len(next(iter(figure.lines.values())))
    parts = [_level(share) for share in (0.0, 0.5, 1.0)]
    parts += [_number(place, tables) for place in range(tables)]
    parts.append(_named("synthetic tables", _GROWTH_BOTTOM))
    # The release last, so that nothing hides it.
    for number, (side, values) in enumerate(reversed(list(figure.lines.items()))):
        parts += _line(side, values, 0.012 * (number - (len(figure.lines) - 1) / 2))
    return image(ident, "growth", _GROWTH_HEIGHT, (figure.title, figure.description), parts)


def draw_key(mark: str) -> str:
    """Draw one mark alone, for the legend; the text beside it says what it is."""
    return f'<svg class="key" width="22" height="18" viewBox="-11 -9 22 18" aria-hidden="true">{_SHAPES[mark]}</svg>'


def across(value: float) -> str:
    """Place a value of the axis from 0 to 1 across the width."""
    return f"{100 * min(max(value, 0.0), 1.0):.2f}%"


def image(ident: str, kind: str, height: int, said: tuple[str, str], parts: list[str]) -> str:
    """Put the parts of a drawing together, with its title and description for who cannot see it."""
    title, description = map(escape, said)
    return (
        f'<svg class="{kind}" role="img" width="100%" height="{height}" '
        f'aria-labelledby="{ident}-title" aria-describedby="{ident}-desc">'
        f'<title id="{ident}-title">{title}</title><desc id="{ident}-desc">{description}</desc>{"".join(parts)}</svg>'
    )


def _named(name: str, y: int) -> str:
    """Name the axis at a height, below its ticks."""
    return f'<text class="tick axis-name" x="50%" y="{y + 34}" text-anchor="middle">{name}</text>'


def _axis(y: int, top: int) -> str:
    line = f'<line class="axis" x1="0%" x2="100%" y1="{y}" y2="{y}"/>'
    return line + "".join(_tick(place, label, top, y) for place, label in _TICKS)


def _tick(place: float, label: str, top: int, bottom: int) -> str:
    x = across(place)
    return (
        f'<line class="grid" x1="{x}" x2="{x}" y1="{top}" y2="{bottom + 4}"/>'
        f'<text class="tick" x="{x}" y="{bottom + 18}" text-anchor="middle">{label}</text>'
    )


def _control(control: Estimate | None, mark: str) -> list[str]:
    if control is None:
        return []
    return [_segment(f"whisker-{mark}", control, _CONTROLS_AT), shape(mark, control.value, _CONTROLS_AT)]


def _segment(style: str, estimate: Estimate, y: int) -> str:
    ends = f'x1="{across(estimate.low)}" x2="{across(estimate.high)}"'
    return f'<line class="{style}" {ends} y1="{y}" y2="{y}"/>'


def shape(mark: str, value: float, y: float) -> str:
    """Place a mark; a nested svg takes a percentage as its origin, which a transform cannot."""
    return f'<svg class="shape" data-mark="{mark}" x="{across(value)}" y="{y}" overflow="visible">{_SHAPES[mark]}</svg>'


def _bar(start: float, width: float, share: float) -> str:
    # A bin with a single record among thousands stays visible.
    height = max(share * (_BARS_HEIGHT - 4), 1.5)
    place = f'x="{across(start)}" width="{across(0.92 * width)}" y="{_BARS_HEIGHT - height:.1f}" height="{height:.1f}"'
    return f'<rect class="bar" {place}/>'


def _line(side: str, values: tuple[Estimate, ...], shift: float) -> list[str]:
    places = [across(_column(number, len(values)) + shift) for number in range(len(values))]
    heights = [_height(estimate.value) for estimate in values]
    parts = [
        f'<line class="line-{side}" x1="{x}" y1="{y}" x2="{to_x}" y2="{to_y}"/>'
        for (x, to_x), (y, to_y) in zip(pairwise(places), pairwise(heights), strict=True)
    ]
    for x, estimate in zip(places, values, strict=True):
        ends = f'y1="{_height(estimate.low)}" y2="{_height(estimate.high)}"'
        parts.append(f'<line class="line-{side}" x1="{x}" x2="{x}" {ends}/>')
        mark = _SHAPES[side]
        parts.append(f'<svg class="shape" x="{x}" y="{_height(estimate.value)}" overflow="visible">{mark}</svg>')
    return parts


def _column(number: int, tables: int) -> float:
    """Place a number of tables across, leaving room for the labels at the left."""
    return 0.08 + 0.92 * (number + 0.5) / tables


def _height(share: float) -> str:
    return f"{_GROWTH_BOTTOM - share * (_GROWTH_BOTTOM - _GROWTH_TOP):.1f}"


def _level(share: float) -> str:
    y = _height(share)
    return (
        f'<line class="grid" x1="8%" x2="100%" y1="{y}" y2="{y}"/>'
        f'<text class="tick" x="6%" y="{float(y) + 4:.1f}" text-anchor="end">{share:g}</text>'
    )


def _number(number: int, tables: int) -> str:
    place = f'x="{across(_column(number, tables))}" y="{_GROWTH_BOTTOM + 18}"'
    return f'<text class="tick" {place} text-anchor="middle">{number + 1}</text>'
