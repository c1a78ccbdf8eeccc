"""The linkage experiment summed up: shares of records, as means over runs with their intervals."""

from dataclasses import dataclass
from functools import cached_property

import polars as pl

from seethrough.games.linkage.scoring import estimate
from seethrough.kernels.arrays import Floats
from seethrough.results.estimate import Estimate
from seethrough.seeds import stream
from seethrough.study.cells.results import Results
from seethrough.study.kinds.linkage.cells import PERMUTED, RELEASE, SHARES

CONFIDENCE = 0.95
BASELINE = "permuted columns"


@dataclass(frozen=True, eq=False)
class LinkageScores:
    """The runs with so many records and one hidden column; `cells` has a row for each run, closeness and M."""

    data: str
    hidden: str
    seed: int
    cells: pl.DataFrame

    @cached_property
    def closenesses(self) -> tuple[str, ...]:
        """Name what was linked to, in the order of the plan."""
        return tuple(self.cells["synthesizer"].unique(maintain_order=True))

    @cached_property
    def files(self) -> tuple[int, ...]:
        """Give the numbers of tables, smallest first."""
        return tuple(sorted(self.cells["size"].unique()))

    def values(self, closeness: str, files: int, share: str) -> Floats:
        """Give a share in each run; that of permuted columns is the mean over all that were permuted in it."""
        wanted = (pl.col("size") == files) & (
            (pl.col("what") == PERMUTED)
            if closeness == BASELINE
            else (pl.col("what") == RELEASE) & (pl.col("synthesizer") == closeness)
        )
        # Ranks of permuted columns have nothing to do with each other, whatever the closeness was before.
        runs = self.cells.filter(wanted).group_by("number", maintain_order=True).agg(pl.col(share).mean())
        return runs[share].to_numpy()

    def mean(self, closeness: str, files: int, share: str) -> Estimate | None:
        """Average a share over runs; None where no run has it."""
        values = self.values(closeness, files, share)
        rng = stream(self.seed, f"linkage {self.data} {self.hidden} {closeness} {files} {share}")
        return estimate(values, CONFIDENCE, rng) if len(values) else None


def linkage_scores(results: Results) -> tuple[LinkageScores, ...]:
    """Sum up the runs for each number of records and hidden column."""
    cells = results.done("linkage").select(*("data", "name", "synthesizer", "size", "number", "what"), *SHARES.values())
    kinds = cells.select("data", "name").unique(maintain_order=True).iter_rows()
    return tuple(
        LinkageScores(data, hidden, results.seed, cells.filter(pl.col("data") == data, pl.col("name") == hidden))
        for data, hidden in kinds
    )
