"""Equal values and equal rows of two tables."""

from dataclasses import dataclass
from typing import Generic

import numpy as np

from seethrough.bench.bench import Bench, P
from seethrough.data.encoding import shared_codes
from seethrough.kernels.arrays import Codes, Ints
from seethrough.kernels.counting.grouping import combine


@dataclass(frozen=True)
class SharedCodes(Generic[P]):
    """Request: the columns of two tables, coded so that equal codes are equal values."""

    first: P
    second: P

    def compute(self, bench: Bench[P]) -> tuple[tuple[Codes, ...], tuple[Codes, ...]]:
        """Code numbers by their rank; categories are codes already."""
        return shared_codes(bench.table(self.first), bench.table(self.second))


@dataclass(frozen=True)
class WholeCodes(Generic[P]):
    """Request: the same of all rows that the first table was drawn from; what describes tables looks at all of them."""

    first: P
    second: P

    def compute(self, bench: Bench[P]) -> tuple[tuple[Codes, ...], tuple[Codes, ...]]:
        """Share the codes where nothing was drawn."""
        if bench.drawn_from(self.first) is None:
            return bench.get(SharedCodes(self.first, self.second))
        return shared_codes(bench.whole(self.first), bench.table(self.second))


@dataclass(frozen=True)
class RowGroups(Generic[P]):
    """Request: one number for each row of two tables, equal where rows are, numbers rounded if asked."""

    first: P
    second: P
    decimals: int | None = None

    def compute(self, bench: Bench[P]) -> tuple[Ints, Ints]:
        """Combine the codes of all columns."""
        if self.decimals is None:
            mine, others = bench.get(SharedCodes(self.first, self.second))
        else:
            mine, others = shared_codes(
                bench.table(self.first).round_numbers(self.decimals),
                bench.table(self.second).round_numbers(self.decimals),
            )
        groups = combine([np.concatenate(pair) for pair in zip(mine, others, strict=True)])
        return groups[: len(mine[0])], groups[len(mine[0]) :]
