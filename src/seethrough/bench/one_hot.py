"""One-hot encoding: tables as matrices that a learner can read."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic

import numpy as np
import numpy.typing as npt

from seethrough.bench.bench import Bench, P
from seethrough.bench.neighbours import PlacedRows
from seethrough.kernels.arrays import Codes, Floats, Single
from seethrough.kernels.points import Points

MOST_LEVELS = 200
"""Levels of a column that have an indicator of their own."""
FAR = 10.0
"""Numbers further out than so many ranges of the real table are taken to lie there: one extreme value must not squeeze
all others together when the column is standardised, and is found out just as well."""


@dataclass(frozen=True)
class OneHotMatrices(Generic[P]):
    """Request: the rows of several tables as numbers, one matrix for each table, all with the same columns.

    A number is scaled by its range in the real table; where it is missing it is the real median, and an indicator says
    so. A category has one indicator for each level that occurs in any of the tables, one in all where only two occur,
    and none where all rows agree. Of a column with more than 200 levels the 200 most frequent have one each, and the
    rest share an indicator "other".
    """

    parts: tuple[P, ...]

    def compute(self, bench: Bench[P]) -> tuple[Single, ...]:
        """Encode the tables under one dictionary and split them again."""
        return matrices([bench.get(PlacedRows(part)) for part in self.parts])


def matrices(placed: Sequence[Points]) -> tuple[Single, ...]:
    """Encode points of several tables under one dictionary, one matrix for each."""
    numbers = np.concatenate([table.numbers for table in placed])
    codes = [np.concatenate(pieces) for pieces in zip(*(table.codes for table in placed), strict=True)]
    ends = np.cumsum([len(table) for table in placed])
    return tuple(np.split(one_hot(numbers, codes), ends[:-1]))


def one_hot(numbers: Floats, codes: Sequence[Codes]) -> Single:
    """Set numbers and indicators side by side, without the columns in which all rows agree."""
    indicators = [_indicator_places(column) for column in codes]
    varying = numbers[:, np.ptp(numbers, axis=0) > 0] if len(numbers) else numbers
    width = varying.shape[1]
    matrix = np.zeros((len(numbers), width + sum(count for _, count in indicators)), np.float32)
    matrix[:, :width] = np.clip(varying, -FAR, FAR)
    for places, count in indicators:
        rows = np.flatnonzero(places >= 0)
        matrix[rows, width + places[rows]] = 1
        width += count
    return matrix


def _indicator_places(codes: Codes) -> tuple[npt.NDArray[np.int64], int]:
    """Find the indicator that each row sets, -1 for none, and how many there are."""
    _, ranks, counts = np.unique(codes, return_inverse=True, return_counts=True)
    if len(counts) <= 2:
        return ranks - 1, len(counts) - 1
    if len(counts) <= MOST_LEVELS:
        return ranks, len(counts)
    places = np.full(len(counts), MOST_LEVELS)
    places[np.argsort(-counts, kind="stable")[:MOST_LEVELS]] = np.arange(MOST_LEVELS)
    return places[ranks], MOST_LEVELS + 1
