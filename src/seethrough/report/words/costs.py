"""What an audit cost as one list, slowest first, the same in every document that shows it."""

from dataclasses import dataclass

from seethrough.report.words import wording
from seethrough.results.timings import Timings

LEAST = 0.001
"""Items below a millisecond are counted, not listed."""


@dataclass(frozen=True)
class Cost:
    """An item that took time: what it was, of which kind, on which tables, and its seconds."""

    what: str
    kind: str
    tables: tuple[str, ...]
    seconds: float


def list_costs(timings: Timings) -> tuple[Cost, ...]:
    """List everything that took at least a millisecond; what nothing was noted for is empty."""
    return tuple(cost for cost in _all(timings) if cost.seconds >= LEAST)


def summary(timings: Timings) -> str:
    """Say how much it was in all, and how many items are too small to be listed."""
    small = len(_all(timings)) - len(list_costs(timings))
    spared = f" Not listed: {wording.count_of(small, 'item')} below a millisecond." if small else ""
    summing = "All items add up to the total."
    if timings.rest < 0:
        summing = "Items that ran side by side on several threads add up to more than the total."
    return f"Shared computations run once for all checks that need them. {summing}{spared}"


def _all(timings: Timings) -> tuple[Cost, ...]:
    if not timings.total:
        return ()
    found = [
        *(Cost(cost.check, "check", (cost.synthetic,), cost.seconds) for cost in timings.checks),
        *(Cost(cost.request, "shared", cost.tables, cost.seconds) for cost in timings.shared),
        *(Cost(cost.step, "step", (cost.synthetic,), cost.seconds) for cost in timings.steps),
        Cost("reading", "step", (), timings.reading),
        Cost("rest", "step", (), max(0.0, timings.rest)),
    ]
    # By the milliseconds that a stored report has: it is shown in the same order as the one that was stored.
    return tuple(sorted(found, key=lambda cost: -round(cost.seconds, 3)))
