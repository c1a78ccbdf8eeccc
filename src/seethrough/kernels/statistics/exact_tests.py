"""Chances of so many or more, counted exactly, without the package of distributions, which is slow to load."""

import numpy as np
from scipy.special import betainc


def hypergeometric_tail(found: int, all_people: int, marked: int, drawn: int) -> float:
    """Give the chance that of so many drawn without replacement `found` or more are marked.

    Chances of neighbouring counts have a plain ratio; they are added up relative to the largest.
    """
    least, most = max(0, drawn + marked - all_people), min(marked, drawn)
    if found <= least or found > most:
        return float(found <= least)
    counts = np.arange(least, most, dtype=np.float64)
    more = np.log(marked - counts) + np.log(drawn - counts)
    fewer = np.log(counts + 1) + np.log(all_people - marked - drawn + counts + 1)
    logs = np.append(0.0, np.cumsum(more - fewer))
    chances = np.exp(logs - logs.max())
    return float(chances[found - least :].sum() / chances.sum())


def binomial_tail(found: int, tries: int, chance: float) -> float:
    """Give the chance of `found` or more successes in so many tries."""
    if found <= 0 or found > tries:
        return float(found <= 0)
    return float(betainc(found, tries - found + 1, chance))
