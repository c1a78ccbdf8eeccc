"""How many trials would tell two shares apart: by a two-sided test at 5 % that finds a lead with a chance of 80 %."""

from math import ceil, floor, log10

from seethrough.kernels.statistics.intervals import NORMAL_95, normal_quantile

POWER = normal_quantile(0.6)
"""The 80 % quantile of the normal distribution, the end of the interval that holds 60 %."""
REACH = NORMAL_95 + POWER
"""How many standard errors a lead has to be to be found with that chance."""


def needed_trials(deviation: float, lead: float, other_error: float = 0.0) -> int | None:
    """Count the trials of that standard deviation which would find a lead; None where no number would.

    `other_error` is the standard error of what is compared with, which more trials of ours do not lower.
    """
    room = (lead / REACH) ** 2 - other_error**2
    return ceil(deviation**2 / room) if room > 0 else None


def round_up(count: int) -> int:
    """Round a number of trials up to two digits."""
    step = int(10 ** max(0, floor(log10(max(1, count))) - 1))
    return ceil(count / step) * step
