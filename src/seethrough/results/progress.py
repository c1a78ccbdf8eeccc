"""How far a computation is, as the function `progress` of the public API gets it."""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Progress:
    """How far a computation is: steps done of all steps, and what is being done."""

    done: float
    steps: int
    doing: str


ShowProgress = Callable[[Progress], None]


def ignore_progress(progress: Progress) -> None:
    """Show the progress to nobody."""
