"""Gradient steps on relaxed rows, against differences, and rows drawn from them."""

import numpy as np
import pytest

from seethrough.synthesizers._models.relaxed.fit import RelaxedFit, draw_queries, gradient, softmax, softmax_gradient
from seethrough.synthesizers._models.relaxed.queries import ThreeWayQueries
from seethrough.synthesizers._models.relaxed.sampling import sample_cells
from seethrough.synthesizers._models.relaxed.settings import FitSettings

SIZES = (2, 3, 4, 2)


def differences(value, at, step=1e-6):
    """Differentiate numerically, one entry after the other."""
    found = np.zeros_like(at)
    for place in np.ndindex(*at.shape):
        up, down = at.copy(), at.copy()
        up[place] += step
        down[place] -= step
        found[place] = (value(up) - value(down)) / (2 * step)
    return found


def asked(rows, values, weights):
    a, b, c = values
    return float((weights * (rows[a] * rows[b] * rows[c]).sum(axis=1)).sum())


def test_gradient_by_probabilities():
    rng = np.random.default_rng(0)
    three_way, rows = ThreeWayQueries(SIZES), rng.random((11, 5))
    queries = rng.choice(three_way.count, 30, replace=False)
    values, weights = three_way.values(queries), rng.normal(size=30)
    expected = differences(lambda at: asked(at, values, weights), rows)
    np.testing.assert_allclose(gradient(rows, values, weights), expected, atol=1e-8)


def test_gradient_of_the_loss_by_logits():
    """The norm of the errors of the queries drawn, one of them twice, through the softmax."""
    rng = np.random.default_rng(1)
    three_way, logits = ThreeWayQueries(SIZES), rng.normal(size=(11, 5))
    target = rng.random(three_way.count)
    queries = np.array([3, 17, 17, 40])

    def errors(at):
        a, b, c = three_way.values(np.arange(three_way.count))
        rows = softmax(at, three_way)
        return (rows[a] * rows[b] * rows[c]).sum(axis=1) / 5 - target

    present = errors(logits)
    reach = np.cumsum(np.abs(present))
    different, weights = draw_queries(present, (reach[queries] - np.abs(present[queries]) / 2) / reach[-1])
    assert different.tolist() == [3, 17, 40]
    rows = softmax(logits, three_way)
    upstream = gradient(rows, three_way.values(different), weights.astype(float) / 5)
    expected = differences(lambda at: float(np.linalg.norm(errors(at)[queries])), logits)
    np.testing.assert_allclose(softmax_gradient(rows, upstream, three_way), expected, atol=1e-7)


def test_queries_are_drawn_in_proportion_to_their_error():
    errors = np.array([0.0, -0.3, 0.0, 0.1, 0.6, 0.0], np.float32)
    uniform = np.random.default_rng(2).random(100_000)
    queries, weights = draw_queries(errors, uniform)
    assert queries.tolist() == [1, 3, 4]
    times = weights / errors[queries] * np.sqrt((uniform.size) * (0.3**3 + 0.1**3 + 0.6**3))
    np.testing.assert_allclose(times / uniform.size, [0.3, 0.1, 0.6], atol=0.01)
    assert draw_queries(errors, np.array([0.0, 1 - 2**-53]))[0].tolist() == [1, 4]


def test_no_error_no_move():
    rng = np.random.default_rng(3)
    relaxed = RelaxedFit(ThreeWayQueries(SIZES), FitSettings(5, 8, 0.1), rng)
    before = relaxed.logits.copy()
    relaxed.step(np.zeros(relaxed.three_way.count, np.float32), rng)
    assert np.array_equal(relaxed.logits, before)


def test_first_step_of_adam_is_the_rate_against_the_sign_of_the_gradient():
    rng = np.random.default_rng(4)
    three_way = ThreeWayQueries(SIZES)
    relaxed = RelaxedFit(three_way, FitSettings(5, 4096, 0.1), rng)
    before, rows = relaxed.logits.copy(), relaxed.probabilities
    errors = relaxed.answers() - np.float32(0.01)
    state = rng.bit_generator.state
    relaxed.step(errors, rng)
    rng.bit_generator.state = state
    queries, weights = draw_queries(errors, rng.random(4096))
    slope = softmax_gradient(rows, gradient(rows, three_way.values(queries), weights / np.float32(5)), three_way)
    clear = np.abs(slope) > 1e-4
    assert clear.mean() > 0.8
    np.testing.assert_allclose((relaxed.logits - before)[clear], -0.1 * np.sign(slope[clear]), rtol=1e-3)


def test_a_small_table_is_met():
    rng = np.random.default_rng(5)
    three_way = ThreeWayQueries(SIZES)
    target = three_way.marginals(np.column_stack([rng.integers(0, size, 20) for size in SIZES]))
    relaxed = RelaxedFit(three_way, FitSettings(100, 256, 0.1), rng)
    assert np.abs(relaxed.answers() - target).max() > 0.05
    for _ in range(600):
        relaxed.step(relaxed.answers() - target, rng)
    assert np.abs(relaxed.answers() - target).max() < 0.005
    starts = three_way.starts
    sums = np.add.reduceat(relaxed.probabilities, starts[:-1], axis=0)
    np.testing.assert_allclose(sums, 1, rtol=1e-5)


@pytest.mark.parametrize("at_once", [1 << 18, 1000])
def test_rows_are_drawn_from_one_relaxed_row_each(monkeypatch, at_once):
    monkeypatch.setattr("seethrough.synthesizers._models.relaxed.sampling.ROWS_AT_ONCE", at_once)
    three_way = ThreeWayQueries((2, 3, 1))
    probabilities = np.array(
        [[1, 0.25], [0, 0.75], [0.5, 0], [0.5, 0], [0, 1], [1, 1]], np.float32
    )  # two relaxed rows, side by side
    cells = sample_cells(probabilities, three_way, 40_000, np.random.default_rng(6))
    shares = np.zeros((2, 3))
    np.add.at(shares, (cells[:, 0], cells[:, 1]), 1 / 40_000)
    np.testing.assert_allclose(shares, [[0.25, 0.25, 0.125], [0, 0, 0.375]], atol=0.01)
    assert shares[1, 0] == shares[1, 1] == 0
    assert not cells[:, 2].any()
