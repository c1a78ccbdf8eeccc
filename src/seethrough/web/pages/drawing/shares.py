"""A share as a bar of one line; the words beside it say the number."""

from markupsafe import Markup

from seethrough.report.html.svg import across

_HEIGHT = 14
_STYLES = {"released": "mark-value", "outside": "mark-independent", "nobody": "tick"}
"""Looks of what a bar speaks of: filled, outlined and grey, as the marks of the report are."""


def draw_share(share: float | None, of: str = "released") -> Markup:
    """Draw a bar for a share of 1, a line alone where there is none."""
    middle = f'y1="{_HEIGHT / 2}" y2="{_HEIGHT / 2}"'
    bar = "" if share is None else f'<rect class="{_STYLES[of]}" width="{across(share)}" y="1" height="{_HEIGHT - 2}"/>'
    rail = f'<line class="rail" x2="100%" {middle}/>'
    return Markup(f'<svg aria-hidden="true" width="100%" height="{_HEIGHT}">{rail}{bar}</svg>')
