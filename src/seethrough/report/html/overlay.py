"""Drawing two distributions over each other, what is exactly 0 in a column of its own."""

from seethrough.report.html.plot_frame import BOTTOM, HEIGHT, draw_frame, next_round, place_up
from seethrough.report.html.svg import across, image
from seethrough.report.pictures.diagnostic_pictures import Overlay

_MASS, _BINS_FROM = 0.06, 0.1
"""How wide the column of what is exactly 0 is, and where the bins begin."""


def draw_overlay(figure: Overlay, ident: str) -> str:
    """Draw bars for the release and a line of steps for the rows it is compared with, in percent of either."""
    top = next_round(max(*figure.released, *figure.independent, figure.released_zero, figure.independent_zero, 1e-4))
    wide = (1 - _BINS_FROM) / len(figure.released)
    places = [(0.0, _MASS), *((_BINS_FROM + number * wide, wide) for number in range(len(figure.released)))]
    released = (figure.released_zero, *figure.released)
    independent = (figure.independent_zero, *figure.independent)
    bars = [_bar(*place, share / top) for place, share in zip(places, released, strict=True) if share]
    before, steps = 0.0, list[str]()
    for number, (place, share) in enumerate(zip(places, independent, strict=True)):
        steps += _step(place, (before, share / top))
        before = share / top
        if number == 0 or number == len(places) - 1:
            steps.append(_upright(sum(place), before, 0.0))
            before = 0.0
    y_ticks = [(share, f"{100 * top * share:.3g}") for share in (0.0, 0.5, 1.0)]
    ticks = [(_BINS_FROM + (1 - _BINS_FROM) * step / 4, f"{figure.end * step / 4:.2g}") for step in range(1, 5)]
    named = [(_MASS / 2, "0"), (_BINS_FROM, ">0"), *ticks]
    x = figure.unit, [(across(place), said) for place, said in named]
    drawn = [*draw_frame(("% of rows", y_ticks), x), *bars, *steps]
    return image(ident, "overlay plot", HEIGHT, (figure.title, figure.description), drawn)


def _bar(start: float, width: float, share: float) -> str:
    height = max(BOTTOM - place_up(share), 1.0)
    place = f'x="{across(start)}" width="{across(width * 0.94)}" y="{BOTTOM - height:.1f}" height="{height:.1f}"'
    return f'<rect class="bar" {place}/>'


def _step(place: tuple[float, float], shares: tuple[float, float]) -> list[str]:
    start, width = place
    y = f"{place_up(shares[1]):.1f}"
    flat = f'<line class="step" x1="{across(start)}" x2="{across(start + width)}" y1="{y}" y2="{y}"/>'
    return [_upright(start, *shares), flat]


def _upright(at: float, share: float, to: float) -> str:
    x = across(at)
    return f'<line class="step" x1="{x}" x2="{x}" y1="{place_up(share):.1f}" y2="{place_up(to):.1f}"/>'
