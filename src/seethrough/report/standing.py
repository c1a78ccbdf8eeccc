"""Where a score lies relative to its two controls: the logic behind every sentence of a report."""

from dataclasses import dataclass
from enum import Enum

from seethrough.results import Controls, Estimate, Measured, Unavailable


class Standing(Enum):
    """A score against the independent control; intervals that touch count as overlapping."""

    ABOVE = "above what an independent table shows"
    ALIKE = "with an interval that overlaps that of an independent table"
    BELOW = "below what an independent table shows"
    UNCOMPARED = "not compared with an independent table"


class Scale(Enum):
    """Whether the two controls span a scale on which a score can be placed."""

    SPANNED = "the controls lie apart"
    COINCIDE = "the controls coincide, so this check cannot tell a copy from an independent table here"
    REVERSED = "a copy scores below an independent table, so this check does not see copying here"
    NO_INDEPENDENT = "the independent control was not measured"
    NO_COPY = "the copy control was not measured"

    @property
    def is_blind(self) -> bool:
        """Tell whether the controls show that the score cannot say anything about copying."""
        return self in {Scale.COINCIDE, Scale.REVERSED}


@dataclass(frozen=True)
class Place:
    """A score on the scale of its controls: `share` is 0 at the independent table and 1 at the copy, if defined."""

    standing: Standing
    scale: Scale
    share: float | None


def place(outcome: Measured) -> Place:
    """Place a measured score relative to its controls."""
    scale = _scale(outcome.controls)
    standing = _standing(outcome.risk, outcome.controls)
    return Place(standing, scale, _share(outcome) if scale is Scale.SPANNED else None)


def _standing(risk: Estimate, controls: Controls) -> Standing:
    independent = controls.independent
    if isinstance(independent, Unavailable):
        return Standing.UNCOMPARED
    if risk.low > independent.high:
        return Standing.ABOVE
    if risk.high < independent.low:
        return Standing.BELOW
    return Standing.ALIKE


def _scale(controls: Controls) -> Scale:
    if isinstance(controls.independent, Unavailable):
        return Scale.NO_INDEPENDENT
    if isinstance(controls.copy, Unavailable):
        return Scale.NO_COPY
    if controls.copy.low > controls.independent.high:
        return Scale.SPANNED
    if controls.copy.high < controls.independent.low:
        return Scale.REVERSED
    return Scale.COINCIDE


def _share(outcome: Measured) -> float | None:
    copy, independent = outcome.controls.copy, outcome.controls.independent
    if isinstance(copy, Unavailable) or isinstance(independent, Unavailable) or copy.value == independent.value:
        return None
    return (outcome.risk.value - independent.value) / (copy.value - independent.value)
