"""Is there a point in a box around another? Exact, by one tree over all groups.

A point of the first set is hit when the second has a point of the same group whose coordinates all differ by
at most 1. Groups become one more coordinate, spread so that different groups are never within reach, so a
single tree in the maximum norm answers for all of them.
"""

import numpy as np
import numpy.typing as npt
from scipy.spatial import KDTree

from seethrough.kernels.arrays import Floats, Ints
from seethrough.kernels.budget import Budget
from seethrough.kernels.counting.grouping import distinct_rows

SLACK = 1e-12
"""Relative slack, for y + h in floating point may fall short of the number it stands for."""
APART = 4.0


def within_reach(groups: tuple[Ints, Ints], places: tuple[Floats, Floats], budget: Budget) -> npt.NDArray[np.bool_]:
    """Tell for each point of the first set whether the second has one of its group within 1 in every coordinate."""
    hit = np.isin(groups[0], groups[1])
    if not places[0].shape[1] or not hit.any():
        return hit
    wanted, shared = np.flatnonzero(hit), np.flatnonzero(np.isin(groups[1], groups[0]))
    mine, others, reach = _spread((groups[0], groups[1][shared]), (places[0], places[1][shared]), wanted)
    tree = KDTree(distinct_rows(others)[0])
    distance, _ = tree.query(mine, p=np.inf, distance_upper_bound=np.nextafter(reach, 2.0), workers=budget.threads)
    hit[wanted] = distance <= reach
    return hit


def count_within_reach(groups: tuple[Ints, Ints], places: tuple[Floats, Floats], budget: Budget) -> Ints:
    """Count for each point of the first set the points of the second in its group and within 1 in every coordinate."""
    mine, others, reach = _spread(groups, places, np.arange(len(groups[0])))
    balls = KDTree(others).query_ball_point(mine, reach, p=np.inf, return_length=True, workers=budget.threads)
    return np.asarray(balls, np.int64)


def _spread(groups: tuple[Ints, Ints], places: tuple[Floats, Floats], wanted: Ints) -> tuple[Floats, Floats, float]:
    mine = np.column_stack([places[0][wanted], groups[0][wanted] * APART])
    others = np.column_stack([places[1], groups[1] * APART])
    return mine, others, 1 + SLACK * max(1.0, float(np.abs(places[0]).max(initial=0)))
