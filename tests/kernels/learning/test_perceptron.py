"""The network against finite differences, against the formula of Adam, and on problems with a known answer."""

import numpy as np
import pytest
from threadpoolctl import threadpool_limits

from seethrough.kernels.learning import perceptron
from seethrough.kernels.learning.perceptron import perceptron_scores
from seethrough.kernels.statistics.roc import area_under_roc


@pytest.fixture
def network():
    rng = np.random.default_rng(0)
    network = perceptron._started(3, np.array([True, False]), rng)
    network.weights += 0.1 * rng.standard_normal(len(network.weights), np.float32)
    return network


def test_the_gradient_is_the_slope_of_the_loss(network):
    rng = np.random.default_rng(1)
    rows, positive = rng.normal(size=(40, 3)).astype(np.float32), rng.random(40) < 0.5

    def loss():
        return perceptron._loss(network.scores(rows), positive)

    passed = network.activations(rows)
    odds = 1 / (1 + np.exp(-passed[-1]))
    network.backward(passed, (odds - positive[:, None]).astype(np.float32) / np.float32(40))
    direction = rng.standard_normal(len(network.weights), np.float32)
    before, step = network.weights.copy(), 1e-3
    network.weights[:] = before + step * direction
    above = loss()
    network.weights[:] = before - step * direction
    slope = (above - loss()) / (2 * step)
    assert float(network.gradient @ direction) == pytest.approx(slope, rel=0.02)


def test_the_first_step_of_adam_has_the_length_of_the_rate(network):
    before = network.weights.copy()
    network.gradient[:] = np.where(np.arange(len(before)) % 2, 3.0, -0.5)
    network.step()
    moved = before - network.weights
    np.testing.assert_allclose(moved, perceptron.RATE * np.sign(network.gradient), rtol=1e-3)


def checkerboard(rows, seed):
    """Two classes that no line separates."""
    rng = np.random.default_rng(seed)
    places = rng.uniform(-1, 1, (rows, 2)).astype(np.float32)
    return places, (places[:, 0] > 0) != (places[:, 1] > 0)


def test_it_learns_what_no_line_separates():
    rows, positive = checkerboard(1000, 0)
    others, expected = checkerboard(1000, 1)
    assert area_under_roc(expected, perceptron_scores(rows, positive, others, np.random.default_rng(0))) > 0.97


def test_the_same_generator_gives_the_same_bits_whatever_blas_may_use_elsewhere():
    rows, positive = checkerboard(500, 0)
    found = []
    for filler in (0, 7, 100_003):
        unused = np.ones(filler)  # the next arrays lie elsewhere in memory
        with threadpool_limits(1, user_api="blas"):
            found.append(perceptron_scores(rows.copy(), positive, rows, np.random.default_rng(3)))
        del unused
    assert all(np.array_equal(found[0], other) for other in found)


def test_rows_without_columns_are_all_alike():
    positive = np.arange(20) < 7
    scores = perceptron_scores(
        np.empty((20, 0), np.float32), positive, np.empty((5, 0), np.float32), np.random.default_rng(0)
    )
    assert len(set(scores.tolist())) == 1
