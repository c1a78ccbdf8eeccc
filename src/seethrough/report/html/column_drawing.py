"""Drawing the distribution of a column: bars for the release, a line for people outside, strokes for the real table."""

from html import escape

from seethrough.report.html.plot_frame import next_round, steps_path
from seethrough.report.html.svg import image
from seethrough.report.pictures.column_pictures import ColumnSpread

TOP, BOTTOM = 20, 84
"""Between which heights shares are drawn."""


def draw_spread(figure: ColumnSpread, ident: str) -> str:
    """Draw a column in a stretched frame of 100 by 100, with its axes around it."""
    top = next_round(max(*figure.released, *figure.real, *(figure.outside or (0.0,)), 1e-4))
    paths = [
        _path("spread-released", _bars([share / top for share in figure.released])),
        _path("spread-outside", steps_path([share / top for share in figure.outside or ()])),
        _path("spread-real", _strokes([share / top for share in figure.real])),
    ]
    place = f'x="0" y="{TOP}" width="100%" height="{BOTTOM - TOP}"'
    inner = f'<svg class="shape" {place} viewBox="0 0 100 100" preserveAspectRatio="none">{"".join(paths)}</svg>'
    parts = [*_axes(figure, top), inner]
    return image(ident, "spread plot", BOTTOM + 22, (figure.title, figure.description), parts)


def _axes(figure: ColumnSpread, top: float) -> list[str]:
    below = BOTTOM + 16
    return [
        '<text class="tick" x="-44" y="8">% of rows</text>',
        f'<text class="tick" x="-6" y="{TOP + 6}" text-anchor="end">{100 * top:.3g}</text>',
        f'<text class="tick" x="-6" y="{BOTTOM}" text-anchor="end">0</text>',
        f'<line class="axis" x1="0%" x2="100%" y1="{BOTTOM}" y2="{BOTTOM}"/>',
        f'<text class="tick" x="0%" y="{below}">{escape(figure.ends[0])}</text>',
        f'<text class="tick" x="55%" y="{below}" text-anchor="middle">{escape(figure.axis)}</text>',
        f'<text class="tick" x="100%" y="{below}" text-anchor="end">{escape(figure.ends[1])}</text>',
    ]


def _path(style: str, data: str) -> str:
    return f'<path class="{style}" d="{data}"/>' if data else ""


def _bars(heights: list[float]) -> str:
    wide = 100 / len(heights)
    return "".join(
        f"M{number * wide:.1f},100V{100 - 100 * high:.1f}h{wide * 0.94:.1f}V100Z"
        for number, high in enumerate(heights)
        if high
    )


def _strokes(heights: list[float]) -> str:
    wide = 100 / len(heights)
    return "".join(
        f"M{(number + 0.2) * wide:.1f},{100 - 100 * high:.1f}h{0.55 * wide:.1f}" for number, high in enumerate(heights)
    )
