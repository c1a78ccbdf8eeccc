"""Sums over people and over lists on an accelerator, in double precision, by torch."""

from collections.abc import Iterable
from typing import Any

from seethrough.kernels.arrays import Bools, Floats, Matrix
from seethrough.kernels.device.torch_extra import torch_device


def label_sums(weights: Matrix, sets: Iterable[Bools], name: str) -> Floats:
    """Add up weights (one row a person) over the people of each set, given in blocks with one row a set.

    While a block is added up, the next one is drawn on the processor.
    """
    import torch

    device = torch_device(name)
    placed = torch.as_tensor(weights, device=device).double()
    sums = [torch.as_tensor(labels, device=device).double() @ placed for labels in sets]
    return _fetched(torch.cat(sums))


def log_sums_of_exponentials(exponents: Floats, name: str) -> Floats:
    """Give the logarithm of the sum of exponentials of each row; equal rows have equal sums."""
    import torch

    placed = torch.as_tensor(exponents, device=torch_device(name)).T.contiguous()
    largest = placed.amax(0)
    total = torch.zeros_like(largest)
    for column in placed:  # in this order for every row, which a reduction along the row does not promise
        total += torch.exp(column - largest)
    return _fetched(torch.log(total) + largest)


def _fetched(values: Any) -> Floats:
    found: Floats = values.cpu().numpy()
    return found
