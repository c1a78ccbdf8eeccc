"""From values to places on paper: ranges, ticks, and the words at them."""

from dataclasses import dataclass
from itertools import chain
from math import ceil, floor, isfinite, log10

from seethrough.results.figure import Chart, FigureAxis

_STEPS = (1.0, 2.0, 2.5, 5.0, 10.0)


@dataclass(frozen=True)
class AxisScale:
    """An axis with its ends settled; `place` gives a share of its length."""

    axis: FigureAxis
    low: float
    high: float

    def place(self, value: float) -> float:
        """Give the share of the length at which a value stands, within the ends."""
        low, high = self.low, self.high
        if self.axis.log:
            low, high, value = log10(low), log10(high), log10(max(value, 1e-300))
        share = (value - low) / (high - low) if high > low else 0.5
        return min(max(share, 0.0), 1.0)

    @property
    def ticks(self) -> tuple[tuple[float, str], ...]:
        """Give the places of ticks with their words."""
        if self.axis.ticks:
            return self.axis.ticks
        return self._powers() if self.axis.log else self._steps()

    def _powers(self) -> tuple[tuple[float, str], ...]:
        exponents = range(ceil(log10(self.low) - 1e-9), floor(log10(self.high) + 1e-9) + 1)
        is_short = all(-3 < exponent < 4 for exponent in exponents)
        return tuple((10.0**power, f"{10.0**power:g}" if is_short else _power(power)) for power in exponents)

    def _steps(self) -> tuple[tuple[float, str], ...]:
        wide = (self.high - self.low) / 5 or 1.0
        unit = 10 ** floor(log10(wide))
        step = unit * next(factor for factor in _STEPS if factor * unit >= wide - 1e-12)
        first = ceil(self.low / step - 1e-9)
        places = [number * step for number in range(first, floor(self.high / step + 1e-9) + 1)]
        return tuple((place, f"{place:g}" if abs(place) > 1e-12 else "0") for place in places)


def _power(exponent: int) -> str:
    return "10" + str(exponent).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))


def scales(chart: Chart) -> tuple[AxisScale, AxisScale]:
    """Settle the ends of both axes from what is shown."""
    x = [value for series in chart.series for value in series.x]
    y = list(chain.from_iterable((*series.y, *series.low, *series.high) for series in chart.series))
    return _settle_ends(chart.x, x), _settle_ends(chart.y, [*y, *(value for _, value in chart.lines)])


def _settle_ends(axis: FigureAxis, values: list[float]) -> AxisScale:
    """Settle the ends: those that the figure gives, or wider where something would fall outside; and a little room."""
    there = [value for value in values if isfinite(value) and (value > 0 or not axis.log)]
    there += [end for end in (axis.low, axis.high) if end is not None]
    low, high = min(there, default=1.0 if axis.log else 0.0), max(there, default=1.0)
    if axis.log:
        return AxisScale(axis, low / 1.6, high * 1.6)
    margin = 0.03 * (high - low) or 0.5
    return AxisScale(axis, low - margin, high + margin)
