"""Traits of a release that decide whether checks can tell anything of it: sizes, unique rows, contrast of distances."""

from dataclasses import dataclass

import numpy as np

from seethrough.bench.bench import Bench
from seethrough.bench.neighbours import NearestFrom, PlacedRows
from seethrough.data.release import Part
from seethrough.data.rows import by_content
from seethrough.data.table import Table
from seethrough.errors import NotApplicable
from seethrough.kernels.counting.grouping import combine, dense_codes
from seethrough.kernels.points import block_totals
from seethrough.results.explained.conditions import TableTraits
from seethrough.seeds import stream

DRAWN = 400
"""Rows of either table whose distances stand for those of any two."""


@dataclass(frozen=True)
class Traits:
    """Request: the traits of the tables on a bench."""

    def compute(self, bench: Bench[Part]) -> TableTraits:
        """Count and measure."""
        real, released = bench.table(Part.TRAIN), bench.table(Part.SYNTHETIC)
        try:
            outside = len(bench.table(Part.HOLDOUT))
        except NotApplicable:
            outside = None
        schema = real.schema
        sizes = len(real), len(released), outside
        return TableTraits(*sizes, schema.secrets, schema.keys, unique_by_numbers(real), contrast(bench))


def unique_by_numbers(real: Table) -> float | None:
    """Give the share of rows that no other row equals in the numeric columns alone; None without such columns."""
    columns = [
        dense_codes(values)
        for column, values in zip(real.schema.used, real.columns, strict=True)
        if not column.kind.has_levels
    ]
    if not columns or not len(real):
        return None
    _, place, counts = np.unique(combine(columns), return_inverse=True, return_counts=True)
    return float((counts[place] == 1).mean())


def contrast(bench: Bench[Part]) -> float | None:
    """Divide the median distance to the nearest released row by that of any real and any released row."""
    drawn = []
    for part in (Part.TRAIN, Part.SYNTHETIC):
        order = by_content(bench.table(part))
        drawn.append(bench.get(PlacedRows(part)).take(order[stream(0, "contrast").permutation(len(order))[:DRAWN]]))
    mine, others = drawn
    if not len(mine) or not len(others):
        return None
    usual = float(np.median(mine.norm.distance(block_totals(mine, others))))
    nearest = float(np.median(bench.get(NearestFrom(Part.TRAIN, Part.SYNTHETIC))))
    return nearest / usual if usual else None
