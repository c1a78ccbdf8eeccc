"""From values to places on paper: ranges, ticks, and the words at them."""

from dataclasses import dataclass
from itertools import chain
from math import ceil, floor, isfinite, log10

from seethrough.contracts.figure import Axis, Chart

_STEPS = (1.0, 2.0, 2.5, 5.0, 10.0)


@dataclass(frozen=True)
class Scale:
    """An axis with its ends settled; `place` gives a share of its length."""

    axis: Axis
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
        return tuple((10.0**each, _power(each)) for each in exponents)

    def _steps(self) -> tuple[tuple[float, str], ...]:
        wide = (self.high - self.low) / 5 or 1.0
        unit = 10 ** floor(log10(wide))
        step = unit * next(each for each in _STEPS if each * unit >= wide - 1e-12)
        first = ceil(self.low / step - 1e-9)
        places = [number * step for number in range(first, floor(self.high / step + 1e-9) + 1)]
        return tuple((place, f"{place:g}" if abs(place) > 1e-12 else "0") for place in places)


def _power(exponent: int) -> str:
    if -3 < exponent < 4:
        return f"{10.0**exponent:g}"
    return "10" + str(exponent).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))


def scales(chart: Chart) -> tuple[Scale, Scale]:
    """Settle the ends of both axes from what is shown."""
    x = [value for series in chart.series for value in series.x]
    y = list(chain.from_iterable((*series.y, *series.low, *series.high) for series in chart.series))
    return _settled(chart.x, x), _settled(chart.y, [*y, *(value for _, value in chart.lines)])


def _settled(axis: Axis, values: list[float]) -> Scale:
    there = [value for value in values if isfinite(value) and (value > 0 or not axis.log)]
    low = min(there, default=0.1 if axis.log else 0.0)
    high = max(there, default=1.0)
    if axis.log:
        low, high = (low / 1.6, high * 1.6)
    elif axis.low is None or axis.high is None:
        margin = 0.05 * (high - low) or 0.5
        low, high = low - margin, high + margin
    # Ends that the figure gives are widened where something would fall outside of them.
    low = low if axis.low is None else (axis.low / 1.3 if axis.log else min(axis.low, min(there, default=axis.low)))
    high = high if axis.high is None else (axis.high * 1.3 if axis.log else max(axis.high, max(there, default=0.0)))
    return Scale(axis, low, high)
