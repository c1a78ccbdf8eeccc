"""People outside in two halves: one is rated, the other tells how rare everybody is."""

from dataclasses import dataclass, replace

import numpy as np

from seethrough.bench.bench import Bench
from seethrough.bench.neighbours import NearestTo, PlacedRows, nearest_in
from seethrough.data.release import Part
from seethrough.data.rows import by_content
from seethrough.kernels.arrays import Floats, Ints
from seethrough.kernels.neighbours.nearest import nearest_between, nearest_to
from seethrough.seeds import stream


@dataclass(frozen=True, eq=False)
class HoldoutHalf:
    """One half of the people outside, and how far everybody is from the people of the other half."""

    rows: Ints
    outside: Floats
    members: Floats


@dataclass(frozen=True)
class HoldoutHalves:
    """Request: the people outside in two halves, and how rare everybody is by the half that is not rated."""

    most: int
    salt: int

    def compute(self, bench: Bench[Part]) -> tuple[HoldoutHalf, HoldoutHalf]:
        """Split by content, so that the order of rows does not matter, and search.

        Where it is known for a real table that people were drawn from, theirs is looked up.
        """
        outside, drawn = bench.table(Part.HOLDOUT), bench.drawn_from(Part.TRAIN)
        if drawn is not None:
            known = bench.with_table(Part.TRAIN, drawn.whole).known_answer(self)
            if known is not None:
                one, other = (replace(half, members=half.members[drawn.rows]) for half in known)
                return one, other
        order = by_content(outside)
        rated = order[stream(self.salt, "people outside").permutation(len(order))[: self.most]]
        first, second = np.array_split(rated, 2)
        real, others = bench.get(PlacedRows(Part.TRAIN)), bench.get(PlacedRows(Part.HOLDOUT))
        parts = others.take(first), others.take(second)
        apart = nearest_between(*parts, bench.budget)
        to_first, to_second = (nearest_to(real, part, bench.budget) for part in parts)
        return HoldoutHalf(first, apart.rows, to_second), HoldoutHalf(second, apart.columns, to_first)


@dataclass(frozen=True)
class NearestOutside:
    """Request: how far the people of both halves are from the release; NaN for those who are in neither."""

    most: int
    salt: int

    def compute(self, bench: Bench[Part]) -> Floats:
        """Search for those in a half alone, or share the search where everybody is."""
        rows = np.concatenate([half.rows for half in bench.get(HoldoutHalves(self.most, self.salt))])
        if len(rows) == len(bench.table(Part.HOLDOUT)):
            return bench.get(NearestTo(Part.HOLDOUT, Part.SYNTHETIC))
        outside = bench.get(PlacedRows(Part.HOLDOUT))
        found = np.full(len(outside), np.nan)
        found[rows] = nearest_in(bench, outside.take(rows), Part.SYNTHETIC)
        return found
