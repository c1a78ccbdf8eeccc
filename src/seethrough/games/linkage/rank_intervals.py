"""What linkage says about hidden columns held against the truth, and what several tables say together."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from seethrough.kernels.arrays import Bools, Floats

ROUNDING = 1e-6
"""Ranks are halves, so this makes up for the rounding of a share of them and for nothing else."""


@dataclass(frozen=True, eq=False)
class LinkageAnswer:
    """What linkage to one table says of the hidden columns: arrays of columns x targets; ranks are those of `records`.

    `chance` is the share of linked rows that show the true value, `exact` that all do; `error` is their mean distance
    from the `true` rank, `low` and `high` are the smallest and the largest rank found.
    """

    records: int
    chance: Floats
    exact: Bools
    error: Floats
    low: Floats
    high: Floats
    true: Floats

    def column(self, number: int) -> "LinkageAnswer":
        """Keep one hidden column."""
        parts = {name: part[number : number + 1] for name, part in vars(self).items() if name != "records"}
        return LinkageAnswer(self.records, **parts)


@dataclass(frozen=True, eq=False)
class RankIntervals:
    """What several tables say together: arrays of columns x targets.

    The interval runs from the smallest to the largest rank found in any table; it is right when it has the truth, and
    narrow when its width is a small share of all ranks. A record is confused when its interval is narrow and wrong.
    """

    records: int
    any_exact: Bools
    all_exact: Bools
    low: Floats
    high: Floats
    right: Bools
    narrow_right: Bools
    confused: Bools

    @property
    def width(self) -> Floats:
        """The share of all ranks that the interval covers."""
        return (self.high - self.low) / self.records


def combine_answers(answers: Sequence[LinkageAnswer], narrow: float) -> RankIntervals:
    """Put the answers of several tables together."""
    low = np.minimum.reduce([answer.low for answer in answers])
    high = np.maximum.reduce([answer.high for answer in answers])
    true = answers[0].true
    right = (low <= true) & (true <= high)
    is_narrow = high - low <= narrow * answers[0].records + ROUNDING
    exact = [answer.exact for answer in answers]
    return RankIntervals(
        answers[0].records,
        np.logical_or.reduce(exact),
        np.logical_and.reduce(exact),
        low,
        high,
        right,
        right & is_narrow,
        ~right & is_narrow,
    )
