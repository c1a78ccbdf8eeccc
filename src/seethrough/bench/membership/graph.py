"""Cells of columns that go together, how often the release has them and how often other people do.

A number falls into one of at most 20 bins, cut at the 1/20-quantiles of reference and release together (the cell is the
number of cuts at or below it); a category is its level, missing is a level. Which columns go together is learnt from
the release alone (`kernels/learning/informative_network`). Of a set c of columns, in a table T,

    ln P_T(x) = ln (n_T(x_c) + 1/2) - ln (|T| + k_c / 2)      k_c: cells of c met in people, release and reference
"""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from seethrough.bench.bench import Bench
from seethrough.bench.pool import FEWEST_REFERENCE, Seen
from seethrough.data.schema import Column
from seethrough.data.table import Array
from seethrough.errors import NotApplicable
from seethrough.kernels.arrays import Floats, Ints
from seethrough.kernels.counting.bins import cut, known_numbers
from seethrough.kernels.counting.grouping import combine, dense_codes
from seethrough.kernels.learning.informative_network import (
    informative_network,
    informative_tree,
    pairwise_informations,
)
from seethrough.kernels.learning.networks import Entropies, Family, Parents

BINS = 20
SMOOTHING = 0.5


@dataclass(frozen=True, eq=False)
class SharedCells:
    """Cells of all rows, people first, then the release, then the reference; one array a column."""

    columns: tuple[Ints, ...]
    people: slice
    release: slice
    reference: slice

    def log_ratio(self, members: Parents) -> Floats:
        """Give ln P_S - ln P_R of each person's cell of a set of columns."""
        if not members:
            return np.zeros(self.people.stop)
        codes = dense_codes(combine([self.columns[place] for place in members]))
        cells = int(codes.max(initial=-1)) + 1
        logs = []
        for rows in (self.release, self.reference):
            counts = np.bincount(codes[rows], minlength=cells)
            logs.append(np.log(counts + SMOOTHING) - np.log(counts.sum() + SMOOTHING * cells))
        return np.asarray((logs[0] - logs[1])[codes[self.people]])


@dataclass(frozen=True)
class CellsOfAll:
    """Request: the cells of people, release and reference."""

    def compute(self, bench: Bench[Seen]) -> SharedCells:
        """Cut numbers by release and reference, never by the people."""
        if len(bench.table(Seen.REFERENCE)) < FEWEST_REFERENCE:
            raise NotApplicable(f"fewer than {FEWEST_REFERENCE} people of the holdout are left as a reference")
        tables = [bench.table(Seen.PEOPLE), bench.table(Seen.RELEASE).drawn, bench.table(Seen.REFERENCE)]
        ends = np.cumsum([0, *(len(table) for table in tables)])
        columns = zip(tables[0].schema.used, *(table.columns for table in tables), strict=True)
        cells = tuple(_cells(column, values) for column, *values in columns)
        return SharedCells(cells, *(slice(int(begin), int(end)) for begin, end in pairwise(ends)))


def _cells(column: Column, values: list[Array]) -> Ints:
    if column.kind.has_levels:
        return dense_codes(np.concatenate(values).astype(np.int64))
    numbers = np.concatenate([known_numbers(part) for part in values[1:]])
    edges = numbers
    if len(numbers):
        # Quantiles that are values themselves: cells then do not depend on the unit of a number.
        edges = np.unique(np.quantile(numbers, np.arange(1, BINS) / BINS, method="inverted_cdf"))
    return cut(np.concatenate(values).astype(np.float64), edges, above=True).astype(np.int64)


@dataclass(frozen=True, eq=False)
class ColumnGraph:
    """Columns that go together in the release: a network of families, and a tree of pairs."""

    families: tuple[Family, ...]
    pairs: tuple[Parents, ...]


@dataclass(frozen=True)
class GraphOfRelease:
    """Request: which columns go together, by the release alone."""

    def compute(self, bench: Bench[Seen]) -> ColumnGraph:
        """Score families by mutual information."""
        cells = bench.get(CellsOfAll())
        released = np.column_stack([column[cells.release] for column in cells.columns])
        entropies = Entropies(released, [int(column.max(initial=0)) + 1 for column in cells.columns])
        informations = pairwise_informations(entropies)
        return ColumnGraph(informative_network(entropies, informations), informative_tree(informations))


@dataclass(frozen=True)
class GraphRatios:
    """Request: the log ratio of release and reference summed over families, each given its parents."""

    def compute(self, bench: Bench[Seen]) -> Floats:
        """Leave out the root, which has no parents."""
        cells, families = bench.get(CellsOfAll()), bench.get(GraphOfRelease()).families
        total = np.zeros(len(bench.table(Seen.PEOPLE)))
        for family in families[1:]:
            total += cells.log_ratio(family.members) - cells.log_ratio(family.parents)
        return total


@dataclass(frozen=True)
class PairRatios:
    """Request: the log ratio of release and reference summed over the pairs of the tree."""

    def compute(self, bench: Bench[Seen]) -> Floats:
        """Add up edges."""
        cells, pairs = bench.get(CellsOfAll()), bench.get(GraphOfRelease()).pairs
        total = np.zeros(len(bench.table(Seen.PEOPLE)))
        for pair in pairs:
            total += cells.log_ratio(pair)
        return total
