"""The accountants against Google's dp-accounting: its Renyi accountant, and the exact privacy loss distributions.

Its scale of noise is that over the sensitivity, which here is that of one record replaced: the relation between
neighbouring tables is in our sensitivities and not in its accountants.
"""

import dp_accounting as google
import numpy as np
import pytest
from dp_accounting.pld import PLDAccountant
from dp_accounting.rdp import RdpAccountant

from seethrough.synthesizers._privacy.ledger import PURE, ZCDP, PrivacyLedger
from seethrough.synthesizers._privacy.vote_noise import PURPOSE, VOTE_COST, NoisyVotes, noise_for_votes

ORDERS = 1 + np.geomspace(1e-3, 1e5, 20_001)
"""So fine that the best of these orders is as good as the best of all up to about 1e-6."""


def renyi_epsilon(event, delta):
    return RdpAccountant(ORDERS).compose(event).get_epsilon(delta)


def exact_epsilon(event, delta):
    return PLDAccountant().compose(event).get_epsilon(delta)


@pytest.mark.parametrize("delta", [1e-9, 1e-6, 1e-3])
@pytest.mark.parametrize("rho", [1e-4, 0.01, 0.3, 2.0, 50.0])
def test_zcdp_as_epsilon_and_delta(rho, delta):
    expected = renyi_epsilon(google.ZCDpEvent(rho), delta)
    assert ZCDP.epsilon(rho, delta) == pytest.approx(expected, rel=1e-5)
    assert ZCDP.epsilon(rho, delta) <= expected * (1 + 1e-12)


@pytest.mark.parametrize(("epsilon", "delta"), [(0.1, 1e-9), (1.0, 1e-6), (10.0, 1e-5), (100.0, 1e-6)])
def test_epsilon_and_delta_as_zcdp(epsilon, delta):
    assert renyi_epsilon(google.ZCDpEvent(ZCDP.budget(epsilon, delta)), delta) == pytest.approx(epsilon, rel=1e-5)


def test_gaussian_noise_of_several_scales_composes():
    """Sensitivity 1: noise of sd s costs 1 / (2 s^2), and the exact epsilon is never larger than the one stated."""
    ledger, scales = PrivacyLedger(10.0, ZCDP), {4.0: 10, 7.5: 3, 30.0: 200}
    for scale, times in scales.items():
        ledger.spend(1 / (2 * scale**2), "Gaussian noise", times)
    event = google.ComposedDpEvent(
        [google.SelfComposedDpEvent(google.GaussianDpEvent(scale), times) for scale, times in scales.items()]
    )
    assert ledger.epsilon(1e-6) == pytest.approx(renyi_epsilon(event, 1e-6), rel=1e-5)
    assert 0.75 * ledger.epsilon(1e-6) < exact_epsilon(event, 1e-6) <= ledger.epsilon(1e-6)


@pytest.mark.parametrize(("queries", "epsilon", "delta"), [(1, 1.0, 1e-5), (1600, 1.0, 2e-4), (6400, 10.0, 1e-6)])
def test_votes_of_teachers(queries, epsilon, delta):
    """A vote that changes sides moves both counts by one: noise over sensitivity is noise / sqrt(2)."""
    noisy_votes = NoisyVotes(noise_for_votes(queries, epsilon, delta), epsilon, delta)
    noisy_votes.ledger.spend(VOTE_COST / noisy_votes.noise**2, PURPOSE, queries)
    event = google.SelfComposedDpEvent(google.GaussianDpEvent(noisy_votes.noise / np.sqrt(2)), queries)
    assert noisy_votes.epsilon_spent == pytest.approx(renyi_epsilon(event, delta), rel=1e-5)
    assert 0.75 * epsilon < exact_epsilon(event, delta) <= epsilon


@pytest.mark.parametrize("times", [1, 5, 40])
def test_laplace_noise_composes(times):
    """Noise of scale b costs 1 / b: that is Renyi's divergence of infinite order, and exact where delta is 0."""
    ledger = PrivacyLedger(1.0)
    ledger.spend(1 / (2 * times), "Laplace noise", times)
    ledger.spend(1 / (4 * times), "less of it", 2 * times)
    event = google.ComposedDpEvent(
        [
            google.SelfComposedDpEvent(google.LaplaceDpEvent(2 * times), times),
            google.SelfComposedDpEvent(google.LaplaceDpEvent(4 * times), 2 * times),
        ]
    )
    assert ledger.epsilon() == PURE.budget(1.0, 0.0) == pytest.approx(1.0)
    assert RdpAccountant([1e9]).compose(event).rdp[0] == pytest.approx(ledger.epsilon(), rel=1e-6)
    assert exact_epsilon(event, 1e-9) <= ledger.epsilon() * (1 + 1e-6)
