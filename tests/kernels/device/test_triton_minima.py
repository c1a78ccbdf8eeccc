"""The fused kernel, run by Triton's interpreter on the processor, against all totals."""

import sys
from importlib import import_module
from importlib.util import find_spec

import numpy as np
import pytest

from seethrough.kernels.device import pair_totals
from seethrough.kernels.points import Norm, Points, block_totals

KERNEL = "seethrough.kernels.device.triton_minima"
CASES = {
    "numbers, L1": (2, 2, 4, Norm.MANHATTAN, 1.0),
    "numbers, L2": (2, 2, 4, Norm.EUCLIDEAN, 1.0),
    "categories": (0, 3, 4, Norm.MANHATTAN, 1.0),
    "many levels": (0, 2, 500, Norm.MANHATTAN, 1.0),
    "several steps": (1, 3, 60, Norm.MANHATTAN, 1.0),
    "weights": (1, 2, 4, Norm.MANHATTAN, 1 / 3),
}


@pytest.fixture(scope="module")
def kernel():
    """Import Triton and the kernel anew for the interpreter, with small blocks, which it runs through one by one."""
    if find_spec("torch") is None or find_spec("triton") is None:
        pytest.skip("torch or Triton is not installed")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TRITON_INTERPRET", "1")
        for name in [name for name in sys.modules if name.partition(".")[0] == "triton" or name == KERNEL]:
            patch.delitem(sys.modules, name)
        kernel = import_module(KERNEL)
        patch.setattr(kernel, "TALL", 16)
        patch.setattr(kernel, "RUN", 4)
        yield kernel
        sys.modules.pop(KERNEL)


@pytest.mark.parametrize("case", CASES)
def test_minima_have_the_bits_of_the_processor(kernel, device, case):
    import torch

    numbers, codes, levels, norm, weight = CASES[case]
    rng = np.random.default_rng(4)
    sides = [
        Points(
            rng.normal(size=(rows, numbers)),
            rng.integers(0, levels, (codes, rows)).astype(np.uint16),
            np.full(codes, weight),
            norm,
        )
        for rows in (37, 150)
    ]
    pairs = pair_totals.DevicePairs(*sides, device.device)
    found = kernel.group_minima(pairs, pairs.mine, torch.arange(37)).numpy()
    every = np.pad(block_totals(*sides), ((0, 0), (0, 10)), constant_values=np.inf)
    np.testing.assert_array_equal(found.T, every.reshape(37, 10, 16).min(axis=2))


def test_no_point_is_near_itself(kernel, device):
    import torch

    points = Points(np.arange(20.0)[:, None] ** 2, np.zeros((0, 20), np.uint8), np.empty(0))
    pairs = pair_totals.DevicePairs(points, points, device.device, own=True)
    rows = torch.tensor([3, 17])
    assert kernel.group_minima(pairs, pairs.mine.take(rows), rows).amin(0).tolist() == [25.0, 33.0**2]
