"""The ROC curve of a membership attack on log axes: what matters is at the left, where false alarms are rare."""

from collections.abc import Sequence
from math import ceil, log10

from markupsafe import Markup

from seethrough.report.html.plot_frame import BOTTOM, HEIGHT, TOP, draw_frame
from seethrough.report.html.svg import across, image, shape

_MOST_DECADES = 6


def draw_roc(curve: Sequence[tuple[float, float]], picked: float | None, ident: str) -> Markup:
    """Draw members found (up) by false alarms (across), both from the smallest rate that people outside resolve.

    `curve` are pairs of false alarm rate and share of members found; `picked` is the false alarm rate at which the
    person at hand is found.
    """
    seen = [rate for pair in curve for rate in pair if rate > 0]
    decades = min(max(ceil(-log10(min(seen, default=0.1)) - 1e-9), 1), _MOST_DECADES)
    ticks = [(1 - step / decades, f"{100 * 10.0**-step:g}") for step in range(decades + 1)]
    frame = draw_frame(
        ("% of members found", ticks),
        ("% of people outside falsely called members", [(across(x), t) for x, t in ticks]),
    )
    place = f'x="0" y="{TOP}" width="100%" height="{BOTTOM - TOP}" viewBox="0 0 100 100" preserveAspectRatio="none"'
    chance = '<path class="magnified" vector-effect="non-scaling-stroke" d="M0,100L100,0"/>'
    line = f'<path class="line-release" fill="none" vector-effect="non-scaling-stroke" d="{_path(curve, decades)}"/>'
    inner = f'<svg class="shape" {place}>{chance}{line}</svg>'
    mark = [] if picked is None else [_person(picked, decades)]
    return Markup(image(ident, "roc plot", HEIGHT, (TITLE, describe_curve(curve)), [*frame, inner, *mark]))


TITLE = "ROC curve on log axes"


def describe_curve(curve: Sequence[tuple[float, float]]) -> str:
    """Say what the curve shows at the rates that reports speak of."""
    said = [
        f"{100 * max((found for alarms, found in curve if alarms <= rate), default=0.0):.1f} of 100 members are found "
        f"at {100 * rate:g} false alarms in 100"
        for rate in (0.01, 0.1)
    ]
    return "; ".join(said) + ". The dashed line is chance."


def _path(curve: Sequence[tuple[float, float]], decades: int) -> str:
    points = [(100 * _place(alarms, decades), 100 - 100 * _place(found, decades)) for alarms, found in curve]
    kept = [f"{x:.1f},{y:.1f}" for x, y in points]
    thinned = [point for number, point in enumerate(kept) if number == 0 or point != kept[number - 1]]
    return "M" + "L".join(thinned) if thinned else ""


def _place(rate: float, decades: int) -> float:
    return max(0.0, 1 + log10(rate) / decades) if rate > 0 else 0.0


def _person(rate: float, decades: int) -> str:
    return shape("person", _place(rate, decades), BOTTOM - 60)
