"""Totals of all pairs of two sets of points on an accelerator, in double precision and as exact as on the processor.

Codes with few levels are indicators, whose product counts agreements exactly; codes with many levels are compared. To
the count of differences the numbers are added one after the other, by the operations of `points.totals` in their order,
so that a total has the same bits wherever it is measured.

The points of the second set stand in groups of `GROUP`. A search first asks for the smallest total of every group, and
then for all totals of the few groups that matter: the k smallest totals of a row are in the k groups with the smallest
minima. So a million totals of a row become 8,000 values. Where torch has Triton, as builds for CUDA on Linux have, one
kernel makes these without any total in memory (`triton_minima`); elsewhere totals pass through the device's memory.
"""

from dataclasses import dataclass
from functools import cache
from types import ModuleType
from typing import Any

import numpy as np

from seethrough.kernels.arrays import Ints
from seethrough.kernels.device.torch_extra import torch_device
from seethrough.kernels.points import Norm, Points

GROUP = 128
"""Points of a group; with k neighbours of m points, m / GROUP and k * GROUP values a row are looked through."""
NARROW = 64
"""Levels up to which a code is a set of indicators; more would make the product slower than a comparison."""
DEPTH = 128
"""Indicators that one step of the product takes, a power of two; where there are several steps, half as many."""
BYTES = 1 << 30
"""Memory for temporary values where the device is the processor."""
_BYTE = 256


@dataclass(frozen=True, eq=False)
class DevicePoints:
    """Points on the device: indicators (a row for each), and other codes, all codes and numbers (a row a column)."""

    indicators: Any
    compared: Any
    codes: Any
    numbers: Any

    def take(self, rows: Any) -> "DevicePoints":
        """Pick points."""
        parts = (part.index_select(1, rows) for part in (self.compared, self.codes, self.numbers))
        return DevicePoints(self.indicators.index_select(0, rows), *parts)


