"""The released rows in a box around one person, by the reach of the search of the whole table."""

import numpy as np

from seethrough.bench.bench import Bench
from seethrough.bench.neighbours import PlacedRows
from seethrough.bench.person.example import Example
from seethrough.data.encoding import points
from seethrough.data.release import Part
from seethrough.kernels.arrays import Ints
from seethrough.kernels.neighbours.boxes import SLACK


def rows_in_box(bench: Bench[Part], example: Example, width: float) -> Ints:
    """Find the rows equal in what has to be equal and within `width` of the range in every number, nearest first."""
    mine, real, released = (
        points(example.person),
        bench.get(PlacedRows(Part.TRAIN)),
        bench.get(PlacedRows(Part.SYNTHETIC)),
    )
    varies = np.ptp(real.numbers, axis=0) > 0
    inside = (released.codes == mine.codes).all(axis=0) & (released.numbers == mine.numbers)[:, ~varies].all(axis=1)
    places = real.numbers[:, varies] / width
    reach = 1 + SLACK * max(1.0, float(np.abs(places).max(initial=0)))
    apart = np.abs(released.numbers[:, varies] / width - mine.numbers[:, varies] / width).max(axis=1, initial=0.0)
    found = np.flatnonzero(inside & (apart <= reach))
    return found[np.argsort(apart[found], kind="stable")]
