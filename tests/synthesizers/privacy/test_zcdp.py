"""The conversion, against SciPy and an analytic mechanism."""

import numpy as np
import pytest
from scipy.optimize import brentq, minimize_scalar
from scipy.stats import norm

from seethrough.errors import ConfigError
from seethrough.synthesizers._privacy.zcdp import delta_of, rho_of


def log_delta_by_search(rho, epsilon):
    """Minimise the formula as it is printed, over log(alpha - 1)."""

    def power(log_above):
        alpha = 1 + np.exp(log_above)
        return (alpha - 1) * (alpha * rho - epsilon) + alpha * np.log1p(-1 / alpha) - np.log(alpha - 1)

    grid = np.linspace(-8, 12, 2001)
    start = grid[np.argmin([power(point) for point in grid])]
    found = minimize_scalar(power, bounds=(start - 0.02, start + 0.02), method="bounded", options={"xatol": 1e-12})
    return float(found.fun)


@pytest.mark.parametrize(("epsilon", "delta"), [(1, 1e-6), (0.1, 1e-9), (10, 1e-6), (100, 1e-6), (1, 0.1)])
def test_rho_agrees_with_another_root_finder(epsilon, delta):
    expected = brentq(lambda rho: log_delta_by_search(rho, epsilon) - np.log(delta), 1e-4, 1e3, xtol=1e-14, rtol=1e-13)
    assert rho_of(epsilon, delta) == pytest.approx(expected, rel=1e-7)
    assert delta_of(rho_of(epsilon, delta), epsilon) <= delta


def test_rho_of_epsilon_one():
    """Better than the simple conversion epsilon = rho + 2 sqrt(rho log(1/delta)), and not by a miracle."""
    simple = (np.sqrt(1 + np.log(1e6)) - np.sqrt(np.log(1e6))) ** 2
    assert simple < rho_of(1, 1e-6) < 2 * simple


@pytest.mark.parametrize("epsilon", [0.5, 1, 5])
@pytest.mark.parametrize("rho", [0.01, 0.1, 1])
def test_the_true_delta_of_gaussian_noise_is_never_larger(epsilon, rho):
    """Balle and Wang 2018, Theorem 8: a shift of 1 under noise of sd sigma is 1/(2 sigma^2)-zCDP."""
    sigma = np.sqrt(1 / (2 * rho))
    a, b = 1 / (2 * sigma), epsilon * sigma
    assert norm.cdf(a - b) - np.exp(epsilon) * norm.cdf(-a - b) <= delta_of(rho, epsilon)


def test_extremes_of_delta():
    assert delta_of(0, 1) == 0
    assert delta_of(5000, 1) == 1
    assert delta_of(1e-9, 1) < 1e-300


@pytest.mark.parametrize("epsilon", [0, -1, float("nan"), float("inf")])
def test_an_epsilon_that_is_none_is_refused(epsilon):
    with pytest.raises(ConfigError, match="a finite number above 0 is expected"):
        rho_of(epsilon, 1e-6)


@pytest.mark.parametrize("delta", [0, 1, -0.5, float("nan")])
def test_a_delta_that_is_none_is_refused(delta):
    with pytest.raises(ConfigError, match="between 0 and 1"):
        rho_of(1, delta)
