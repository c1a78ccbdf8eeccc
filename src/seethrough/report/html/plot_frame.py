"""The frame of a plot: a baseline, grid lines with what they stand for, and the names of both axes.

The page leaves a margin at the left of a plot, in which the ticks of the upright axis stand; across, positions are
percentages of the width.
"""

from collections.abc import Iterable, Sequence
from html import escape
from math import floor, log10

TOP, BOTTOM = 22, 142
"""Between which heights values are drawn; the name of the upright axis stands above."""
HEIGHT = BOTTOM + 40
"""Height of a plot with ticks and the name of its axis below."""
_STEPS = (1.0, 2.0, 4.0, 6.0, 8.0, 10.0)


def next_round(value: float) -> float:
    """Give the end of an axis from 0: the next of 1, 2, 4, 6 and 8 times a power of ten."""
    if value <= 0:
        return 1.0
    unit = 10.0 ** floor(log10(value))
    return unit * next(step for step in _STEPS if step * unit >= value * (1 - 1e-9))


def place_up(share: float) -> float:
    """Give the height at which a share of the upright axis stands."""
    return BOTTOM - (BOTTOM - TOP) * min(max(share, 0.0), 1.0)


def draw_frame(y: tuple[str, Iterable[tuple[float, str]]], x: tuple[str, Iterable[tuple[str, str]]]) -> list[str]:
    """Draw the names of both axes with their ticks: shares of the upright one, places across the other."""
    (y_name, y_ticks), (x_name, x_ticks) = y, x
    parts = [f'<text class="tick axis-name" x="-44" y="10">{escape(y_name)}</text>']
    for share, said in y_ticks:
        at = place_up(share)
        parts.append(f'<line class="grid" x1="0%" x2="100%" y1="{at:.1f}" y2="{at:.1f}"/>')
        parts.append(f'<text class="tick" x="-6" y="{at + 4:.1f}" text-anchor="end">{escape(said)}</text>')
    for place, said in x_ticks:
        parts.append(f'<text class="tick" x="{place}" y="{BOTTOM + 16}" text-anchor="middle">{escape(said)}</text>')
    parts.append(f'<line class="axis" x1="0%" x2="100%" y1="{BOTTOM}" y2="{BOTTOM}"/>')
    name = f'<text class="tick axis-name" x="50%" y="{BOTTOM + 34}" text-anchor="middle">{escape(x_name)}</text>'
    return [*parts, name]


def steps_path(heights: Sequence[float]) -> str:
    """Give a line of steps in a frame of 100 by 100."""
    wide = 100 / max(len(heights), 1)
    steps = (f"V{100 - 100 * high:.1f}H{(number + 1) * wide:.1f}" for number, high in enumerate(heights))
    return "M0,100" + "".join(steps) + "V100" if heights else ""
