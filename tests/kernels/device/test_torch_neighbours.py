"""The neighbour pass of torch, on the processor, against the exact one."""

import numpy as np
import pytest

from seethrough.errors import ConfigError
from seethrough.kernels.budget import Budget
from seethrough.kernels.device import torch_neighbours
from seethrough.kernels.neighbours.nearest import nearest_between, nearest_other
from seethrough.kernels.points import Norm, Points

EXACT = Budget(threads=1)


def cloud(rng, rows, numbers, codes, spread=1.0):
    return Points(
        rng.normal(size=(rows, numbers)) * spread,
        rng.integers(0, 5, (codes, rows)).astype(np.uint8),
        np.ones(codes),
    )


def device_budget():
    pytest.importorskip("torch", reason="the extra deep is not installed")
    return Budget(threads=1, device="cpu:0")


@pytest.mark.parametrize(
    ("numbers", "codes", "spread"), [(0, 6, 1.0), (2, 5, 1.0), (3, 0, 1.0), (4, 2, 500.0), (1, 0, 1e-4)]
)
def test_totals_are_within_the_stated_tolerance(monkeypatch, numbers, codes, spread):
    budget, rng = device_budget(), np.random.default_rng(7)
    monkeypatch.setattr(torch_neighbours, "SIDE", 64)
    a, b = cloud(rng, 333, numbers, codes, spread), cloud(rng, 257, numbers, codes, spread)
    b = Points(np.vstack([b.numbers, a.numbers[:9]]), np.hstack([b.codes, a.codes[:, :9]]), b.weights)
    allowed = torch_neighbours.tolerance(a, b)
    assert (allowed == 0) == (numbers == 0)
    exact, found = nearest_between(a, b, EXACT), nearest_between(a, b, budget)
    for true, given in ((exact.rows, found.rows), (exact.columns, found.columns)):
        assert np.all(given**2 - true**2 <= allowed + 1e-9)
        assert np.all(given >= true)
        assert (given == true).mean() > 0.95
    assert np.all(found.rows[:9] == 0)
    np.testing.assert_allclose(nearest_other(a, budget), nearest_other(a, EXACT), atol=allowed**0.5 + 1e-9)


def test_a_point_alone_has_no_neighbour():
    budget = device_budget()
    one = cloud(np.random.default_rng(0), 1, 2, 2)
    assert np.isinf(nearest_other(one, budget)).all()


def test_what_does_not_fit_is_searched_on_the_processor():
    budget, rng = device_budget(), np.random.default_rng(1)
    a, b = cloud(rng, 40, 2, 2), cloud(rng, 30, 2, 2)
    a, b = (Points(side.numbers, side.codes, side.weights, Norm.MANHATTAN) for side in (a, b))
    assert not torch_neighbours.fits(a, b)
    np.testing.assert_array_equal(nearest_between(a, b, budget).rows, nearest_between(a, b, EXACT).rows)


def test_a_device_that_is_not_there_is_an_error():
    rng = np.random.default_rng(1)
    a, b = cloud(rng, 40, 2, 2), cloud(rng, 30, 2, 2)
    with pytest.raises(ConfigError, match="torch"):
        nearest_between(a, b, Budget(device="cuda:77"))
