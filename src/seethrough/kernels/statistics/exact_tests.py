"""Chances of so many or more, counted exactly; the package that counts them is slow to load, and loaded when asked."""


def hypergeometric_tail(found: int, all_people: int, marked: int, drawn: int) -> float:
    """Give the chance that of so many drawn without replacement `found` or more are marked."""
    from scipy.stats import hypergeom

    return float(hypergeom.sf(found - 1, all_people, marked, drawn))


def binomial_tail(found: int, tries: int, chance: float) -> float:
    """Give the chance of `found` or more successes in so many tries."""
    from scipy.stats import binom

    return float(binom.sf(found - 1, tries, chance))
