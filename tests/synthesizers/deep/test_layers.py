"""Layers: draws are as frequent as they should be, and nothing global is touched."""

import numpy as np
import pytest

from seethrough.errors import ConfigError
from seethrough.synthesizers._models.modes import Encoded

torch = pytest.importorskip("torch", reason="torch is not installed; make test-deep installs it and runs these tests")
from seethrough.synthesizers._deep import layers  # noqa: E402

LAYOUT = layers.NetworkLayout(numeric=np.array([1]), starts=np.array([1, 4]), sizes=np.array([3, 2]))


@pytest.fixture
def source():
    return layers.torch_generator(np.random.default_rng(0), torch.device("cpu"))


def test_a_row_as_a_vector_and_back():
    rows = Encoded(np.array([[2, 0], [0, 1]], np.int32), np.array([[0, 0.5], [0, -1]], np.float32))
    vectors = LAYOUT.vectors(rows, np.array([1, 0]), torch.device("cpu"))
    assert vectors.tolist() == [[-1, 1, 0, 0, 0, 1], [0.5, 0, 0, 1, 1, 0]]
    picks = torch.stack([block.argmax(-1) for block in LAYOUT.blocks(vectors)], -1)
    back = LAYOUT.encode(picks, vectors[:, :1])
    np.testing.assert_array_equal(back.picks, rows.picks[[1, 0]])
    np.testing.assert_array_equal(back.numbers, rows.numbers[[1, 0]])


def test_choices_are_drawn_by_their_softmax(source):
    raw = torch.log(torch.tensor([[1.0, 0.2, 0.3, 0.5, 0.9, 0.1]])).repeat(40_000, 1)
    picks, numbers = LAYOUT.draw(raw, source)
    np.testing.assert_allclose(np.bincount(picks[:, 0]) / 40_000, [0.2, 0.3, 0.5], atol=0.01)
    np.testing.assert_allclose(np.bincount(picks[:, 1]) / 40_000, [0.9, 0.1], atol=0.01)
    assert (numbers == 0).all()
    soft = LAYOUT.soften(raw, source)
    np.testing.assert_allclose(soft[:, 1:4].sum(1), 1, atol=1e-5)
    # At this temperature a soft choice is nearly a choice: its mean is near the share, and it is near 0 or 1 itself.
    np.testing.assert_allclose(soft[:, 1:4].mean(0), [0.2, 0.3, 0.5], atol=0.02)
    assert soft[:, 1:4].amax(1).mean() > 0.9


def test_half_is_dropped_and_the_mean_is_kept(source):
    found = layers.drop_out(torch.ones(40_000), source)
    assert set(found.tolist()) == {0.0, 2.0}
    assert found.mean().item() == pytest.approx(1, abs=0.02)


def test_copies_of_a_layer_are_layers_by_themselves(source):
    layer = layers.dense(3, 2, source, copies=(4,))
    rows = layers.normal((5, 3), source)
    found = layer(rows)
    for number in range(4):
        alone = layers.Dense(layer.weights[number], layer.offsets[number])
        torch.testing.assert_close(found[number], alone(rows))


def test_batch_normalisation_by_hand(source):
    layer = layers.normalised_layer(1, 1, source)
    with torch.no_grad():
        layer.layer.weights.fill_(1)
        layer.layer.offsets.fill_(0)
    rows = torch.tensor([[0.0], [2.0]])
    # Mean 1, variance 1: -1 and 1, of which the rectifier keeps the second.
    torch.testing.assert_close(layer(rows, training=True), torch.tensor([[0.0], [1.0]]), atol=1e-4, rtol=0)
    # Remembered: a tenth of the mean 1, and nine tenths of 1 with a tenth of the unbiased variance 2.
    expected = (2 - 0.1) / np.sqrt(1.1)
    assert layer(rows, training=False)[1].item() == pytest.approx(expected, abs=1e-4)


def test_threads_are_put_back():
    before = torch.get_num_threads()
    with layers.one_thread():
        assert torch.get_num_threads() == 1
    assert torch.get_num_threads() == before
    with pytest.raises(ZeroDivisionError), layers.one_thread():
        _ = 1 / 0
    assert torch.get_num_threads() == before


def test_a_device_that_is_not_there_is_refused(monkeypatch):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    assert layers.device_for("auto").type == "cpu"
    with pytest.raises(ConfigError, match="sees no such device"):
        layers.device_for("cuda")
