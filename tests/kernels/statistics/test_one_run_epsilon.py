"""The bound of epsilon from one release, against scipy's binomial test, by hand, and over many runs."""

from math import exp, log

import numpy as np
import pytest
from scipy.stats import binom, binomtest

from seethrough.kernels.statistics.one_run_epsilon import epsilon_of, naming_grid, one_run_epsilon


@pytest.mark.parametrize(("named", "stated"), [(100, 3.5), (1_000, 5.8), (10_000, 8.1)])
def test_naming_members_only_gives_the_ceilings_of_the_specification(named, stated):
    by_hand = 0.05 ** (1 / named)
    assert epsilon_of(named, named, 0.05) == pytest.approx(log(by_hand / (1 - by_hand)))
    assert round(epsilon_of(named, named, 0.05), 1) == stated


@pytest.mark.parametrize(
    ("right", "named", "error"), [(60, 100, 0.05), (29, 30, 0.01), (300, 300, 0.0125), (8, 10, 0.2)]
)
def test_the_bound_is_that_of_scipy(right, named, error):
    low = binomtest(right, named, alternative="greater").proportion_ci(1 - error, method="exact").low
    assert epsilon_of(right, named, error) == pytest.approx(max(0.0, log(low / (1 - low))), abs=1e-9)


def test_at_the_bound_so_many_right_have_the_chance_of_the_error():
    epsilon = epsilon_of(80, 100, 0.05)
    assert binom.sf(79, 100, exp(epsilon) / (1 + exp(epsilon))) == pytest.approx(0.05)


def test_half_right_or_fewer_says_nothing():
    assert epsilon_of(50, 100, 0.05) == 0.0
    assert epsilon_of(0, 10, 0.05) == 0.0


def test_the_grid_follows_from_the_number_of_people_alone():
    assert naming_grid(19) == ()
    assert naming_grid(20) == (10,)
    assert naming_grid(700) == (10, 30, 100, 300)


def test_the_best_of_the_grid_is_paid_for():
    # 10 of the first 10 and 12 of the first 30 are members; two numbers tried, so 2.5 % each.
    is_member = np.array([True] * 12 + [False] * 48)
    found = one_run_epsilon(is_member, (10, 30), 0.95)
    low = 0.025 ** (1 / 10)
    assert (found.named, found.right) == (10, 10)
    assert found.epsilon == pytest.approx(log(low / (1 - low)))
    assert found.ceiling == found.epsilon  # of 30 named only 12 could have been right, which says nothing


def test_coins_alone_give_a_bound_above_zero_in_at_most_five_runs_of_a_hundred():
    rng, runs = np.random.default_rng(1), 4_000
    grid = naming_grid(400)
    above = sum(one_run_epsilon(rng.random(400) < 0.5, grid, 0.95).epsilon > 0 for _ in range(runs))
    assert binomtest(above, runs, 0.05, alternative="greater").pvalue > 0.001


@pytest.mark.parametrize("epsilon", [0.5, 1.0, 3.0])
def test_randomised_response_is_bounded_by_its_own_epsilon(epsilon):
    rng, runs, people = np.random.default_rng(2), 2_000, 300
    grid, bounds = naming_grid(people), []
    for _ in range(runs):
        member = rng.random(people) < 0.5
        answered = member ^ (rng.random(people) < 1 / (1 + exp(epsilon)))
        order = np.argsort(-(answered + rng.random(people)))
        bounds.append(one_run_epsilon(member[order], grid, 0.95).epsilon)
    too_high = sum(bound > epsilon for bound in bounds)
    assert binomtest(too_high, runs, 0.05, alternative="greater").pvalue > 0.001
    assert epsilon < 3 or np.median(bounds) > epsilon / 2  # and it is no empty bound
