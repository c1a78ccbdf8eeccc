"""What a run will cost on this machine."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class RunCost:
    """Seconds and bytes that a run is expected to take on this machine; `by_check` the seconds of each check.

    `attacks` are the seconds of the attacks that the verdict rests on, part of `seconds`. The bytes are those of the
    largest step, not a sum.
    """

    seconds: float
    bytes: int
    attacks: float
    by_check: Mapping[str, float]
