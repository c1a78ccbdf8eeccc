"""Aligned ratio: the self ratio after numbers of the release were brought to the scale of people's.

    rating = mean over j of ln(s_j + e) - ln(s_1 + e)      s_j: to the j-th nearest released row, j = 1 .. 20
    e = 0.3 x the median over people of the positive s_1

A number is replaced by its rank among people, or in the release, so that a release which is scaled, shifted or bent as
a whole is compared all the same. A column may also be turned round, or stand in the place of another. Four alignments
are tried: as it is; turned round so that columns go together as among people (the signs of the leading eigenvector of
the product, cell by cell, of both rank correlations); the opposite; and columns assigned to those whose values are
distributed most alike. The one that brings people nearest to the release is taken. All of it knows people as a whole,
never who is a member. Without a column of numbers it is the self ratio.

What it sees
------------
Copies whose numbers were scaled, shifted, bent, turned round or moved to another column as a whole, where no distance
in the original units is small.

What it misses
--------------
Noise that was added to numbers row by row; without a column of numbers it is the self ratio.

References
----------
A relative of the nearest neighbour distance ratio (metrics/nndr.py), as the self ratio is.

Deviations
----------
The alignment is in no paper; it closes the gap that distances leave to a release in other units.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from seethrough.bench.bench import Bench
from seethrough.bench.pool import NEIGHBOURS, OFFSET, Seen
from seethrough.data.rows import by_content
from seethrough.data.table import Table
from seethrough.errors import NotApplicable
from seethrough.kernels.arrays import Floats, Ints
from seethrough.kernels.neighbours.k_nearest import k_nearest
from seethrough.kernels.points import Norm, Points
from seethrough.kernels.ranks.scale import mid_ranks
from seethrough.results.evidence import LeakFamily

SAMPLE = 1000
"""Rows of either table by which an alignment is chosen."""
GRID = np.linspace(0.0, 1.0, 101)
SPREAD = 12**-0.5
"""Standard deviation of ranks from 0 to 1."""


@dataclass(frozen=True)
class AlignedRatio:
    """Rates people by how much the nearest released row stands out, whatever the units of the release are."""

    name: ClassVar[str] = "aligned-ratio"
    title: ClassVar[str] = "Log ratio of distances to near and nearest released rows, numbers by rank"
    families: ClassVar[tuple[LeakFamily, ...]] = (LeakFamily.MEMBERSHIP,)
    is_share: ClassVar[bool] = False
    measure: ClassVar[str] = ""
    neighbours: int = NEIGHBOURS

    def rate(self, bench: Bench[Seen], rng: np.random.Generator) -> Floats:
        """Choose an alignment, then compare logarithms of distances."""
        people, release = bench.table(Seen.PEOPLE), bench.table(Seen.RELEASE)
        if len(release) < 2:
            raise NotApplicable("a release of one row has no second nearest row")
        points, values = _ranked(people), _numbers(people)
        others = list(_alignments(points, values, _ranked(release), _numbers(release)))
        some = points.take(_spread(people))
        rows = _spread(release)
        fits = [float(k_nearest(some, each.take(rows), 1, bench.budget).distances.mean()) for each in others]
        near = k_nearest(points, others[int(np.argmin(fits))], self.neighbours, bench.budget).distances
        apart = near[:, 0][near[:, 0] > 0]
        logs = np.log(near + OFFSET * (float(np.median(apart)) if len(apart) else 1.0))
        return np.asarray(logs.mean(axis=1) - logs[:, 0])


def _spread(table: Table) -> Ints:
    """Pick rows evenly in an order that does not depend on that of the file."""
    order = by_content(table)
    return order[np.linspace(0, len(order) - 1, min(len(order), SAMPLE)).astype(np.int64)]


def _numbers(table: Table) -> Floats:
    columns = zip(table.schema.used, table.columns, strict=True)
    numbers = [values.astype(np.float64) for column, values in columns if not column.kind.has_levels]
    return np.column_stack(numbers) if numbers else np.zeros((len(table), 0))


def _ranked(table: Table) -> Points:
    """Place rows: numbers by their rank, a missing one in the middle and with a category of its own."""
    values = _numbers(table)
    missing = np.isnan(values)
    ranks = np.full(values.shape, 0.5)
    for place, known in enumerate(~missing.T):
        if known.any():
            ranks[known, place] = (mid_ranks(values[known, place]) - 0.5) / known.sum()
    pairs = zip(table.schema.used, table.columns, strict=True)
    codes = [array.astype(np.uint32) for column, array in pairs if column.kind.has_levels]
    whole = np.stack([*codes, *missing.T.astype(np.uint32)])
    return Points((ranks - 0.5) / SPREAD, whole, np.ones(len(whole)), Norm.MANHATTAN)


def _alignments(people: Points, values: Floats, release: Points, released: Floats) -> Iterator[Points]:
    yield release
    if not people.numbers.shape[1]:
        return
    signs = _signs(people.numbers, release.numbers)
    for turned in (signs, -signs):
        if (turned < 0).any():
            yield Points(release.numbers * turned, release.codes, release.weights, release.norm)
    order = _assignment(values, released)
    if (order != np.arange(len(order))).any():
        yield Points(release.numbers[:, order], release.codes, release.weights, release.norm)


def _signs(mine: Floats, theirs: Floats) -> Floats:
    """Find which columns to turn round so that all go together as among people."""
    size = mine.shape[1]
    together = [(each.T @ each) / len(each) for each in (mine, theirs)]
    product = together[0] * together[1]
    np.fill_diagonal(product, 0.0)
    leading = np.linalg.eigh(product)[1][:, -1] if size > 1 else np.ones(1)
    first = leading[np.argmax(np.abs(leading))]
    return np.where(leading * first < 0, -1.0, 1.0)


def _assignment(mine: Floats, theirs: Floats) -> Ints:
    """Give each column of people the released column that is distributed most alike."""
    from scipy.optimize import linear_sum_assignment  # slow to load

    size = mine.shape[1]
    cost = np.zeros((size, size))
    for place in range(size):
        known = mine[~np.isnan(mine[:, place]), place]
        grid = np.quantile(known, GRID) if len(known) else np.zeros(1)
        here = _below(known, grid)
        cost[place] = [np.abs(here - _below(column[~np.isnan(column)], grid)).max() for column in theirs.T]
    # Where two columns are alike the one in its own place is preferred.
    return np.asarray(linear_sum_assignment(cost - 0.02 * np.eye(size))[1])


def _below(values: Floats, grid: Floats) -> Floats:
    return np.searchsorted(np.sort(values), grid, side="right") / max(len(values), 1)
