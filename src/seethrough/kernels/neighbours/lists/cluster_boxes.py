"""Boxes around clusters of points, and how far a point is from all members of each at least."""

import numpy as np

from seethrough.kernels.arrays import Bools, Floats, Ints
from seethrough.kernels.neighbours.clusters import SAFE
from seethrough.kernels.points import Points


class ClusterBoxes:
    """Clusters of points, each with the range of its numbers and the codes that it has."""

    def __init__(self, points: Points, members: list[Ints]) -> None:
        self.members = [np.sort(rows) for rows in members]
        self.points = [points.take(rows) for rows in self.members]
        self.weights = points.weights
        self.low, self.high = (
            np.array([end(each.numbers, axis=0) for each in self.points]).reshape(len(members), -1)
            for end in (np.min, np.max)
        )
        self.absent = [self._absent(column) for column in range(len(points.codes))]

    def _absent(self, column: int) -> Bools:
        """Tell for each code (rows) which clusters (columns) do not have it."""
        size = 1 + max(int(each.codes[column].max()) for each in self.points)
        absent = np.ones((size + 1, len(self.points)), bool)
        for place, each in enumerate(self.points):
            absent[each.codes[column], place] = False
        return absent

    def bounds(self, mine: Points) -> Floats:
        """Bound the distances of points (rows) to all members of each cluster (columns) from below."""
        bound = np.zeros((len(mine), len(self.members)))
        for codes, absent, weight in zip(mine.codes, self.absent, self.weights, strict=True):
            bound += weight * absent[np.minimum(codes, len(absent) - 1)]
        for values, low, high in zip(mine.numbers.T, self.low.T, self.high.T, strict=True):
            bound += np.maximum(np.maximum(low - values[:, None], values[:, None] - high), 0.0)
        return bound * SAFE
