"""TVAE: its loss by hand, a dependence that is learnt, seeds."""

import numpy as np
import pytest

from seethrough.errors import ConfigError
from seethrough.synthesizers.tvae import Tvae

torch = pytest.importorskip("torch", reason="torch is not installed; make test-deep installs it and runs these tests")
from seethrough.synthesizers._deep import autoencoder, layers  # noqa: E402


def test_the_loss_by_hand():
    """With all weights 0 the hidden numbers are standard normal and every choice is equally likely."""
    layout = layers.NetworkLayout(numeric=np.array([0]), starts=np.array([1, 2]), sizes=np.array([1, 4]))
    networks = autoencoder.start_training(layout, layers.torch_generator(np.random.default_rng(0), torch.device("cpu")))
    with torch.no_grad():
        for layer in (*networks.encoder, *networks.decoder.layers):
            layer.weights.zero_()
            layer.offsets.zero_()
    vectors = torch.tensor([[0.2, 1, 0, 0, 1, 0], [-0.1, 1, 1, 0, 0, 0]])
    choices = torch.tensor([[0, 2], [0, 0]])
    # Spread 0.1: (0.2^2 + 0.1^2) / (2 0.01) = 2.5 over two rows, log 0.1 and log 4 for each; no divergence.
    expected = 2.5 / 2 + np.log(0.1) + np.log(4)
    assert networks.loss(vectors, choices).item() == pytest.approx(expected, rel=1e-5)
    with torch.no_grad():
        # A mean of 0.5 for each of 128 hidden numbers costs 128 0.25 / 2.
        networks.encoder[-1].offsets[0, :128] = 0.5
    assert networks.loss(vectors, choices).item() == pytest.approx(expected + 16, rel=1e-5)


@pytest.fixture(scope="module")
def trained(dependent):
    return Tvae(epochs=150, batch=100, device="cpu").fit(dependent, np.random.default_rng(0))


def test_a_dependence_is_learnt(trained, dependent, distances, shares):
    found = trained.sample(4000, np.random.default_rng(1))
    distance, alone = distances(dependent, found)
    assert alone > 0.55
    assert distance < 0.6 * alone
    for name in ("a", "b", "c"):
        np.testing.assert_allclose(shares(found, name), shares(dependent, name), atol=0.1)
        assert set(found.column(name)) == set(dependent.column(name))
    a, x = found.column("a"), found.column("x")
    assert np.nanmedian(x[a == 1]) < 15 < np.nanmedian(x[a == 2]) < 25 < np.nanmedian(x[a == 3])
    assert 0 < np.isnan(x).mean() < 0.3
    assert found.schema == dependent.schema


def test_one_seed_decides_everything(dependent):
    small = Tvae(epochs=2, batch=100, device="cpu")
    state = torch.random.get_rng_state()
    digests = [small.fit(dependent, rng).sample(100, rng).digest for rng in map(np.random.default_rng, (0, 0, 1))]
    assert digests[0] == digests[1] != digests[2]
    assert torch.equal(torch.random.get_rng_state(), state)


@pytest.mark.parametrize("names", [["x"], ["a", "c"]], ids=["numbers", "categories"])
def test_numbers_alone_and_categories_alone(dependent, names):
    small = Tvae(epochs=1, batch=100, device="cpu")
    assert len(small.fit(dependent.project(names), np.random.default_rng(0)).sample(7, np.random.default_rng(0))) == 7


def test_a_table_smaller_than_a_batch_is_refused(dependent):
    with pytest.raises(ConfigError, match="tvae learns from batches of 500 rows, but the table has 10"):
        Tvae().fit(dependent.take(np.arange(10)), np.random.default_rng(0))
