"""Many fits at once, against one at a time; with torch on the CPU, which runs the same code as a device."""

import numpy as np
import pytest

from seethrough.errors import ConfigError
from seethrough.kernels.device import torch_extra
from seethrough.synthesizers._models.relaxed import batch
from seethrough.synthesizers._models.relaxed.fit import RelaxedFit
from seethrough.synthesizers._models.relaxed.queries import ThreeWayQueries
from seethrough.synthesizers._models.relaxed.settings import FitSettings

SIZES, DESCENT = (3, 4, 1, 2, 5), FitSettings(60, 64, 0.1)


@pytest.fixture
def one_thread():
    """The tensors are small; on busy cores the threads of torch would wait for each other."""
    torch = pytest.importorskip("torch")
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture
def targets():
    rng, three_way = np.random.default_rng(0), ThreeWayQueries(SIZES)
    return [three_way.marginals(np.column_stack([rng.integers(0, size, 50) for size in SIZES])) for _ in range(3)]


def generators(count):
    return [np.random.default_rng(number) for number in range(count)]


def alone(target, rng, steps):
    relaxed = RelaxedFit(ThreeWayQueries(SIZES), DESCENT, rng)
    for _ in range(steps):
        relaxed.step(relaxed.answers() - target, rng)
    return relaxed.probabilities


def test_without_torch_an_error_names_the_extra(monkeypatch):
    def absent(name):
        raise ImportError(name)

    monkeypatch.setattr(torch_extra, "import_module", absent)
    assert not batch.device_there()
    with pytest.raises(ConfigError, match=r"seethrough\[deep\]"):
        batch.torch()


@pytest.mark.usefixtures("one_thread")
def test_the_same_steps_as_one_at_a_time(targets):
    """Also over the border at which random numbers are handed over."""
    steps = batch.STEPS_AT_ONCE + 8
    rngs = generators(3)
    found = batch.fit_batch(ThreeWayQueries(SIZES), targets, rngs, DESCENT, steps, "cpu")
    for number, (each, target) in enumerate(zip(found, targets, strict=True)):
        rng = np.random.default_rng(number)
        np.testing.assert_allclose(each, alone(target, rng, steps), atol=1e-4)
        assert rng.random() == rngs[number].random()


@pytest.mark.usefixtures("one_thread")
def test_many_steps_meet_the_tables(targets):
    three_way = ThreeWayQueries(SIZES)
    found = batch.fit_batch(three_way, targets, generators(3), DESCENT, 800, "cpu")
    for each, target in zip(found, targets, strict=True):
        assert np.abs(three_way.sums(each) / 60 - target).max() < 0.005


@pytest.mark.usefixtures("one_thread")
def test_how_many_go_together_does_not_matter(targets, monkeypatch):
    together = batch.fit_batch(ThreeWayQueries(SIZES), targets, generators(3), DESCENT, 20, "cpu")
    monkeypatch.setattr(batch, "CPU_BYTES", 1)
    by_themselves = batch.fit_batch(ThreeWayQueries(SIZES), targets, generators(3), DESCENT, 20, "cpu")
    np.testing.assert_allclose(together, by_themselves, atol=1e-5)


@pytest.mark.usefixtures("one_thread")
def test_a_table_already_met_stays(targets):
    three_way = ThreeWayQueries((1, 1, 1))
    found = batch.fit_batch(three_way, [np.ones(1, np.float32)], generators(1), DESCENT, 3, "cpu")
    assert np.array_equal(found[0], np.ones((3, 60)))


def test_a_device_that_is_not_there_is_told_in_a_sentence(targets):
    if pytest.importorskip("torch").cuda.is_available():
        pytest.skip("this machine has the device")
    with pytest.raises(ConfigError, match="torch cannot use the device 'cuda' on this machine"):
        batch.fit_batch(ThreeWayQueries(SIZES), targets, generators(3), DESCENT, 2)
