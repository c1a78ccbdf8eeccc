"""Votes under noise and their accountant: against closed forms, the exact curve of Gaussian noise, and overspending."""

import numpy as np
import pytest
from scipy.optimize import brentq, minimize_scalar
from scipy.stats import norm

from seethrough.errors import ConfigError, Overspent
from seethrough.synthesizers._privacy.vote_noise import NoisyVotes, noise_for_votes
from seethrough.synthesizers._privacy.zcdp import epsilon_of, rho_of

BUDGETS = [(0.2, 2.5e-7), (1.0, 1e-6), (2.0, 3e-5), (10.0, 1e-5), (100.0, 1e-6)]


def exact_delta(epsilon, slope):
    """Balle and Wang 2018, theorem 8: the delta that Gaussian noise really has; D^2 / (2 s^2) = slope."""
    ratio = np.sqrt(2 * slope)
    return norm.cdf(ratio / 2 - epsilon / ratio) - np.exp(epsilon + norm.logcdf(-ratio / 2 - epsilon / ratio))


@pytest.mark.parametrize(("epsilon", "delta"), BUDGETS)
def test_the_conversion_lies_between_the_exact_curve_and_the_closed_form(epsilon, delta):
    slope = rho_of(epsilon, delta)
    # Mironov's conversion slope a + log(1/delta) / (a - 1) has its optimum at a = 1 + sqrt(log(1/delta) / slope).
    closed = slope + 2 * np.sqrt(slope * np.log(1 / delta))
    assert epsilon <= closed <= 1.5 * epsilon
    assert 0 < exact_delta(epsilon, slope) <= delta
    found = brentq(lambda e: exact_delta(e, slope) - delta, 1e-9, 10 * closed)
    assert 0.75 * epsilon <= found <= epsilon


@pytest.mark.parametrize(("epsilon", "delta"), BUDGETS)
def test_the_best_order_is_found(epsilon, delta):
    slope = rho_of(epsilon, delta)

    def bound(x):
        a = 1 + np.exp(x)
        return slope * a + (1 / (a - 1)) * np.log(1 / (a * delta)) + np.log((a - 1) / a)

    best = min(
        minimize_scalar(bound, bounds=(low, low + 4), method="bounded", options={"xatol": 1e-10}).fun
        for low in range(-12, 16, 2)
    )
    assert epsilon_of(slope, delta) == pytest.approx(best, rel=1e-6)
    assert epsilon_of(slope, delta) == pytest.approx(epsilon, rel=1e-6)
    assert epsilon_of(slope, delta) <= epsilon


def test_costs_add_up_and_nothing_costs_nothing():
    assert epsilon_of(0.0, 1e-6) == 0
    assert noise_for_votes(400, 1.0, 1e-5) == pytest.approx(20 * noise_for_votes(1, 1.0, 1e-5))
    spent = [epsilon_of(slope, 1e-5) for slope in (1e-6, 1e-4, 1e-2, 1, 100, 1e4)]
    assert spent == sorted(spent)


def test_noise_falls_with_epsilon_and_keeps_to_the_budget():
    noise = [noise_for_votes(6400, epsilon, 1e-5) for epsilon in (0.2, 1, 2, 10)]
    assert noise == sorted(noise, reverse=True)
    assert noise[0] > 4 * noise[1] > 6 * noise[2]
    for epsilon, scale in zip((0.2, 1, 2, 10), noise, strict=True):
        # Two counts that move by one each: squared length 2, so 2 / (2 scale^2) for each answer.
        assert exact_delta(epsilon, 6400 * 2 / (2 * scale**2)) <= 1e-5


def test_answers_beyond_the_budget_are_refused():
    noisy_votes = NoisyVotes(noise_for_votes(100, 1.0, 1e-5), 1.0, 1e-5)
    rng = np.random.default_rng(0)
    noisy_votes.majority(np.full(60, 3), 5, rng)
    assert noisy_votes.epsilon_spent < 1
    with pytest.raises(Overspent, match=r"41 times an answer from the votes would cost rho = \S+, but"):
        noisy_votes.majority(np.full(41, 3), 5, rng)
    assert noisy_votes.answers == 60
    noisy_votes.majority(np.full(40, 3), 5, rng)
    assert noisy_votes.epsilon_spent == pytest.approx(1, rel=1e-6)
    assert noisy_votes.epsilon_spent <= 1
    with pytest.raises(Overspent, match="an answer from the votes would cost"):
        noisy_votes.majority(np.full(1, 3), 5, rng)


@pytest.mark.parametrize(("votes", "noise"), [(7, 2.0), (4, 3.0), (10, 20.0)])
def test_answers_are_as_noisy_as_they_were_paid_for(votes, noise):
    noisy_votes = NoisyVotes(noise, 1e9, 1e-5)
    share = noisy_votes.majority(np.full(40_000, votes), 10, np.random.default_rng(1)).mean()
    # The difference of the counts is 2 votes - 10 plus noise of variance 2 noise^2.
    assert share == pytest.approx(norm.cdf((2 * votes - 10) / (noise * np.sqrt(2))), abs=0.01)


@pytest.mark.parametrize(
    ("epsilon", "delta", "words"), [(0.0, 1e-5, "epsilon"), (-1, 1e-5, "epsilon"), (1, 0, "delta"), (1, 1, "delta")]
)
def test_a_budget_that_is_none_is_refused(epsilon, delta, words):
    with pytest.raises(ConfigError, match=words):
        noise_for_votes(10, epsilon, delta)
    with pytest.raises(ConfigError, match=words):
        NoisyVotes(1.0, epsilon, delta)


def test_no_noise_is_refused():
    with pytest.raises(ConfigError, match="not private"):
        NoisyVotes(0.0, 1.0, 1e-5)
