"""The neighbour pass on an accelerator: the smallest total of every point across, over all pairs, by torch.

Totals are those of the processor to the last bit (`pair_totals`), and so are their minima.
"""

from dataclasses import dataclass

import numpy as np

from seethrough.kernels.arrays import Bools, Floats, Ints
from seethrough.kernels.device.pair_totals import DevicePairs
from seethrough.kernels.device.torch_extra import device_memory
from seethrough.kernels.points import Points


@dataclass(frozen=True, eq=False)
class WantedNeighbours:
    """Two sets of distinct points, and which of them want to know their nearest point across.

    `symmetric` is a set against itself; then both masks are the same, and no point is near itself.
    """

    a: Points
    b: Points
    rows: Bools
    columns: Bools
    symmetric: bool


def nearest_on_device(wanted: WantedNeighbours, name: str) -> tuple[Floats, Floats]:
    """Find the smallest total of every wanted row and column; 0 for the others."""
    with device_memory(name):
        by_row = _smallest(wanted.a, wanted.b, wanted.rows, name, own=wanted.symmetric)
        if wanted.symmetric:
            return by_row, by_row
        return by_row, _smallest(wanted.b, wanted.a, wanted.columns, name, own=False)


def _smallest(mine: Points, theirs: Points, wanted: Bools, name: str, *, own: bool) -> Floats:
    """Find the smallest total of wanted points; infinite where there is nobody else."""
    import torch

    found = np.where(wanted, np.inf, 0.0)
    asking: Ints = np.flatnonzero(wanted)
    if not len(asking) or not len(theirs):
        return found
    pairs = DevicePairs(mine, theirs, name, own=own)
    smallest = [
        pairs.minima(rows).amin(0).double()
        for rows in torch.as_tensor(asking, device=pairs.device).split(pairs.affordable(12 * pairs.groups))
    ]
    found[asking] = torch.cat(smallest).cpu().numpy()
    return found
