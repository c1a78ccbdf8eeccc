"""The nearest point of each label, for few or for many points that ask."""

import numpy as np

from seethrough.kernels.arrays import Codes, Floats, Ints
from seethrough.kernels.budget import Budget
from seethrough.kernels.neighbours.keys.within_reach import NearPairs, pairs_within
from seethrough.kernels.neighbours.nearest import nearest_between
from seethrough.kernels.points import Points, block_totals, point_groups

FEW = 16
"""Points that ask, up to which measuring all pairs directly beats the products of a search."""
AT_ONCE = 1 << 20
"""Pairs that are measured directly at a time."""


def nearest_by_label(asking: Points, points: Points, labels: Ints, budget: Budget) -> tuple[Ints, Floats]:
    """Find the distance of each asking point to the nearest point of each label.

    Returns the labels that occur, in order, and a row of distances for each asking point.
    """
    present = np.unique(labels)
    found = np.empty((len(asking), len(present)))
    for place, label in enumerate(present):
        mine = points.take(np.flatnonzero(labels == label))
        found[:, place] = (
            _nearest_few(asking, mine) if len(asking) <= FEW else nearest_between(asking, mine, budget).rows
        )
    return present, found


def nearest_by_label_within_one(asking: Points, points: Points, labels: Ints, budget: Budget) -> tuple[Ints, Floats]:
    """Do the same where only squares of distances at most 1 above the smallest matter; the others are infinite.

    One pass serves all labels.
    """
    if len(asking) <= FEW or not len(points):
        return nearest_by_label(asking, points, labels, budget)
    present, place = np.unique(labels, return_inverse=True)
    groups, _ = point_groups(asking, asking.take(np.arange(0)))
    _, first, inverse = np.unique(groups, return_index=True, return_inverse=True)
    found = np.full((len(first), len(present)), np.inf)

    def take(near: NearPairs) -> None:
        np.minimum.at(found, (near.rows, place[near.columns]), near.totals)

    pairs_within(1.0, asking.take(first), points, budget, take)
    return present, asking.norm.distance(found)[inverse]


def _nearest_few(asking: Points, points: Points) -> Floats:
    best = np.full(len(asking), np.inf)
    step = max(1, AT_ONCE // len(asking))
    for start in range(0, len(points), step):
        block = points.take(np.arange(start, min(start + step, len(points))))
        np.minimum(best, block_totals(asking, block).min(axis=1), out=best)
    return asking.norm.distance(best)


def majority_labels(
    groups: Ints, labels: Codes, rng: np.random.Generator, often: Ints | None = None
) -> tuple[Ints, Ints]:
    """Find the most frequent label of each group of rows, which stand for one or so many, a tie broken at random.

    Returns a row of each group, and the label of that group.
    """
    labels = labels.astype(np.int64)
    _, ranks = np.unique(groups, return_inverse=True)
    size = int(labels.max(initial=0)) + 1
    units, first, place = np.unique(ranks * size + labels, return_index=True, return_inverse=True)
    counts = np.bincount(place, often, len(units))
    of_group = units // size
    # Counts differ by whole numbers, so less than 1 on top decides between equal ones only.
    order = np.lexsort((counts + rng.random(len(counts)), of_group))
    last = order[np.append(np.diff(of_group[order]) > 0, True)]
    return first[last], units[last] % size
