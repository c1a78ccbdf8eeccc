"""Equal values and equal rows of two tables."""

from dataclasses import dataclass
from typing import Generic

import numpy as np
import numpy.typing as npt

from seethrough.data.encoding import shared_codes
from seethrough.kernels.grouping import Codes, combine
from seethrough.shared.bench import Bench, P


@dataclass(frozen=True)
class SharedCodes(Generic[P]):
    """Request: the columns of two tables, coded so that equal codes are equal values."""

    first: P
    second: P

    def compute(self, bench: Bench[P]) -> tuple[tuple[Codes, ...], tuple[Codes, ...]]:
        """Code numbers by their rank; categories are codes already."""
        return shared_codes(bench.table(self.first), bench.table(self.second))


@dataclass(frozen=True)
class FoundIn(Generic[P]):
    """Request: which rows of one table stand in another, on all columns."""

    rows: P
    other: P

    def compute(self, bench: Bench[P]) -> npt.NDArray[np.bool_]:
        """Join on one number for each distinct row."""
        mine, others = bench.get(SharedCodes(self.rows, self.other))
        groups = combine([np.concatenate(pair) for pair in zip(mine, others, strict=True)])
        return np.isin(groups[: len(mine[0])], groups[len(mine[0]) :])
