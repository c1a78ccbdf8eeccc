"""Nearest rows in the distance spaces of the schema.

The real table is the reference of every space, so that all distances of an audit are in one unit. Where people were
drawn who are attacked, they are the rows that ask; what is searched for them is whole: the release, and the real table
that they were drawn from.
"""

from dataclasses import dataclass
from typing import Generic

import numpy as np

from seethrough.bench.bench import Bench, P
from seethrough.bench.passes.asked_distances import AskingRows, InSpace, NearestDistancesPass
from seethrough.data.chunked.chunked_table import ChunkedTable
from seethrough.data.encoding import Space, points, standardise
from seethrough.data.table import Table
from seethrough.kernels.arrays import Floats
from seethrough.kernels.neighbours.all_nearest import Nearest, all_nearest
from seethrough.kernels.neighbours.extreme_distances import Extremes, extremes
from seethrough.kernels.neighbours.nearest import Between, nearest_between, nearest_other, nearest_other_of, nearest_to
from seethrough.kernels.points import Points


@dataclass(frozen=True)
class PlacedRows(Generic[P]):
    """Request: the rows of a table as points."""

    part: P
    space: Space = "gower"

    def compute(self, bench: Bench[P]) -> Points:
        """Encode once for all searches."""
        return points(bench.table(self.part), self.space)


@dataclass(frozen=True)
class PlacedWhole(Generic[P]):
    """Request: the rows of the table that a part was drawn from as points; those of the part where nothing was."""

    part: P
    space: Space = "gower"

    def compute(self, bench: Bench[P]) -> Points:
        """Encode once for all searches."""
        if bench.drawn_from(self.part) is None:
            return bench.get(PlacedRows(self.part, self.space))
        return points(bench.whole(self.part), self.space)


@dataclass(frozen=True)
class PlacedAsking(Generic[P]):
    """Request: the rows of a table that ask for their nearest ones as points."""

    part: P
    space: Space = "gower"

    def compute(self, bench: Bench[P]) -> Points:
        """Encode once for all searches."""
        if is_chunked(bench, self.part):
            return points(asking_rows(bench, self.part), self.space)
        rows, placed = bench.asking(self.part), bench.get(PlacedRows(self.part, self.space))
        return placed if rows is None else placed.take(rows)


@dataclass(frozen=True)
class PlacedToLearn(Generic[P]):
    """Request: the rows of a table that are learnt from as points; of one that is read in chunks those drawn."""

    part: P

    def compute(self, bench: Bench[P]) -> Points:
        """Share the points of a table in memory."""
        table = bench.table(self.part)
        return points(table.drawn) if isinstance(table, ChunkedTable) else bench.get(PlacedRows(self.part))


def is_chunked(bench: Bench[P], part: P) -> bool:
    """Tell whether a table is read in chunks."""
    return isinstance(bench.table(part), ChunkedTable)


def asking_rows(bench: Bench[P], part: P) -> Table:
    """Give the rows of a table that ask: all, or those said to; of one that is read in chunks among its drawn rows."""
    table, rows = bench.table(part), bench.asking(part)
    among = table.drawn if isinstance(table, ChunkedTable) else table
    return among if rows is None else among.take(rows)


def remark_on_asking(bench: Bench[P], part: P) -> tuple[str, ...]:
    """Say how many rows of a table that is read in chunks ask, where not all do."""
    if not is_chunked(bench, part):
        return ()
    rows, asking = len(bench.table(part)), len(asking_rows(bench, part))
    said = f"{asking:,} of {rows:,} released rows, drawn at random, look for their nearest ones; all rows are searched"
    return () if asking == rows else (said,)


@dataclass(frozen=True)
class _TwoTables(Generic[P]):
    """Two tables in one space; `reference` gives the scale of a standardised one, `rows` where it is not named."""

    rows: P
    columns: P
    space: Space = "gower"
    reference: P | None = None

    def __post_init__(self) -> None:
        """Drop a reference that makes no difference, so that equal searches are equal requests."""
        if self.space != "standardised" or self.reference is self.rows:
            object.__setattr__(self, "reference", None)

    def place_both(self, bench: Bench[P]) -> tuple[Points, Points]:
        """Encode the two tables, together where their levels have to be."""
        return bench.get(PlacedPair(self.rows, self.columns, self.space, self.reference))


@dataclass(frozen=True)
class PlacedPair(_TwoTables[P]):
    """Request: the rows of two tables as points of one space."""

    def compute(self, bench: Bench[P]) -> tuple[Points, Points]:
        """Encode the two tables together where their levels have to be."""
        if self.space == "standardised":
            reference = self.rows if self.reference is None else self.reference
            return standardise(bench.table(reference), bench.table(self.rows), bench.table(self.columns))
        return bench.get(PlacedRows(self.rows, self.space)), bench.get(PlacedRows(self.columns, self.space))


