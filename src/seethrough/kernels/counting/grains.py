"""Grains: one column of numbers cut coarsely, ever more finely, and not at all.

A number that people share, as ages, has one grain, its values (`cells.coding_of`). One that is cut has several: ten
bins, then 20, 40, 80 and 160 as long as four known records would fall in a bin of each, cut at the observed quantiles
of the known records, and last the exact values. There a value that no known record has gets one code for all such
values, which is in no cell; missing is a code of its own at every grain. Released values above the largest edge are in
the last bin.
"""

from dataclasses import dataclass

import numpy as np

from seethrough.kernels.arrays import Codes, Floats, Values
from seethrough.kernels.counting.bins import decile_edges, known_numbers
from seethrough.kernels.counting.cells import SHARED_BY, Coding, coding_of, is_cut

COARSEST = 10
"""The grain that every column has."""
FINER = 20, 40, 80, 160
"""Bins beyond the those."""
EXACT = 0
"""Stands for the grain of exact values."""


@dataclass(frozen=True, eq=False)
class ExactCoding:
    """Codes of exact numbers: their place among `values`, the code after these for others, then the one for missing."""

    values: Floats

    @property
    def radix(self) -> int:
        """Give a bound of all codes."""
        return len(self.values) + 2

    def codes(self, values: Values) -> Codes:
        """Translate numbers of any table."""
        numbers = values.astype(np.float64, copy=False)
        places = np.minimum(np.searchsorted(self.values, numbers), len(self.values) - 1)
        codes = np.where(self.values[places] == numbers, places, len(self.values))
        codes[np.isnan(numbers)] = len(self.values) + 1
        return codes.astype(np.min_scalar_type(self.radix))


AnyCoding = Coding | ExactCoding


def grains_of(known: Values) -> dict[int, AnyCoding]:
    """Give the codings of a column by grain, the coarsest first; one alone where it is not cut.

    A grain whose bins are those of the grain before has the same coding.
    """
    coarse = coding_of(known)
    if not is_cut(known):
        return {COARSEST: coarse}
    numbers = known_numbers(known)
    found: dict[int, AnyCoding] = {COARSEST: coarse}
    last, cuts = coarse, decile_edges("observed deciles", numbers)
    for grain in FINER:
        if grain * SHARED_BY > len(known):
            break
        edges = decile_edges("observed deciles", numbers, grain)
        if not np.array_equal(edges, cuts):
            last, cuts = Coding(len(edges) + 2, edges, np.empty(0, np.uint8)), edges
        found[grain] = last
    return found | {EXACT: ExactCoding(np.unique(numbers))}
