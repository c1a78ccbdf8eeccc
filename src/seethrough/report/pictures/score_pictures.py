"""What a figure shows, apart from how it is drawn."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import ceil, floor, log10

from seethrough.report import untrusted
from seethrough.report.words import readings, wording
from seethrough.results.estimate import Curve, Estimate
from seethrough.results.outcome import RISK_BINS, Control, Measured, count_risks

WHOLE = (0.0, 1.0)
"""The scale of risks."""
CLOSE = 0.12
"""Controls closer than this are drawn on a magnified scale."""
_NARROWEST, _MAGNIFIED = 0.001, 0.6
"""Widths of a magnified scale: at least, and below which it is worth it."""


@dataclass(frozen=True)
class RiskStrip:
    """A score on the axis from 0 to 1, with its interval, its controls and its base rate."""

    title: str
    description: str
    risk: Estimate
    independent: Estimate | None
    copy: Estimate | None
    base_rate: float | None

    @property
    def window(self) -> tuple[float, float]:
        """Give the part of the scale that tells controls apart: all of it, unless they lie close together."""
        if self.independent is None or self.copy is None or abs(self.copy.value - self.independent.value) >= CLOSE:
            return WHOLE
        shown = [end for each in (self.risk, self.independent, self.copy) for end in (each.value, each.low, each.high)]
        low, high = min(shown), max(shown)
        step = 10.0 ** floor(log10(max(high - low, _NARROWEST)))
        ends = max(0.0, floor(low / step) * step), min(1.0, ceil(high / step) * step)
        # Three equal scores at a round number would have a scale without length.
        return (round(ends[0], 6), round(ends[1], 6)) if 0 < ends[1] - ends[0] < _MAGNIFIED else WHOLE


@dataclass(frozen=True)
class RiskHistogram:
    """How many records have which risk, by equal bins; `independent` are as many records against another table.

    `picked` is the risk of one person, whose place is marked.
    """

    title: str
    description: str
    counts: tuple[int, ...]
    independent: tuple[int, ...] = ()
    picked: float | None = None


@dataclass(frozen=True)
class GrowthLines:
    """One quantity from 0 to 1 over the number of synthetic tables, a line for each side."""

    title: str
    description: str
    lines: Mapping[str, tuple[Estimate, ...]]


def growth_lines(curve: Curve) -> GrowthLines:
    """Collect what the picture of a quantity shows."""
    ends = [
        f"{side} {wording.format_fixed(values[0].value)} with one table, "
        f"{wording.format_fixed(values[-1].value)} with {len(values)}"
        for side, values in curve.values.items()
    ]
    return GrowthLines(f"{curve.name}: {curve.said}", "; ".join(ends) + ".", curve.values)


def strip(outcome: Measured) -> RiskStrip:
    """Collect what the strip of a check shows."""
    return RiskStrip(
        title=f"{untrusted.name(outcome.check)} on the scale from 0 to 1",
        description=_strip_description(outcome),
        risk=outcome.risk,
        independent=_measured_control(outcome.controls.independent),
        copy=_measured_control(outcome.controls.copy),
        base_rate=outcome.measurement.base_rate,
    )


def histogram(outcome: Measured) -> RiskHistogram | None:
    """Count the records by risk; None where the check gives no risk for each record."""
    counts = count_risks(outcome.measurement.per_record)
    if not counts:
        return None
    said = f"{wording.count_of(sum(counts), 'record')} by risk. The tallest bar holds {wording.count(max(counts))}."
    beside = outcome.independent_counts
    if beside:
        high = [f"{100 * sum(each[RISK_BINS // 2 :]) / sum(each):.1f} %" for each in (counts, beside)]
        said += f" A risk of 0.5 or more have {high[0]}, against an independent table {high[1]}."
        beside = tuple(round(count * sum(counts) / sum(beside)) for count in beside)  # these may be people drawn
    return RiskHistogram(f"Risk of each real record by {untrusted.name(outcome.check)}", said, counts, beside)


def _measured_control(control: Control) -> Estimate | None:
    return control if isinstance(control, Estimate) else None


def _strip_description(outcome: Measured) -> str:
    base_rate = outcome.measurement.base_rate
    said = f"{readings.reading(outcome)} Independent control {wording.control(outcome.controls.independent)}"
    said += f", copy control {wording.control(outcome.controls.copy)}"
    return said + (f", base rate {wording.format_fixed(base_rate)}." if base_rate is not None else ".")
