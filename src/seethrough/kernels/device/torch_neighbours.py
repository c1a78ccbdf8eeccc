"""The neighbour pass on an accelerator: all pairs of two sets of distinct points, in blocks, by torch.

The total of a pair is, up to a constant, one product of half-precision features that is added up in single precision.
A code is an indicator for each level, which is exact. A number x is the sum of two halves, high and low, and x * y is
high * high' + high * low' + low * high'; squared norms are the sum of three halves each. With codes alone every value
is a small whole number, the product is exact and its result kept in half precision.

A first pass over all blocks of pairs keeps the smallest value of each point and the block it stands in, which is
cheaper than keeping the place in the block; a second one looks for the pair in that block alone and measures it
directly. So the total found is that of a real pair, and with numbers it may lie above the smallest by `tolerance` at
most, because another pair within the rounding error looked larger.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from seethrough.kernels.arrays import Bools, Floats, Ints
from seethrough.kernels.device.torch_extra import torch_device
from seethrough.kernels.points import Norm, Points, totals

SIDE = 16_384
"""Rows and columns of a block; its values pass through the memory of the device three times."""
WIDEST = 4096
"""Features up to which one product does it; a table with more levels is searched on the processor."""
HALF = 2.0**-11
"""Relative rounding error of half precision."""


def fits(a: Points, b: Points) -> bool:
    """Tell whether the product can be had: Euclidean, weights of 1, not too many levels."""
    levels = sum(len(present) for present in _levels(a, b))
    width = levels + 3 * a.numbers.shape[1] + 6
    return a.norm is Norm.EUCLIDEAN and bool(np.all(a.weights == 1)) and width <= WIDEST


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
    search = _DeviceSearch(wanted, torch_device(name))
    rows, others = np.flatnonzero(wanted.rows), np.flatnonzero(~wanted.rows)
    columns, rest = np.flatnonzero(wanted.columns), np.flatnonzero(~wanted.columns)
    search.run(rows, columns, (0, 1), same=wanted.symmetric)
    search.run(rows, rest, (0,))
    if not wanted.symmetric:
        search.run(others, columns, (1,))
    return search.measure()


def tolerance(a: Points, b: Points) -> float:
    """Bound how far a total that is found may lie above the smallest one."""
    count = a.numbers.shape[1]
    if not count:
        return 0.0
    square: float = _scale(a, b) ** -2.0
    # Two halves leave HALF^2 of a factor, and HALF^2 of the scale where the lower one is too small for its exponent;
    # single precision adds its own for every term.
    split: float = (12 + 4 * count) * HALF**2 * square
    added: float = 2.0**-22 * (len(a.codes) + 3 * count + 6) * (len(a.codes) + 4 * square)
    return 2 * (split + added)


class _DeviceSearch:
    """Smallest values so far, rows first and then columns, and the block that each stands in."""

    def __init__(self, wanted: WantedNeighbours, device: Any) -> None:
        self.wanted, self.device = wanted, device
        self.levels = _levels(wanted.a, wanted.b)
        self.centre = _centre(wanted.a)
        self.scale = _scale(wanted.a, wanted.b)
        self.best = [np.full(len(wanted.a), np.inf), np.full(len(wanted.b), np.inf)]
        self.block = [np.full(len(wanted.a), -1), np.full(len(wanted.b), -1)]
        self.blocks: list[Ints] = []

    def run(self, rows: Ints, columns: Ints, wanting: tuple[int, ...], *, same: bool = False) -> None:
        """Measure all pairs of some rows and some columns for those `wanting`, 0 being the rows and 1 the columns.

        `same` is a set with itself, half of which is enough.
        """
        if not len(rows) or not len(columns):
            return
        lefts, rights = self._sides(self.wanted.a, rows, left=True), self._sides(self.wanted.b, columns, left=False)
        lowest = [self._unknown(rows, rights), self._unknown(columns, lefts)]
        for number, right in enumerate(rights):
            for mine, left in enumerate(lefts[: number + 1] if same else lefts):
                values = _product(left, right, exact=self._exact)
                if same and mine == number:
                    values.fill_diagonal_(float("inf"))
                for side, at, block in ((0, mine, number), (1, number, mine)):
                    if side in wanting:
                        lowest[side][block, at * SIDE : (at + 1) * SIDE] = values.amin(1 - side)
        for side in wanting:
            self._improve(0 if self.wanted.symmetric else side, *((rows, columns), (columns, rows))[side], lowest[side])

    def measure(self) -> tuple[Floats, Floats]:
        """Find the nearest pairs in their blocks and measure them directly."""
        by_row = self._direct(0)
        return by_row, by_row if self.wanted.symmetric else self._direct(1)

    @property
    def _exact(self) -> bool:
        return not self.wanted.a.numbers.shape[1]

    def _improve(self, side: int, members: Ints, across: Ints, lowest: Any) -> None:
        """Take over what is smaller; `lowest` has a row for each block across."""
        found, where = (each.cpu().numpy() for each in lowest.min(0))
        better = found < self.best[side][members]
        self.best[side][members[better]] = found[better]
        self.block[side][members[better]] = len(self.blocks) + where[better]
        self.blocks += [across[start : start + SIDE] for start in range(0, len(across), SIDE)]

    def _direct(self, side: int) -> Floats:
        mine, other = (self.wanted.a, self.wanted.b) if side == 0 else (self.wanted.b, self.wanted.a)
        found = np.where(self.wanted.rows if side == 0 else self.wanted.columns, np.inf, 0.0)
        blocks = self.block[side]
        for number in np.unique(blocks[blocks >= 0]):
            members = self.blocks[number]
            right = self._features(other.take(members), left=False)
            rows = np.flatnonzero(blocks == number)
            for group in np.array_split(rows, -(-len(rows) // SIDE)):
                values = _product(self._features(mine.take(group), left=True), right, exact=self._exact)
                if self.wanted.symmetric:
                    self._leave_out(values, group, members)
                found[group] = totals(mine, group, other, members[values.argmin(1).cpu().numpy()])
        return found

    def _leave_out(self, values: Any, rows: Ints, columns: Ints) -> None:
        """Keep points from being near themselves; `columns` is in rising order."""
        place = np.searchsorted(columns, rows)
        own = np.flatnonzero((place < len(columns)) & (columns[np.minimum(place, len(columns) - 1)] == rows))
        values[own, place[own]] = float("inf")

    def _sides(self, points: Points, rows: Ints, *, left: bool) -> list[Any]:
        starts = range(0, len(rows), SIDE)
        return [self._features(points.take(rows[start : start + SIDE]), left=left) for start in starts]

    def _unknown(self, members: Ints, across: list[Any]) -> Any:
        import torch

        kind = torch.half if self._exact and self.device.type != "cpu" else torch.float32
        return torch.full((len(across), len(members)), float("inf"), dtype=kind, device=self.device)

    def _features(self, points: Points, *, left: bool) -> Any:
        import torch

        codes = torch.as_tensor(points.codes.astype(np.int64), device=self.device)
        numbers = torch.as_tensor((points.numbers - self.centre) * self.scale, device=self.device)
        unit = self.scale if left else -self.scale
        parts = [
            (column[:, None] == torch.as_tensor(present, device=self.device)).half() * unit
            for column, present in zip(codes, self.levels, strict=True)
        ]
        if numbers.shape[1]:
            high, low = _halves(numbers, 2)
            norms = torch.stack(_halves((numbers**2).sum(1), 3), 1)
            ones = torch.ones_like(norms)
            parts += [high, high, low, norms, ones] if left else [-2 * high, -2 * low, -2 * high, ones, norms]
        return torch.cat(parts, 1) if parts else torch.zeros((len(points), 1), dtype=torch.half, device=self.device)


def _product(left: Any, right: Any, *, exact: bool) -> Any:
    import torch

    if left.device.type == "cpu":  # has no product of halves that adds up in single precision
        return left.float() @ right.float().T
    return left @ right.T if exact else torch.mm(left, right.T, out_dtype=torch.float32)


def _halves(values: Any, count: int) -> list[Any]:
    parts = []
    for _ in range(count):
        parts.append(values.half())
        values = values - parts[-1].double()
    return parts


def _levels(a: Points, b: Points) -> list[Ints]:
    return [np.union1d(mine, other).astype(np.int64) for mine, other in zip(a.codes, b.codes, strict=True)]


def _centre(a: Points) -> Floats:
    return a.numbers.mean(axis=0) if len(a) else np.zeros(a.numbers.shape[1])


def _scale(a: Points, b: Points) -> float:
    """Give the power of two that brings codes and the norms of the numbers to 1 at most, where halves are best."""
    centre = _centre(a)
    largest = max(float(np.square(side.numbers - centre).sum(axis=1).max(initial=0)) for side in (a, b))
    largest = max(largest, 1.0 if len(a.codes) else 0.0) or 1.0
    return float(2.0 ** -np.ceil(np.log2(largest**0.5)))
