"""One person in the projection that is fitted on the real table, and the released rows nearest there."""

from dataclasses import dataclass

import numpy as np
from scipy.spatial import KDTree

from seethrough.bench.bench import Bench
from seethrough.bench.person.example import Example, list_rows, nearest_first, say_number
from seethrough.bench.projections import FittedProjection, Projected
from seethrough.data.encoding import points
from seethrough.data.release import Part
from seethrough.kernels.arrays import Floats
from seethrough.results.explained.worked import Step

ROUNDING = 1e-9
"""Relative difference below which two distances may stand in another order for the tree."""


@dataclass(frozen=True)
class PlacedNear:
    """The smallest distance of a person to a released row, and the step that shows it."""

    smallest: float
    looked: Step


def place_in_projection(bench: Bench[Part], example: Example, dimensions: int) -> Floats:
    """Give the coordinates of the person, one row."""
    return bench.get(FittedProjection(Part.TRAIN, dimensions)).coordinates(points(example.person))


def near_in_projection(bench: Bench[Part], example: Example, dimensions: int) -> PlacedNear:
    """Find the nearest released row by the search of the whole table, and list the ten nearest."""
    mine = place_in_projection(bench, example, dimensions)
    others = bench.get(Projected(Part.SYNTHETIC, Part.TRAIN, dimensions))
    far = np.sqrt(np.square(others - mine).sum(axis=1))
    rows = nearest_first(far)
    # The tree decides the last bit, as it does for all; the rows that may be nearest are enough to build it.
    candidates = others[far <= far.min() * (1 + ROUNDING)]
    smallest = float(KDTree(np.unique(candidates, axis=0)).query(mine)[0][0])
    said = (
        f"In a projection of the real table to {mine.shape[1]} dimensions, the nearest released row is at distance "
        f"d_YZ = {say_number(smallest)}, in standard deviations."
    )
    listed = list_rows(bench, example, Part.SYNTHETIC, rows, "nearest in the projection", far[rows])
    return PlacedNear(smallest, Step(said, "", {"d_YZ": smallest}, (listed,)))
