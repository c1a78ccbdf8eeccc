"""PATE-GAN's budget against computations of others: by hand, by quadrature, and by Google's dp-accounting.

The whole way is followed: how far one record moves the counts, what that costs at each order, how many answers a
training asks for, and which epsilon they come to.
"""

from dataclasses import replace
from itertools import product
from math import exp, log, pi, sqrt

import dp_accounting as google
import numpy as np
import pytest
from dp_accounting.pld import PLDAccountant
from dp_accounting.rdp import RdpAccountant
from scipy.integrate import dblquad, quad
from scipy.optimize import brentq
from scipy.stats import norm

from seethrough.data.schema import Column, Kind, Schema
from seethrough.data.table import Table
from seethrough.synthesizers._privacy.ledger import ZCDP
from seethrough.synthesizers._privacy.vote_noise import PURPOSE, VOTE_COST, NoisyVotes, noise_for_votes
from seethrough.synthesizers.pate_gan import PateGan

ORDERS = 1 + np.geomspace(1e-3, 1e5, 20_001)
SMALL = PateGan(teachers=5, rounds=3, teacher_steps=2, student_steps=2, batch=8, device="cpu")


def answers(noise, times):
    """Describe so many answers under Gaussian noise; one record moves the pair of counts by sqrt(2)."""
    return google.SelfComposedDpEvent(google.GaussianDpEvent(noise / sqrt(2)), times)


def test_one_record_moves_the_counts_by_the_root_of_two_at_most():
    """All votes of four teachers, and all that the one who saw the record may say instead."""
    moves = [
        np.linalg.norm(np.array([sum(votes), 4 - sum(votes)]) - np.array([sum(others), 4 - sum(others)]))
        for votes in product((0, 1), repeat=4)
        for teacher in range(4)
        for others in [(*votes[:teacher], 1 - votes[teacher], *votes[teacher + 1 :])]
    ]
    assert max(moves) == pytest.approx(sqrt(2))
    assert max(moves) ** 2 / 2 == pytest.approx(VOTE_COST)


@pytest.mark.parametrize(("noise", "order"), [(1.0, 2.0), (2.0, 3.0), (1.5, 1.5)])
def test_the_divergence_of_an_answer_by_quadrature(noise, order):
    """Renyi's divergence of the noisy counts (7, 3) from (6, 4), integrated over the plane, is order / noise^2."""

    def density(x, y, first, second):
        return exp(-((x - first) ** 2 + (y - second) ** 2) / (2 * noise**2)) / (2 * pi * noise**2)

    reach = 12 * noise + 2 * order
    moment, _ = dblquad(
        lambda y, x: density(x, y, 7, 3) ** order * density(x, y, 6, 4) ** (1 - order),
        6.5 - reach, 6.5 + reach, 3.5 - reach, 3.5 + reach, epsabs=1e-9,
    )  # fmt: skip
    assert log(moment) / (order - 1) == pytest.approx(order * VOTE_COST / noise**2, rel=1e-5)


def test_the_answer_itself_gives_away_no_more_than_the_counts():
    """A majority is one bit: its divergence, from the normal distribution function, is below what is paid for it."""
    noise, voters = 1.3, 5
    for votes, order in product(range(1, voters + 1), (1.5, 2, 8, 64)):
        yes = [norm.cdf((2 * count - voters) / (noise * sqrt(2))) for count in (votes, votes - 1)]
        pairs = ((yes[0], yes[1]), (1 - yes[0], 1 - yes[1]))
        bit = log(sum(p**order * q ** (1 - order) for p, q in pairs)) / (order - 1)
        assert 0 < bit <= order * VOTE_COST / noise**2


