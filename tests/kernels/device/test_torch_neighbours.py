"""The neighbour pass of torch, on the processor, against the exact one: not a bit may differ."""

import numpy as np
import pytest

from seethrough.api.arguments import budget_of
from seethrough.errors import ConfigError
from seethrough.kernels.budget import GIB, Budget
from seethrough.kernels.device import pair_totals, torch_extra
from seethrough.kernels.neighbours.nearest import nearest_between, nearest_other
from seethrough.kernels.points import Norm, Points, block_totals

HERE = Budget(threads=1)
KINDS = {
    "categories": (0, 6, 1.0, 5),
    "numbers": (3, 0, 1.0, 5),
    "both": (2, 5, 1.0, 5),
    "wide numbers": (4, 2, 500.0, 5),
    "narrow numbers": (1, 0, 1e-4, 5),
    "many levels": (1, 3, 1.0, 400),
    "more indicators than one step takes": (0, 4, 1.0, 60),
}


def cloud(rng, rows, kind, norm=Norm.EUCLIDEAN, weights=None):
    numbers, codes, spread, levels = KINDS[kind]
    return Points(
        rng.normal(size=(rows, numbers)) * spread,
        rng.integers(0, levels, (codes, rows)).astype(np.uint16),
        np.ones(codes) if weights is None else weights[:codes],
        norm,
    )


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("norm", list(Norm))
@pytest.mark.parametrize("weights", [None, np.array([0.5, 1 / 3, 2.0, 1.0, 1.0, 0.1])], ids=["unit", "weighted"])
def test_distances_have_the_same_bits(device, kind, norm, weights):
    rng = np.random.default_rng(7)
    a, b = cloud(rng, 133, kind, norm, weights), cloud(rng, 157, kind, norm, weights)
    b = Points(np.vstack([b.numbers, a.numbers[:9]]), np.hstack([b.codes, a.codes[:, :9]]), b.weights, norm)
    exact, found = nearest_between(a, b, HERE), nearest_between(a, b, device)
    np.testing.assert_array_equal(found.rows, exact.rows)
    np.testing.assert_array_equal(found.columns, exact.columns)
    np.testing.assert_array_equal(found.rows, norm.distance(block_totals(a, b).min(axis=1)))
    np.testing.assert_array_equal(nearest_other(a, device), nearest_other(a, HERE))


def test_blocks_change_nothing(device, monkeypatch):
    rng = np.random.default_rng(3)
    a, b = cloud(rng, 133, "both"), cloud(rng, 90, "both")
    whole = nearest_between(a, b, device)
    monkeypatch.setattr(pair_totals, "BYTES", 3000)
    parts = nearest_between(a, b, device)
    np.testing.assert_array_equal(parts.rows, whole.rows)
    np.testing.assert_array_equal(parts.columns, whole.columns)


def test_a_point_alone_has_no_neighbour(device):
    one = cloud(np.random.default_rng(0), 1, "both")
    assert np.isinf(nearest_other(one, device)).all()


def test_a_device_that_is_not_there_is_an_error_before_anything_is_read():
    with pytest.raises(ConfigError, match="torch"):
        budget_of(GIB, 1, "cuda:77")


def test_a_full_device_is_one_sentence():
    torch = pytest.importorskip("torch", reason="the extra deep is not installed")
    with (
        pytest.raises(ConfigError, match="the device 'cuda' has too little free memory"),
        torch_extra.device_memory("cuda"),
    ):
        raise torch.cuda.OutOfMemoryError
