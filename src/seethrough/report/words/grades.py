"""How exposed a release is to one attack: a word and a colour, decided by attack results alone.

The rule is written down in the record of a report. An attack result counts as above chance if the interval of its
difference from the independent control lies above 0, and as high if even the low end of that interval is half the way
from that control to a copy. The strongest of several results is above by chance more often than one alone, so the
interval of the difference is then as much wider as it has to be to hold for all of them (Bonferroni).
"""

from enum import Enum

from seethrough.kernels.statistics.intervals import normal_quantile
from seethrough.report.words.position import lead, place
from seethrough.results.estimate import Estimate
from seethrough.results.outcome import Controls, Measured, Unavailable
from seethrough.results.provenance import Threshold

HALF_WAY = 0.5
THRESHOLDS = (
    Threshold(
        "exposed: an attack does better than on a release of people outside, the interval of the difference above 0, "
        "and wide enough to hold for all attacks of its kind",
        "Seethrough",
    ),
    Threshold(
        f"highly exposed: even the low end of that interval is at least {HALF_WAY:.0%} of the way to a copy",
        "Seethrough",
    ),
    Threshold(
        "exposed to re-identification and tracing: exact copies of real rows beyond chance; highly, if half of the "
        "released rows are",
        "Seethrough",
    ),
)


class Level(Enum):
    """What the attacks came to; none of the words promises anything about other attacks."""

    HIGH = "highly exposed"
    RAISED = "exposed"
    UNDECIDED = "undecided without a holdout"
    UNSEEN = "no leak found by these attacks"
    BLIND = "these attacks cannot tell here"
    UNTESTED = "not tested by an attack"

    @property
    def style(self) -> str:
        """Name the level for style sheets."""
        return self.name.lower()

    @property
    def is_exposed(self) -> bool:
        """Tell whether something was found."""
        return self in {Level.HIGH, Level.RAISED}


def level(strongest: Measured | None, *, outside: bool = True, among: int = 1) -> Level:
    """Grade the strongest of so many attack results; None where no attack was measured.

    Without people outside, the independent control is made of permuted columns. What columns say about each other in
    anyone lies above that as well as what a release leaks, so such a result is not called exposed.
    """
    if strongest is None:
        return Level.UNTESTED
    found = advantage(strongest, among)
    if found is None or place(strongest).scale.is_blind:
        return Level.BLIND
    if found.low <= 0:
        return Level.UNSEEN
    if not outside:
        return Level.UNDECIDED
    return Level.HIGH if _is_half_way(found.low, strongest.controls) else Level.RAISED


def _is_half_way(ahead: float, controls: Controls) -> bool:
    low, high = controls.independent, controls.copy
    if isinstance(low, Unavailable) or isinstance(high, Unavailable):
        return False
    return ahead >= HALF_WAY * (high.value - low.value)


def advantage(outcome: Measured, among: int = 1) -> Estimate | None:
    """Give the risk over that of people who were not in the data, whom the independent control stands for.

    The interval holds for the strongest of `among` results.
    """
    found = lead(outcome)
    if found is None or among == 1:
        return found
    shared = 1 - (1 - found.confidence) / among
    wider = normal_quantile(shared) / normal_quantile(found.confidence)
    low, high = (found.value + wider * (end - found.value) for end in (found.low, found.high))
    return Estimate(found.value, low, high, found.confidence)
