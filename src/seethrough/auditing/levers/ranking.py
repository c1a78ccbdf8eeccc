"""The order of levers: leak removed per utility lost.

Levers that surely remove something come first, then those that may; a lever that does not help by its nature stands
where its numbers put it and is never recommended. A loss of utility below three in a hundred counts as three, for less
cannot be told from chance. A lever is dominated where another removes at least as much and loses no more utility, one
of the two by more than rounding.
"""

from collections.abc import Sequence
from dataclasses import replace

from seethrough.results.levers.what_if import LeverRow

SMALLEST_LOSS = 0.03
"""The same lever on the same release, measured with another seed, differed by a standard deviation of 0.027 in utility
(91 pairs of 500 people, docs/results/whatif.md)."""
_ROUNDING = 1e-9


def per_utility(removed: float, lost: float) -> float:
    """Give leak removed per utility lost."""
    return removed / max(lost, SMALLEST_LOSS)


def rank_levers(rows: Sequence[LeverRow]) -> tuple[LeverRow, ...]:
    """Put levers in order, and say which are dominated; those that could not be measured come last."""
    measured = [replace(row, is_dominated=_is_dominated(row, rows)) for row in rows if row.is_measured]
    order = sorted(measured, key=_key)
    placed = [replace(row, place=place) for place, row in enumerate(order, start=1)]
    return (*placed, *(row for row in rows if not row.is_measured))


def _key(row: LeverRow) -> tuple[bool, float, float, str]:
    return not (row.helps and row.is_remedy), -(row.per_utility or 0.0), -_removed(row), row.lever


def _removed(row: LeverRow) -> float:
    return -row.change.value if row.change else 0.0


def _lost(row: LeverRow) -> float:
    return -(row.utility_change or 0.0)


def _is_dominated(row: LeverRow, rows: Sequence[LeverRow]) -> bool:
    return any(
        _removed(other) >= _removed(row) - _ROUNDING
        and _lost(other) <= _lost(row) + _ROUNDING
        and (_removed(other) > _removed(row) + _ROUNDING or _lost(other) < _lost(row) - _ROUNDING)
        for other in rows
        if other.is_measured and other.is_remedy and other is not row and other.lever != row.lever
    )
