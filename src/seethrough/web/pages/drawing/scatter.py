"""The map: all points of one kind are one path of strokes without length, which a round cap makes dots.

A picture of 3,000 points of each of three kinds stays below 90 kB this way.
"""

from collections.abc import Iterable, Sequence
from html import escape

from markupsafe import Markup

WIDTH, HEIGHT = 1000, 640
"""The frame in which places are whole numbers."""

DOT_STYLES = {"real": "spread-real", "released": "line-release", "outside": "spread-outside", "flagged": "dots-flagged"}
"""Colours of the kinds of rows, by classes that the report has too."""

MANY = 2000
"""Points above which dots are small."""

Place = tuple[int, int]


def draw_map(
    kinds: Sequence[tuple[str, Sequence[Place]]],
    person: Place | None,
    nearest: Iterable[Place],
    said: tuple[str, str],
) -> Markup:
    """Draw each kind of points over the one before, then the picked person with lines to its nearest released rows."""
    parts = [f'<path class="{DOT_STYLES[kind]}" d="{dots_path(places)}"/>' for kind, places in kinds if places]
    if person is not None:
        x, y = person
        parts += [f'<path class="map-line spread-real" d="M{x} {y}L{to_x} {to_y}"/>' for to_x, to_y in nearest]
        parts.append(f'<circle class="dots-flagged" fill="none" stroke-width="4" cx="{x}" cy="{y}" r="9"/>')
    title, description = map(escape, said)
    many = " many" if sum(len(places) for _, places in kinds) > MANY else ""
    return Markup(
        f'<svg class="map{many}" role="img" viewBox="0 0 {WIDTH} {HEIGHT}" aria-labelledby="map-title" '
        f'aria-describedby="map-desc"><title id="map-title">{title}</title><desc id="map-desc">{description}</desc>'
        f"{''.join(parts)}</svg>"
    )


def dots_path(places: Iterable[Place]) -> str:
    """Give places as one path, each once, however many rows lie there."""
    return "".join(f"M{x} {y}h0" for x, y in dict.fromkeys(places))
