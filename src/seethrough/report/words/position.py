"""Where a score lies relative to its two controls: the logic behind every sentence, colour and gate of a report.

One rule decides all of them: two risks differ where the interval of their difference leaves out 0.
"""

from dataclasses import dataclass
from enum import Enum

from seethrough.results.estimate import Estimate
from seethrough.results.outcome import Controls, Measured, Unavailable


class Position(Enum):
    """A score against the independent control."""

    ABOVE = "above the independent control"
    ALIKE = "indistinguishable from the independent control"
    BELOW = "below the independent control"
    UNCOMPARED = "not compared with an independent control"


class RiskScale(Enum):
    """Whether the two controls span a scale on which a score can be placed."""

    SPANNED = "the controls lie apart"
    COINCIDE = "the controls coincide, so this check cannot distinguish a copy from an independent table here"
    REVERSED = "a copy scores below an independent table, so this check does not see copying here"
    NO_INDEPENDENT = "the independent control was not measured"
    NO_COPY = "the copy control was not measured"

    @property
    def is_blind(self) -> bool:
        """Tell whether the controls show that the score cannot say anything about copying."""
        return self in {RiskScale.COINCIDE, RiskScale.REVERSED}


@dataclass(frozen=True)
class Place:
    """A score on the scale of its controls: `share` is 0 at the independent table and 1 at the copy, if defined."""

    standing: Position
    scale: RiskScale
    share: float | None


def place(outcome: Measured) -> Place:
    """Place a measured score relative to its controls."""
    scale = _scale(outcome.controls)
    return Place(_standing(outcome), scale, _share(outcome) if scale is RiskScale.SPANNED else None)


def lead(outcome: Measured) -> Estimate | None:
    """Give how far the risk goes beyond that of people who were not in the data; None where that is not known."""
    if outcome.lead is not None:
        return outcome.lead
    if (chance := outcome.card.chance) is not None:
        return outcome.risk.minus(Estimate(chance, chance, chance, outcome.risk.confidence))
    independent = outcome.controls.independent
    if isinstance(independent, Unavailable):
        return None
    return (outcome.controls.matched or outcome.risk).minus(independent)


def _standing(outcome: Measured) -> Position:
    found = lead(outcome)
    if found is None:
        return Position.UNCOMPARED
    if found.low > 0:
        return Position.ABOVE
    return Position.BELOW if found.high < 0 else Position.ALIKE


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
    found = lead(outcome)
    return None if found is None else found.value / (copy.value - independent.value)
