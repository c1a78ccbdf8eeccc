"""Blocks of points, the totals (squared distances) between two of them with their error, passes over all of them."""

from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from seethrough.kernels.arrays import Codes, Ints, Matrix
from seethrough.kernels.budget import Budget
from seethrough.kernels.neighbours.products import (
    COARSE,
    ProductLayout,
    Side,
    error_bound,
    left,
    mismatches,
    product,
    right,
)
from seethrough.kernels.points import Norm, Points, block_totals

BLOCK = 1024
"""Rows and columns of a block: large enough for a fast product, small enough for the cache."""
BYTES_PER_PAIR = 48
"""What a thread holds for each pair of a block at the worst moment."""

Encode = Callable[[Points, ProductLayout, npt.DTypeLike], Side]


def block_rows(budget: Budget) -> int:
    """Choose the side of a block so that all threads stay within the budget."""
    return int(min(BLOCK, max(16, (budget.memory / budget.threads / BYTES_PER_PAIR) ** 0.5)))


class Block:
    """Consecutive points, encoded for the product when first used."""

    def __init__(self, points: Points, start: int, plan: ProductLayout, encode: Encode) -> None:
        self.points, self.start = points, start
        self.span = slice(start, start + len(points))
        self.plan, self._encode = plan, encode
        self._sides: dict[type[np.floating], Side] = {}

    def side(self, dtype: type[np.floating]) -> Side:
        """Encode, once for each precision."""
        if dtype not in self._sides:
            with np.errstate(over="ignore"):  # beyond single precision the bound of its error is large: double is taken
                self._sides[dtype] = self._encode(self.points, self.plan, dtype)
        return self._sides[dtype]

    def part(self, rows: Ints) -> "BlockPart":
        """Pick points of the block."""
        return BlockPart(self, rows)


class BlockPart:
    """Some points of a block, with the encoding of the block."""

    def __init__(self, block: Block, rows: Ints) -> None:
        self.points, self.plan = block.points.take(rows), block.plan
        self._block, self._rows = block, rows

    def side(self, dtype: type[np.floating]) -> Side:
        """Pick from the encoding of the block."""
        return self._block.side(dtype).take(self._rows)


def measure(mine: Block | BlockPart, other: Block | BlockPart) -> tuple[Matrix, float]:
    """Measure all pairs of two blocks; return their totals and the largest error among them."""
    if mine.points.norm is Norm.MANHATTAN:
        return block_totals(mine.points, other.points), 0.0
    for dtype in (np.float32, np.float64):
        first, second = mine.side(dtype), other.side(dtype)
        error = error_bound(first, second, mine.plan)
        if error < COARSE:
            break
    return product(first, second, mine.plan, np.empty((len(mine.points), len(other.points)), dtype)), error


def count_differences(mine: Block, other: Block) -> Codes:
    """Count the columns in which the points of two blocks differ, which have codes alone, of weight 1."""
    first, second = (block.side(np.float32).codes for block in (mine, other))
    return mismatches(first, second) if first else np.zeros((len(mine.points), len(other.points)), np.uint8)


def run_strips(
    rows: Points, columns: Points, plan: ProductLayout, budget: Budget, work: Callable[[Block, Sequence[Block]], None]
) -> None:
    """Give `work` every block of rows once, with all blocks of columns, on the threads of the budget."""
    side = block_rows(budget)
    # Comparisons of bytes run along the columns, and a run twice as long costs less than twice.
    step, wide = max(1, side // 4), 4 * side
    blocks = [Block(_slice(columns, start, wide), start, plan, right) for start in range(0, len(columns), wide)]

    def strip(start: int) -> Callable[[], None]:
        return lambda: work(Block(_slice(rows, start, step), start, plan, left), blocks)

    budget.run([strip(start) for start in range(0, len(rows), step)])


def _slice(points: Points, start: int, step: int) -> Points:
    return points.take(np.arange(start, min(start + step, len(points))))
