"""CTGAN: losses by hand, a dependence that is learnt, seeds, and tables that are none of its business."""

import numpy as np
import pytest

from seethrough.data.schema import Column, Kind, Schema
from seethrough.data.table import Table
from seethrough.errors import ConfigError
from seethrough.synthesizers._models.conditions import conditions_of
from seethrough.synthesizers._models.modes import Encoded
from seethrough.synthesizers.ctgan import Ctgan

torch = pytest.importorskip("torch", reason="torch is not installed; make test-deep installs it and runs these tests")
from seethrough.synthesizers._deep import adversarial, layers  # noqa: E402

SMALL = Ctgan(epochs=2, batch=100, device="cpu")


def test_the_penalty_of_a_linear_critic_is_that_of_its_slope():
    slope = torch.tensor([3.0, 4.0])
    points = torch.tensor([[1.0, 2.0], [0.0, -1.0], [5.0, 5.0]])
    assert adversarial.gradient_penalty(lambda rows: rows @ slope, points).item() == pytest.approx((5 - 1) ** 2)
    # |x|^2 / 2 has the slope x: |(3, 4)| = 5 and |(0, 1)| = 1.
    found = adversarial.gradient_penalty(lambda rows: (rows**2).sum(1) / 2, torch.tensor([[3.0, 4.0], [0.0, 1.0]]))
    assert found.item() == pytest.approx((16 + 0) / 2)


def test_packs_hold_rows_side_by_side():
    rows = torch.arange(8.0).reshape(4, 2)
    assert adversarial.pack_rows(rows, 2).tolist() == [[0, 1, 2, 3], [4, 5, 6, 7]]


@pytest.fixture
def networks():
    picks = np.array([[0, 0], [1, 1], [2, 1], [2, 0]], np.int32)
    layout = layers.NetworkLayout(np.empty(0, int), np.array([0, 3]), np.array([3, 2]))
    source = layers.torch_generator(np.random.default_rng(0), torch.device("cpu"))
    rows = Encoded(picks, np.zeros((4, 2), np.float32))
    return adversarial.start_training(layout, conditions_of(picks, np.array([3, 2])), np.arange(2), rows, 2, source)


def test_the_cross_entropy_of_conditions_by_hand(networks):
    raw = torch.log(torch.tensor([[0.2, 0.3, 0.5, 0.5, 0.5], [0.1, 0.1, 0.8, 0.9, 0.1]]))
    # The first row was asked for level 2 of column 0, the second for level 1 of column 1, the fifth level of all.
    found = networks._missed(raw, np.array([0, 1]), np.array([2, 4]))
    assert found.item() == pytest.approx(-(np.log(0.5) + np.log(0.1)) / 2)


def test_a_step_of_one_network_leaves_the_other_alone(networks):
    real = networks.layout.vectors(networks.rows, np.arange(4), torch.device("cpu"))
    condition = adversarial.one_hot(np.array([0, 1, 2, 2]), 5, torch.device("cpu"), 4)
    networks.critic_loss(real, condition).backward()
    assert networks.generator.last.weights.grad is None
    assert networks.critic.first.weights.grad.abs().sum() > 0
    networks.generator_loss(np.zeros(4, int), np.array([0, 1, 2, 2]), condition).backward()
    assert networks.generator.first.layer.weights.grad.abs().sum() > 0


@pytest.fixture(scope="module")
def trained(dependent):
    return Ctgan(epochs=80, batch=50, pac=2, device="cpu").fit(dependent, np.random.default_rng(0))


def test_a_dependence_is_learnt(trained, dependent, distances, shares):
    found = trained.sample(4000, np.random.default_rng(1))
    distance, alone = distances(dependent, found)
    assert alone > 0.55
    assert distance < 0.6 * alone
    for name in ("a", "b", "c"):
        np.testing.assert_allclose(shares(found, name), shares(dependent, name), atol=0.15)
    a, x = found.column("a"), found.column("x")
    assert np.nanmedian(x[a == 1]) < 15 < np.nanmedian(x[a == 2]) < 25 < np.nanmedian(x[a == 3])
    assert 0 < np.isnan(x).mean() < 0.3


def test_levels_and_types_are_those_of_the_table(trained, dependent):
    found = trained.sample(3000, np.random.default_rng(2))
    assert found.schema == dependent.schema
    for mine, other in zip(found.columns, dependent.columns, strict=True):
        assert mine.dtype == other.dtype
    for name in ("a", "b", "c"):
        assert set(found.column(name)) == set(dependent.column(name))
    assert len(trained.sample(1, np.random.default_rng(0))) == 1
    assert len(trained.sample(0, np.random.default_rng(0))) == 0
    assert trained.card.rows == len(dependent)
    assert trained.card.parameters["epochs"] == 80
    assert trained.card.details["steps"] == 80 * 12
    assert trained.card.privacy is None


def test_one_seed_decides_everything_and_nothing_global_changes(dependent):
    state, threads = torch.random.get_rng_state(), torch.get_num_threads()
    digests = []
    for seed, count in ((0, 1), (0, 2), (1, 1)):
        torch.set_num_threads(count)
        torch.manual_seed(seed + count)
        rng = np.random.default_rng(seed)
        digests.append(SMALL.fit(dependent, rng).sample(200, rng).digest)
    torch.set_num_threads(threads)
    torch.random.set_rng_state(state)
    SMALL.fit(dependent, np.random.default_rng(0)).sample(10, np.random.default_rng(0))
    assert torch.equal(torch.random.get_rng_state(), state)
    assert digests[0] == digests[1] != digests[2]


@pytest.mark.parametrize("names", [["x"], ["a", "c"], ["a"]], ids=["numbers", "categories", "one category"])
def test_numbers_alone_and_categories_alone(dependent, names):
    table = dependent.project(names)
    assert len(SMALL.fit(table, np.random.default_rng(0)).sample(7, np.random.default_rng(0))) == 7


def test_a_date_is_a_number_and_a_constant_stays():
    schema = Schema((Column("day", Kind.DATE, low=0.0, high=99.0), Column("k", Kind.NUMERIC, low=4.0, high=4.0)))
    table = Table(schema, (np.arange(100.0), np.full(100, 4.0)))
    found = SMALL.fit(table, np.random.default_rng(0)).sample(50, np.random.default_rng(0))
    assert set(found.column("k")) == {4.0}
    assert np.isfinite(found.column("day")).all()


def test_a_table_smaller_than_a_batch_is_refused(dependent):
    with pytest.raises(ConfigError, match="batches of 500 rows, but the table has 400; set a smaller batch"):
        Ctgan().fit(dependent.take(np.arange(400)), np.random.default_rng(0))
