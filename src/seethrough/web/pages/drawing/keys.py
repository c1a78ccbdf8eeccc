"""Marks alone, for legends: those of the report, and those that only the tool draws."""

from markupsafe import Markup

from seethrough.report.html import svg
from seethrough.web.pages.drawing.scatter import DOT_STYLES

_OWN = {
    "real-stroke": '<path class="spread-real" d="M0,-8 V8"/>',
    "outside-stroke": '<path class="whisker-independent" d="M0,-8 V8"/>',
    **{f"dot-{kind}": f'<g class="map"><path class="{style}" d="M0,0h0"/></g>' for kind, style in DOT_STYLES.items()},
    "dot-person": '<circle class="dots-flagged" fill="none" stroke-width="3" r="6"/>',
}


def draw_mark_key(mark: str) -> Markup:
    """Draw one mark; the text beside it says what it is."""
    if mark not in _OWN:
        return Markup(svg.draw_key(mark))
    return Markup(f'<svg width="22" height="18" viewBox="-11 -9 22 18" aria-hidden="true">{_OWN[mark]}</svg>')
