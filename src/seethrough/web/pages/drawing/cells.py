"""One level or range of a column in three tables, on a line: bar for the release, strokes for the two others."""

from markupsafe import Markup

from seethrough.report.html.svg import across

_HEIGHT = 18


def draw_cell(released: float, real: float, outside: float | None, end: float) -> Markup:
    """Draw shares of rows on an axis from 0 to `end`; the table beside it says the numbers."""
    scale = end or 1.0
    parts = [f'<rect class="spread-released" width="{across(released / scale)}" y="4" height="10"/>']
    if outside is not None:
        parts.append(_stroke("whisker-independent", outside / scale))
    parts.append(_stroke("spread-real", real / scale))
    return Markup(f'<svg class="row" aria-hidden="true" width="100%" height="{_HEIGHT}">{"".join(parts)}</svg>')


def _stroke(style: str, share: float) -> str:
    x = across(share)
    return f'<line class="{style}" x1="{x}" x2="{x}" y1="1" y2="{_HEIGHT - 1}"/>'