class DevicePairs:
    """All pairs of two sets of points; `own` keeps a set that is held against itself from pairs of one point."""

    def __init__(self, mine: Points, theirs: Points, name: str, *, own: bool = False) -> None:
        import torch

        self.device, self.own, self.size = torch_device(name), own, len(theirs)
        self.group = GROUP
        self.groups = -(-len(theirs) // self.group)
        self.weights = torch.as_tensor(mine.weights, dtype=torch.double, device=self.device)
        self.unit, self.squared = bool((mine.weights == 1).all()), mine.norm is Norm.EUCLIDEAN
        levels = [np.union1d(*pair).astype(np.int64) for pair in zip(mine.codes, theirs.codes, strict=True)]
        self.narrow = [place for place, each in enumerate(levels) if self.unit and len(each) <= NARROW]
        self.depth = _depth(sum(len(levels[place]) for place in self.narrow))
        self.mine = self._placed(mine, levels, len(mine))
        self.theirs = self._placed(theirs, levels, self.groups * self.group)

    @property
    def is_whole(self) -> bool:
        """Tell whether all totals are whole numbers."""
        return self.unit and not len(self.mine.numbers)

    @property
    def step(self) -> int:
        """Say how many indicators one step of the product takes."""
        return self.depth if self.depth <= DEPTH else DEPTH // 2

    def minima(self, rows: Any) -> Any:
        """Find the smallest total of some rows in every group (groups x rows)."""
        mine = self.mine.take(rows)
        kernel = fused_kernel(str(self.device))
        if kernel is not None:
            return kernel.group_minima(self, mine, rows)
        return self._minima_in_memory(mine, rows)

    def totals(self, rows: Any, groups: Any) -> Any:
        """Measure some rows against all points of the groups chosen for each (rows x chosen x GROUP)."""
        import torch

        mine, shape = self.mine.take(rows), (*groups.shape, self.group)
        kind = torch.double if not self.unit else torch.uint8 if len(self.weights) < _BYTE else torch.int32
        total = torch.zeros(shape, dtype=kind, device=self.device)
        for codes, others, weight in zip(mine.codes, self.theirs.codes, self.weights, strict=True):
            differ = self._grouped(others, groups) != codes[:, None, None]
            total += differ if self.unit else differ * weight
        total = total.double()
        for values, theirs in zip(mine.numbers, self.theirs.numbers, strict=True):
            difference = self._grouped(theirs, groups).sub_(values[:, None, None])
            total += difference.square_() if self.squared else difference.abs_()
        return total.masked_fill_(self._is_no_pair(rows[:, None, None], self.places(groups)), torch.inf)

    def places(self, groups: Any) -> Any:
        """Give the places of all points of groups."""
        import torch

        return groups[..., None] * self.group + torch.arange(self.group, device=self.device)

    def _grouped(self, column: Any, groups: Any) -> Any:
        """Fetch what the points of groups have in a column, eight bytes at a time."""
        import torch

        return column.view(-1, self.group).view(torch.int64)[groups].view(column.dtype)

    def affordable(self, bytes_per_row: int) -> int:
        """Say how many rows may be looked at together."""
        import torch

        free = torch.cuda.mem_get_info(self.device)[0] // 2 if self.device.type == "cuda" else BYTES
        return int(max(1, min(free // bytes_per_row, 1 << 16)))

    def _is_no_pair(self, rows: Any, places: Any) -> Any:
        beyond = places >= self.size
        return beyond | (places == rows) if self.own else beyond

    def _minima_in_memory(self, mine: DevicePoints, rows: Any) -> Any:
        import torch

        kind = torch.float32 if self.is_whole else torch.double
        found = torch.empty((self.groups, len(rows)), dtype=kind, device=self.device)
        step = max(1, self.affordable(64 * len(rows) * self.group))
        for begin in range(0, self.groups, step):
            span = slice(begin * self.group, min(begin + step, self.groups) * self.group)
            total = self._block(mine, span)
            places = torch.arange(span.start, span.stop, device=self.device)
            total.masked_fill_(self._is_no_pair(rows[:, None], places), torch.inf)
            found[begin : begin + step] = total.view(len(rows), -1, self.group).amin(2).T.to(kind)
        return found

    def _block(self, mine: DevicePoints, span: slice) -> Any:
        """Measure some rows against a stretch of points."""
        total = len(self.narrow) - (mine.indicators @ self.theirs.indicators[span].T).double()
        weights = self.weights[[place for place in range(len(self.weights)) if place not in self.narrow]]
        for codes, others, weight in zip(mine.compared, self.theirs.compared[:, span], weights, strict=True):
            total += (codes[:, None] != others) * weight
        for values, theirs in zip(mine.numbers, self.theirs.numbers[:, span], strict=True):
            difference = values[:, None] - theirs
            total += difference.square_() if self.squared else difference.abs_()
        return total

    def _placed(self, points: Points, levels: list[Ints], length: int) -> DevicePoints:
        """Bring points to the device, and fill up to a length with points that are nobody's."""
        import torch

        short = torch.uint8 if all(len(each) <= _BYTE for each in levels) else torch.int32
        codes = torch.zeros((len(levels), length), dtype=short, device=self.device)
        for row, column, present in zip(codes, points.codes, levels, strict=True):
            row[: len(points)] = torch.as_tensor(np.searchsorted(present, column), device=self.device)
        numbers = torch.zeros((points.numbers.shape[1], length), dtype=torch.double, device=self.device)
        numbers[:, : len(points)] = torch.as_tensor(np.ascontiguousarray(points.numbers.T), device=self.device)
        kind = torch.float32 if self.device.type == "cpu" else torch.half  # the processor has no product of halves
        indicators = torch.zeros((length, self.depth), dtype=kind, device=self.device)
        begin = 0
        for place in self.narrow:
            width = len(levels[place])
            indicators[:, begin : begin + width] = codes[place][:, None] == torch.arange(width, device=self.device)
            begin += width
        apart = [place for place in range(len(levels)) if place not in self.narrow]
        return DevicePoints(indicators, codes[apart].int(), codes, numbers)


def _depth(indicators: int) -> int:
    """Round the number of indicators up to what the product takes: a power of two, or a multiple of the largest."""
    if indicators > DEPTH:
        return -(-indicators // DEPTH) * DEPTH
    return max(16, 1 << max(indicators - 1, 0).bit_length())


@cache
def fused_kernel(device: str) -> ModuleType | None:
    """Find the kernel that keeps totals out of memory, and see whether it works here."""
    if not device.startswith("cuda"):
        return None
    try:
        from seethrough.kernels.device import triton_minima

        codes = np.tile(np.arange(NARROW), (2, 1))  # as many indicators as one step takes, which needs most room
        some = Points(np.zeros((NARROW, 1)), codes, np.ones(2))
        triton_minima.try_out(DevicePairs(some, some, device))
    except (ImportError, RuntimeError, OSError):  # no Triton, no compiler that it needs, or too small a card
        return None
    return triton_minima