@dataclass(frozen=True)
class NearestBetween(_TwoTables[P]):
    """Request: for every row of either table, the distance to the nearest row of the other.

    Where the rows of one were drawn, those of the other that ask are drawn too, and all of the first are searched.
    """

    def compute(self, bench: Bench[P]) -> Between:
        """Search both directions in one pass, or each by itself where the rows that ask are not all."""
        if bench.drawn_from(self.rows) is None and not is_chunked(bench, self.columns):
            return nearest_between(*self.place_both(bench), bench.budget)
        found = bench.get(NearestFrom(self.rows, self.columns, self.space, self.reference))
        whole, asking = self._other_way(bench)
        return Between(found, nearest_to(asking, whole, bench.budget))

    def _other_way(self, bench: Bench[P]) -> tuple[Points, Points]:
        """Encode all rows that the first table was drawn from, and those of the other that ask."""
        if self.space == "standardised":
            reference = self.rows if self.reference is None else self.reference
            return standardise(bench.table(reference), bench.whole(self.rows), asking_rows(bench, self.columns))
        return bench.get(PlacedWhole(self.rows, self.space)), bench.get(PlacedAsking(self.columns, self.space))


@dataclass(frozen=True)
class NearestFrom(_TwoTables[P]):
    """Request: for every row of one table, the distance to the nearest row of the other."""

    def compute(self, bench: Bench[P]) -> Floats:
        """Share the search of both directions; search one where the rows were drawn."""
        both = self.rows, self.columns, self.space, self.reference
        one_way = bench.drawn_from(self.rows) is not None or is_chunked(bench, self.columns)
        return bench.get(NearestTo(*both)) if one_way else bench.get(NearestBetween(*both)).rows


@dataclass(frozen=True)
class NearestTo(_TwoTables[P]):
    """Request: the same of rows whose nearness alone is asked for: nothing is searched for the other table."""

    def compute(self, bench: Bench[P]) -> Floats:
        """Search one direction; a release in chunks is gone through once."""
        if self.space != "standardised" and is_chunked(bench, self.columns):
            return nearest_in(bench, bench.get(PlacedRows(self.rows, self.space)), self.columns, self.space)
        return nearest_to(*self.place_both(bench), bench.budget)


def nearest_in(bench: Bench[P], asking: Points, part: P, space: Space = "gower") -> Floats:
    """Find the distance of points that ask to the nearest row of a table, which may be read in chunks."""
    if is_chunked(bench, part):
        return NearestDistancesPass(asking, InSpace(space), bench.budget.silent).run(bench.table(part))
    return nearest_to(asking, bench.get(PlacedRows(part, space)), bench.budget)


@dataclass(frozen=True)
class Extremal(_TwoTables[P]):
    """Request: the few nearest rows of every row of `columns`, and the largest distance between the tables."""

    depth: int = 1

    def compute(self, bench: Bench[P]) -> Extremes:
        """Search all pairs, for every one may be the farthest."""
        return extremes(*self.place_both(bench), self.depth, bench.budget)


@dataclass(frozen=True)
class AllNearest(_TwoTables[P]):
    """Request: for every row of one table, all rows of the other at the smallest distance."""

    def compute(self, bench: Bench[P]) -> Nearest:
        """Search, then collect the ties."""
        return all_nearest(*self.place_both(bench), bench.budget)


@dataclass(frozen=True)
class NearestOther(Generic[P]):
    """Request: for every row of a table, the distance to its nearest other row; of all that it was drawn from."""

    part: P
    space: Space = "gower"
    reference: P | None = None

    def __post_init__(self) -> None:
        """Drop a reference that makes no difference, so that equal searches are equal requests."""
        if self.space != "standardised" or self.reference is self.part:
            object.__setattr__(self, "reference", None)

    def compute(self, bench: Bench[P]) -> Floats:
        """Search the table against itself, or look up what was found for the same rows in another order."""
        if shuffle := bench.shuffle(self.part):
            found = bench.get(NearestOther(shuffle.of, self.space, self.reference))
            return found[shuffle.order]
        if self.space != "standardised" and is_chunked(bench, self.part):
            asking = AskingRows(bench.get(PlacedAsking(self.part, self.space)))
            return asking.nearest_other(bench.table(self.part), InSpace(self.space), bench.budget)
        drawn = bench.drawn_from(self.part)
        rows = bench.asking(self.part) if drawn is None else drawn.rows
        if rows is None:
            mine, _ = bench.get(PlacedPair(self.part, self.part, self.space, self.reference))
            return nearest_other(mine, bench.budget)
        return nearest_other_of(self._placed_whole(bench), rows, bench.budget)

    def _placed_whole(self, bench: Bench[P]) -> Points:
        if self.space != "standardised":
            return bench.get(PlacedWhole(self.part, self.space))
        whole, reference = bench.whole(self.part), self.part if self.reference is None else self.reference
        return standardise(bench.table(reference), whole, whole.take(np.arange(0)))[0]
