"""What the tests of device kernels share: torch on the processor stands for a device."""

import pytest

from seethrough.kernels.budget import Budget
from seethrough.kernels.device import pair_totals


@pytest.fixture
def device(monkeypatch):
    """Give the budget of a device, whose groups of points are small, so that there are many."""
    pytest.importorskip("torch", reason="the extra deep is not installed")
    monkeypatch.setattr(pair_totals, "GROUP", 16)
    return Budget(threads=1, device="cpu:0")
