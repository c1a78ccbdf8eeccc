"""Equal values and equal rows of two tables."""

from dataclasses import dataclass
from typing import Generic

from seethrough.bench.bench import Bench, P
from seethrough.bench.passes.common_rows import CommonRowsPass, RowsInCommon, common_rows
from seethrough.data.chunked.chunked_table import ChunkedTable
from seethrough.data.encoding import shared_codes
from seethrough.kernels.arrays import Codes


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
    """Request: the rows that two tables have in common, numbers rounded if asked."""

    first: P
    second: P
    decimals: int | None = None

    def compute(self, bench: Bench[P]) -> RowsInCommon:
        """Compare all columns; codes of tables in memory are shared with other requests."""
        released = bench.table(self.second)
        if self.decimals is None and not isinstance(released, ChunkedTable):
            return common_rows(*bench.get(SharedCodes(self.first, self.second)))
        return released.fold(CommonRowsPass(bench.table(self.first), self.decimals))