def test_known_values_by_hand():
    """Noise of 2 votes: an answer costs a / 4 at order a, four answers cost a.

    With Mironov's conversion four answers come to min over a of a + ln(1/delta) / (a - 1) = 1 + 2 sqrt(ln(1/delta)),
    at a = 1 + sqrt(ln(1/delta)); for delta = exp(-9) that is 7 at order 4. The better conversion subtracts
    ln(a) / (a - 1) - ln(1 - 1/a) there, which is 0.749780, so no more than 6.250220 may be stated; the best order gives
    less still. What is exact is less again.
    """
    delta = exp(-9.0)
    noisy_votes = NoisyVotes(2.0, 10.0, delta)
    noisy_votes.majority(np.array([3, 3, 2, 5]), 5, np.random.default_rng(0))
    assert noisy_votes.ledger.spent == pytest.approx(1.0)
    assert noisy_votes.epsilon_spent <= 7 - log(4) / 3 + log(3 / 4)
    assert noisy_votes.epsilon_spent == pytest.approx(6.2502, abs=0.02)

    # Exact: the privacy loss of four answers is normal with mean 1 and variance 2.
    def exact(e):
        return quad(lambda x: norm.pdf(x, 1, sqrt(2)) * max(0.0, 1 - exp(e - x)), e, 30)[0] - delta

    found = brentq(exact, 1.0, 10.0)
    assert 0.8 * noisy_votes.epsilon_spent < found < noisy_votes.epsilon_spent


@pytest.mark.parametrize(("epsilon", "stated"), [(0.2, 7217), (1.0, 1658), (2.0, 887), (10.0, 223)])
def test_the_noise_that_the_page_states_is_what_a_foreign_accountant_asks_for(epsilon, stated):
    """1,000 records and the default training: docs/synthesizers/deep.md."""
    votes = PateGan(epsilon=epsilon).noisy_votes(1000)
    assert round(votes.noise) == stated
    queries = PateGan().queries
    assert queries == 96_000
    target = RdpAccountant(ORDERS).compose(answers(votes.noise, queries)).get_epsilon(1000**-1.5)
    assert target == pytest.approx(epsilon, rel=1e-5)
    less = RdpAccountant(ORDERS).compose(answers(0.99 * votes.noise, queries)).get_epsilon(1000**-1.5)
    assert less > epsilon


@pytest.mark.parametrize("epsilon", [0.5, 3.0])
def test_the_moments_of_a_whole_budget(epsilon):
    """Order by order: what the ledger says at all orders is what the foreign accountant adds up."""
    queries, delta = 700, 1e-5
    noise = noise_for_votes(queries, epsilon, delta)
    theirs = RdpAccountant([1.5, 2, 8, 32, 256]).compose(answers(noise, queries)).rdp
    np.testing.assert_allclose(theirs, np.array([1.5, 2, 8, 32, 256]) * queries * VOTE_COST / noise**2, rtol=1e-9)
    assert queries * VOTE_COST / noise**2 == pytest.approx(ZCDP.budget(epsilon, delta), rel=1e-6)


@pytest.mark.parametrize("epsilon", [0.3, 1.0, 8.0])
def test_a_training_asks_as_often_as_was_paid_for(monkeypatch, epsilon):
    """Every answer of a real training is watched, and all of them together are given to the foreign accountants."""
    pytest.importorskip("torch", reason="torch is not installed; make test-deep installs it and runs these tests")
    asked = []
    plain = NoisyVotes.majority

    def watched(self, votes, voters, rng):
        asked.append((len(votes), self.noise, voters))
        return plain(self, votes, voters, rng)

    monkeypatch.setattr(NoisyVotes, "majority", watched)
    rng = np.random.default_rng(1)
    schema = Schema(tuple(Column(name, Kind.BINARY, levels=("n", "y"), declared=True) for name in "ab"))
    people = Table(schema, tuple(rng.integers(1, 3, 60).astype(np.uint8) for _ in range(2)))
    card = replace(SMALL, epsilon=epsilon).fit(people, rng).card
    noises, voters = ({each[place] for each in asked} for place in (1, 2))
    assert voters == {5}
    (noise,) = noises
    event = answers(noise, sum(count for count, *_ in asked))
    assert event.count == card.details["answers"] == 3 * 2 * 8
    stated = card.details["epsilon_spent"]
    assert RdpAccountant(ORDERS).compose(event).get_epsilon(card.privacy.delta) == pytest.approx(stated, rel=1e-5)
    assert 0.75 * epsilon < PLDAccountant().compose(event).get_epsilon(card.privacy.delta) <= stated <= epsilon


def test_the_ledger_has_answers_as_its_only_cost():
    votes = SMALL.noisy_votes(60)
    votes.majority(np.full(48, 2), 5, np.random.default_rng(0))
    assert {purpose for purpose, _ in votes.ledger.entries} == {PURPOSE}
