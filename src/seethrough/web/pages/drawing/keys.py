"""Marks alone, for legends: those of the report, and those that only the tool draws."""

from markupsafe import Markup

from seethrough.report.html import svg

_OWN = {
    "real-stroke": '<path class="cell-real" stroke-width="2" d="M0,-8 V8"/>',
    "outside-stroke": '<path class="whisker-independent" d="M0,-8 V8"/>',
    **{
        f"dot-{kind}": f'<path class="dots-{kind}" fill="none" stroke-width="7" stroke-linecap="round" d="M0,0h0"/>'
        for kind in ("real", "released", "outside", "flagged")
    },
    "dot-person": '<circle class="map-person" r="6"/>',
}


def draw_mark_key(mark: str) -> Markup:
    """Draw one mark; the text beside it says what it is."""
    if mark not in _OWN:
        return Markup(svg.draw_key(mark))
    return Markup(f'<svg width="22" height="18" viewBox="-11 -9 22 18" aria-hidden="true">{_OWN[mark]}</svg>')
