"""Columns made coarser, or taken out; and read again by whoever has only the coarse ones.

Where a number is cut and which levels are frequent is decided by the released rows alone, so that nothing depends on
who is a member. A number is cut at the quantiles of the released values, and stands as the middle released value of its
bin; of categories the most frequent stay, and all others, unseen ones too, become one. Ordered categories are cut like
numbers, between neighbours.

To say what a coarse release is still good for, it is read again: a merged value stands for one of the values merged,
evenly, a bin for a number in it, a column that is gone for any value of the column.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from seethrough.data.schema import Column, Kind, Schema
from seethrough.data.table import MISSING, Array, Table
from seethrough.errors import ConfigError
from seethrough.kernels.arrays import Floats, Ints
from seethrough.kernels.counting.bins import cut, known_numbers

REST = "all others"
"""What merged levels are called."""


@dataclass(frozen=True, eq=False)
class CoarseNumber:
    """Bins of a number: where they end, the value that each stands as, and the range of the released values in it."""

    edges: Floats
    middles: Floats
    lows: Floats
    highs: Floats

    def column(self, column: Column) -> Column:
        """Describe the coarse column: it stays a number."""
        return column

    def apply(self, values: Array) -> Array:
        """Put numbers into bins."""
        return np.append(self.middles, np.nan)[cut(values.astype(np.float64), self.edges)]

    def read(self, values: Array, column: Column, rng: np.random.Generator) -> Array:
        """Draw a number of the bin of each."""
        bins = cut(values.astype(np.float64), self.edges)
        low, high = np.append(self.lows, np.nan)[bins], np.append(self.highs, np.nan)[bins]
        return _drawn_between(low, high, column, rng)


@dataclass(frozen=True, eq=False)
class CoarseLevels:
    """Levels put together: the group of each code, from 1 on, and the name of each group."""

    groups: Ints
    names: tuple[str, ...]

    def column(self, column: Column) -> Column:
        """Describe the coarse column."""
        return replace(column, levels=self.names, kind=Kind.CATEGORICAL)

    def apply(self, values: Array) -> Array:
        """Put levels into groups; codes beyond those known are among the last group."""
        codes = np.minimum(values.astype(np.int64), len(self.groups) - 1)
        return self.groups[codes].astype(np.min_scalar_type(len(self.names)))

    def read(self, values: Array, column: Column, rng: np.random.Generator) -> Array:
        """Draw one of the levels of the group of each."""
        groups, found = self.apply(values), np.zeros(len(values), np.int64)
        for group in range(1, len(self.names) + 1):
            members = np.flatnonzero(self.groups[: len(column.levels) + 1] == group)
            mine = np.flatnonzero(groups == group)
            if len(members):
                found[mine] = members[rng.integers(0, len(members), len(mine))]
        return found.astype(np.min_scalar_type(len(column.levels)))


@dataclass(frozen=True)
class Gone:
    """A column that is not released."""

    def read(self, values: Array, column: Column, rng: np.random.Generator) -> Array:
        """Draw any value of the column."""
        if column.kind.has_levels:
            drawn = rng.integers(1, max(len(column.levels), 1) + 1, len(values))
            return drawn.astype(np.min_scalar_type(max(len(column.levels), 1)))
        low, high = (0.0 if end is None else end for end in (column.low, column.high))
        return _drawn_between(np.full(len(values), low), np.full(len(values), high), column, rng)


CoarseColumn = CoarseNumber | CoarseLevels | Gone


@dataclass(frozen=True, eq=False)
class CoarseColumns:
    """What is done to columns, by their names."""

    columns: Mapping[str, CoarseColumn]

    def __call__(self, table: Table) -> Table:
        """Make a table coarser."""
        kept = [column for column in table.schema.used if not isinstance(self.columns.get(column.name), Gone)]
        if not kept:
            raise ConfigError("no column would be left of the release")
        values = [self._coarse(table, column) for column in kept]
        return Table(Schema(tuple(column for column, _ in values)), tuple(column for _, column in values))

    def read(self, table: Table, rng: np.random.Generator) -> Table:
        """Give what a reader makes of the coarse table, under the schema that the table has."""
        found = [
            self.columns[column.name].read(values, column, rng) if column.name in self.columns else values
            for column, values in zip(table.schema.used, table.columns, strict=True)
        ]
        return Table(table.schema, tuple(found))

    def _coarse(self, table: Table, column: Column) -> tuple[Column, Array]:
        how, values = self.columns.get(column.name), table.column(column.name)
        return (column, values) if how is None or isinstance(how, Gone) else (how.column(column), how.apply(values))


def coarse_column(column: Column, released: Array, count: int) -> CoarseNumber | CoarseLevels:
    """Decide by the released values how so many values of a column are told apart."""
    if not column.kind.has_levels:
        return _coarse_number(column, released, count)
    seen = max(len(column.levels), int(released.max(initial=0)))
    counts = np.bincount(released.astype(np.int64), minlength=seen + 1)[1:]
    if count >= len(column.levels):
        raise ConfigError(f"column {column.name!r} has {len(column.levels)} values; coarsen it to fewer")
    return _ordered_levels(column, counts, count) if column.ordered else _frequent_levels(column, counts, count)


def _coarse_number(column: Column, released: Array, count: int) -> CoarseNumber:
    known = known_numbers(released)
    if len(np.unique(known)) <= count:
        raise ConfigError(f"the release has {len(np.unique(known))} values of {column.name!r}; coarsen it to fewer")
    ends = np.sort(known)[-(-np.arange(1, count) * len(known) // count) - 1]
    edges = np.unique(ends[ends < known.max()])
    bins = cut(known, edges)
    parts = [known[bins == place] for place in range(len(edges) + 1)]
    middles, lows, highs = (np.array([float(take(part)) for part in parts]) for take in (_middle, np.min, np.max))
    return CoarseNumber(edges, middles, lows, highs)


def _middle(values: Floats) -> float:
    return float(np.sort(values)[(len(values) - 1) // 2])


def _frequent_levels(column: Column, counts: Ints, count: int) -> CoarseLevels:
    """Keep the most frequent levels; of equally frequent ones the first."""
    own = counts[: len(column.levels)]
    kept = np.sort(np.argsort(-own, kind="stable")[: count - 1])
    groups = np.full(len(counts) + 2, count, np.int64)
    groups[MISSING] = MISSING
    groups[kept + 1] = np.arange(1, count)
    return CoarseLevels(groups, (*(column.levels[place] for place in kept), _unused_name(column.levels)))


def _ordered_levels(column: Column, counts: Ints, count: int) -> CoarseLevels:
    """Put neighbours together so that groups have about the same number of released rows."""
    own = counts[: len(column.levels)].astype(np.float64) + 1e-9
    middle = (np.cumsum(own) - own / 2) / own.sum()
    _, groups = np.unique(np.minimum((middle * count).astype(np.int64), count - 1), return_inverse=True)
    last = int(groups.max()) + 1
    names = tuple(
        " to ".join(dict.fromkeys((column.levels[mine[0]], column.levels[mine[-1]])))
        for group in range(last)
        if len(mine := np.flatnonzero(groups == group))
    )
    every = np.full(len(counts) + 2, last, np.int64)
    every[MISSING], every[1 : len(groups) + 1] = MISSING, groups + 1
    return CoarseLevels(every, names)


def _unused_name(levels: tuple[str, ...]) -> str:
    name = REST
    while name in levels:
        name = f"({name})"
    return name


def _drawn_between(low: Floats, high: Floats, column: Column, rng: np.random.Generator) -> Floats:
    share = rng.random(len(low))
    if column.whole:
        return np.asarray(np.minimum(np.floor(low + share * (high - low + 1)), high) + 0.0)
    return np.asarray(low + share * (high - low) + 0.0)
