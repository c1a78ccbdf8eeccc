"""Mechanisms choose as often as their formula says."""

import numpy as np

from seethrough.synthesizers._privacy.mechanisms import exponential_mechanism


def test_choices_follow_the_exponential_mechanism():
    rng = np.random.default_rng(0)
    scores = np.array([0.0, 0.02, 0.05, -np.inf])
    chosen = [exponential_mechanism(scores, 0.01, 1.5, rng) for _ in range(20_000)]
    found = np.bincount(chosen, minlength=4) / 20_000
    expected = np.exp(1.5 * scores / 0.02)
    np.testing.assert_allclose(found, expected / expected.sum(), atol=0.015)
    assert found[3] == 0
