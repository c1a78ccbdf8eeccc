"""Zero-concentrated differential privacy: what a budget rho means as (epsilon, delta), and the other way round.

A mechanism that is rho-zCDP is (epsilon, delta)-DP for

    delta = min over alpha > 1 of exp((alpha - 1)(alpha rho - epsilon)) (1 - 1/alpha)^alpha / (alpha - 1)

The derivative of the logarithm, (2 alpha - 1) rho - epsilon + log(1 - 1/alpha), grows with alpha, so its one root is
the minimum.

References
----------
Bun, Steinke 2016, arXiv:1605.02065; Canonne, Kamath, Steinke 2020, arXiv:2004.00010, Proposition 12 (the conversion).
"""

from collections.abc import Callable
from math import exp, inf, log1p, nextafter

from seethrough.errors import ConfigError

LEAST_EPSILON, MOST_EPSILON, LEAST_DELTA = 1e-9, 1e12, 1e-100
"""Beyond these, noise and its costs are no longer numbers, or are rounded away."""
LEAST = 1e-300
"""Where alpha is nearer to 1, the bound says nothing: delta is 1 up to rounding."""


def delta_of(rho: float, epsilon: float) -> float:
    """Give the smallest delta for which rho-zCDP is sure to be (epsilon, delta)-DP."""
    if rho <= 0:
        return 0.0
    # alpha - 1, as alpha itself is rounded to 1 where rho is far above epsilon
    above = _root(lambda above: (2 * above + 1) * rho - epsilon - log1p(1 / above))
    if above < LEAST:
        return 1.0
    return exp(min(0.0, above * ((1 + above) * rho - epsilon - log1p(1 / above)) - log1p(above)))


def rho_of(epsilon: float, delta: float) -> float:
    """Give the largest rho that is sure to be (epsilon, delta)-DP."""
    check_budget(epsilon, delta)
    return _root(lambda rho: delta_of(rho, epsilon) - delta)


def epsilon_of(rho: float, delta: float) -> float:
    """Give the smallest epsilon for which rho-zCDP is sure to be (epsilon, delta)-DP; 0 where nothing was spent."""
    if delta_of(rho, 0.0) <= delta:
        return 0.0
    # The last number that does not keep delta is found: the next one keeps it.
    return nextafter(_root(lambda epsilon: -1.0 if delta_of(rho, epsilon) > delta else 1.0), inf)


def check_budget(epsilon: float, delta: float) -> None:
    """Refuse a budget that is none."""
    check_epsilon(epsilon)
    if not 0 < delta < 1:
        raise ConfigError(f"delta is {delta}; a number between 0 and 1 is expected")
    if delta < LEAST_DELTA:
        raise ConfigError(
            f"delta is {delta}; at least {LEAST_DELTA:g} is expected, because a smaller one is rounded away"
        )


def check_epsilon(epsilon: float) -> None:
    """Refuse an epsilon that is none, or whose noise is no number."""
    if not 0 < epsilon < inf:
        raise ConfigError(f"epsilon is {epsilon}; a finite number above 0 is expected")
    if not LEAST_EPSILON <= epsilon <= MOST_EPSILON:
        raise ConfigError(f"epsilon is {epsilon}; a number from {LEAST_EPSILON:g} to {MOST_EPSILON:g} is expected")


def delta_warnings(delta: float, records: int) -> tuple[str, ...]:
    """Say where delta promises next to nothing: publishing one record of n as it is has delta = 1/n."""
    if delta * records < 1:
        return ()
    return (
        f"delta = {delta:g} is not below 1/n for n = {records} records: publishing a record as it is would keep to it; "
        "set a smaller delta",
    )


def _root(rising: Callable[[float], float]) -> float:
    """Find where a rising function crosses 0 on the positive numbers, from below."""
    low, high = 0.0, 1.0
    while rising(high) <= 0:
        low, high = high, 2 * high
        if high == inf:
            raise ArithmeticError("no root among finite numbers")
    while (middle := (low + high) / 2) not in (low, high):
        low, high = (middle, high) if rising(middle) <= 0 else (low, middle)
    return low
