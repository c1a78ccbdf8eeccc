"""Isolation: how far people are from the others of a table. No risk by itself: who is released decides that.

    isolation of a row = mean distance to its 5 nearest other rows; equal rows count, at distance 0

By default the distance is that of the ratings: numbers in standard deviations, absolute differences and mismatches
added. `cosine` is the published one: shares of equal categories and the cosine of numbers scaled to [0, 1] by their
range (kernels/neighbours/cosine_neighbours.py); there two rows of zeros have no direction in common and are not equal.

References
----------
Meeus, Guepin, Cretu, de Montjoye 2023, Achilles' Heels: Vulnerable Record Identification in Synthetic Data Publishing,
arXiv:2306.10308.

Deviations
----------
The distance, unless `distance=cosine`. Of a large table isolation is measured against so many rows, drawn by content
and seed, that the search stays small; the order of people is then that of a sample.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from seethrough.data.encoding import standard_points, standard_scale
from seethrough.data.rows import by_content
from seethrough.data.table import Table
from seethrough.errors import ConfigError, NotApplicable
from seethrough.kernels.arrays import Bools, Floats, Ints
from seethrough.kernels.budget import Budget
from seethrough.kernels.neighbours.cosine_neighbours import MixedRows, cosine_neighbours
from seethrough.kernels.neighbours.k_nearest import k_nearest

FEWEST_OTHERS = 2_000
"""Rows that people are measured against whatever it takes."""
FEWEST_ISOLATED = 20
"""People who are called isolated, where a share of them would be fewer."""


@dataclass(frozen=True)
class Isolation:
    """How isolation is measured; of a table with more than so many pairs of rows, against a sample."""

    distance: Literal["standard", "cosine"] = "standard"
    neighbours: int = 5
    most_pairs: int = 25_000_000

    def __post_init__(self) -> None:
        """Refuse what has no mean."""
        for name, value in (("neighbours", self.neighbours), ("most_pairs", self.most_pairs)):
            if isinstance(value, int) and value < 1:
                raise ConfigError(f"isolation.{name} is {value}; at least 1 is needed")

    def measure(self, table: Table, budget: Budget, rng: np.random.Generator) -> Floats:
        """Measure every row of a table against the others, or against some of them where rows are many."""
        if len(table) < 2:
            raise NotApplicable("a row that has no other beside it is neither isolated nor not")
        among = _some_rows(table, max(FEWEST_OTHERS, self.most_pairs // len(table)), rng)
        own = np.full(len(table), -1)
        own[among] = np.arange(len(among))
        if self.distance == "cosine":
            rows = _mixed_rows(table)
            others = MixedRows(rows.codes[:, among], rows.numbers[among])
            found = cosine_neighbours(rows, others, own, self.neighbours, budget)
            return np.asarray(found.mean(axis=1))
        placed = standard_points(table, standard_scale(table, table))
        lists = k_nearest(placed, placed.take(among), self.neighbours + 1, budget).distances
        # A row finds itself at distance 0, as one of those nearest to it.
        return np.where(own >= 0, _mean(lists[:, 1:]), _mean(lists[:, : self.neighbours]))


def most_isolated(isolation: Floats, share: float, fewest: int = FEWEST_ISOLATED) -> Bools:
    """Tell who belongs to the most isolated share of all, at least so many; all who tie with the last belong."""
    places = min(len(isolation), max(fewest, round(share * len(isolation))))
    last = -np.partition(-isolation, places - 1)[places - 1]
    return np.asarray(isolation >= last)


def _mean(distances: Floats) -> Floats:
    return np.asarray(distances.mean(axis=1)) if distances.shape[1] else np.zeros(len(distances))


def _some_rows(table: Table, most: int, rng: np.random.Generator) -> Ints:
    if len(table) <= most:
        return np.arange(len(table))
    return np.sort(by_content(table)[rng.permutation(len(table))[:most]])


def _mixed_rows(table: Table) -> MixedRows:
    """Scale numbers by their range; a missing one is at the middle of the column and a category tells of it."""
    codes, numbers = [], []
    for column, values in zip(table.schema.used, table.columns, strict=True):
        if column.kind.has_levels:
            codes.append(values.astype(np.int64))
            continue
        given = values.astype(np.float64)
        missing = np.isnan(given)
        if missing.any():
            codes.append(missing.astype(np.int64))
        if missing.all():
            continue
        low, high = np.nanmin(given), np.nanmax(given)
        numbers.append((np.where(missing, np.nanmedian(given), given) - low) / (high - low or 1.0))
    empty = np.empty((0, len(table)), np.int64)
    return MixedRows(
        np.stack(codes) if codes else empty,
        np.column_stack(numbers) if numbers else np.empty((len(table), 0)),
    )
