"""Where a score lies between its two controls: a description, on which no verdict rests."""

from dataclasses import dataclass
from enum import Enum

from seethrough.results.outcome import Controls, Measured, Unavailable


class RiskScale(Enum):
    """Whether the two controls span a scale on which a score can be placed."""

    SPANNED = "the controls lie apart"
    COINCIDE = "the controls coincide, so this check cannot distinguish a copy from an independent table here"
    REVERSED = "a copy scores below an independent table, so this check does not see copying here"
    NO_INDEPENDENT = "the independent control was not measured"
    NO_COPY = "the copy control was not measured"


@dataclass(frozen=True)
class Place:
    """A score on the scale of its controls: `share` is 0 at the independent table and 1 at the copy, if defined."""

    scale: RiskScale
    share: float | None


def place(outcome: Measured) -> Place:
    """Place a measured score between its controls."""
    scale = _scale(outcome.controls)
    return Place(scale, _share(outcome) if scale is RiskScale.SPANNED else None)


def _scale(controls: Controls) -> RiskScale:
    if isinstance(controls.independent, Unavailable):
        return RiskScale.NO_INDEPENDENT
    if isinstance(controls.copy, Unavailable):
        return RiskScale.NO_COPY
    found = controls.copy.minus(controls.independent)
    if found.low > 0:
        return RiskScale.SPANNED
    return RiskScale.REVERSED if found.high < 0 else RiskScale.COINCIDE


def _share(outcome: Measured) -> float | None:
    copy, independent = outcome.controls.copy, outcome.controls.independent
    if isinstance(copy, Unavailable) or isinstance(independent, Unavailable) or copy.value == independent.value:
        return None
    return (outcome.risk.value - independent.value) / (copy.value - independent.value)
