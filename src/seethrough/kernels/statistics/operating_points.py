"""What a rating finds at few false alarms.

A member is found at a false alarm rate f if 1 + #{people outside rated at least as high} <= f (n0 + 1). Ties count
against the attacker. For a member who is like the people outside the chance to be found is at most f, exactly, at every
n0. Rates below 1 / (n0 + 1) cannot be resolved and have no number.
"""

from dataclasses import dataclass

import numpy as np

from seethrough.kernels.arrays import Floats

_ROUNDING = 1e-9


@dataclass(frozen=True)
class OperatingPoint:
    """Members found and false alarms among people outside, at one rate."""

    rate: float
    found: int
    false_alarms: int


def conformal_p(members: Floats, outsiders: Floats) -> Floats:
    """Give each member's share of people outside rated at least as high, the member counted with them."""
    ordered = np.sort(outsiders)
    at_least = len(ordered) - np.searchsorted(ordered, members, side="left")
    return np.asarray((1.0 + at_least) / (len(ordered) + 1.0))


def operating_point(members: Floats, outsiders: Floats, rate: float) -> OperatingPoint | None:
    """Count members found at a rate, or give None where so few people outside cannot resolve it."""
    allowed = np.floor(rate * (len(outsiders) + 1) + _ROUNDING)
    if allowed < 1:
        return None
    found = int((conformal_p(members, outsiders) * (len(outsiders) + 1) <= allowed + _ROUNDING).sum())
    # The threshold is the outsider after whom at most `allowed` - 1 are rated at least as high.
    threshold = np.sort(outsiders)[len(outsiders) - int(allowed)]
    return OperatingPoint(rate, found, int((outsiders > threshold).sum()))


def precision(found: float, alarms: float, prevalence: float) -> float:
    """Give the share of members among those called members: of so many, `found` of the members, `alarms` of others."""
    named = found * prevalence
    return named / (named + alarms * (1 - prevalence))


def false_discoveries(p: Floats, rate: float) -> Floats:
    """Tell which p are on the list of Benjamini and Hochberg at a false discovery rate.

    References
    ----------
    Benjamini and Hochberg 1995, doi:10.1111/j.2517-6161.1995.tb02031.x; for conformal p, Bates et al. 2023,
    doi:10.1214/22-AOS2244.
    """
    ordered = np.sort(p)
    passing = np.flatnonzero(ordered <= rate * np.arange(1, len(p) + 1) / len(p))
    return p <= ordered[passing[-1]] if len(passing) else np.zeros(len(p), bool)
