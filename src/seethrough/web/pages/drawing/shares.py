"""A share as a bar of one line; the words beside it say the number."""

from markupsafe import Markup

from seethrough.report.html.svg import across

_HEIGHT = 14


def draw_share(share: float | None, style: str = "released") -> Markup:
    """Draw a bar for a share of 1, an empty rail where there is none; `style` is the colour of what it speaks of."""
    filled = "" if share is None else f'<rect class="share-{style}" width="{across(share)}" height="{_HEIGHT}"/>'
    rail = f'<rect class="share-rail" width="100%" height="{_HEIGHT}"/>'
    return Markup(f'<svg class="share" aria-hidden="true" width="100%" height="{_HEIGHT}">{rail}{filled}</svg>')


def draw_difference(value: float, end: float) -> Markup:
    """Draw a difference as a bar to the left or the right of the middle, on an axis from -end to end."""
    length = min(abs(value) / end, 1.0) / 2 if end else 0.0
    start = 0.5 - length if value < 0 else 0.5
    side = "below" if value < 0 else "above"
    place = f'x="{across(start)}" width="{across(length)}" height="{_HEIGHT}"'
    rail = f'<rect class="share-rail" width="100%" height="{_HEIGHT}"/>'
    middle = f'<line class="axis" x1="50%" x2="50%" y1="0" y2="{_HEIGHT}"/>'
    bar = f'<rect class="share-{side}" {place}/>'
    return Markup(f'<svg class="share" aria-hidden="true" width="100%" height="{_HEIGHT}">{rail}{bar}{middle}</svg>')
