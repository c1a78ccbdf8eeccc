"""The k nearest rows by shares of equal categories and the cosine of numbers, by blocks of products.

    distance = (C / (C + N)) (1 - share of equal categories) + (N / (C + N)) (1 - cosine of the numbers)

for C categories and N numbers: the cosine of one-hot rows is the share of equal categories. A row of zeros has no
direction; its cosine with every row is 0, with itself too.

Of a block of rows against all others C shares + N cosines is one product of indicators and directions in single
precision. The k largest and a few more are measured again in double precision, column by column; where single precision
cannot tell whether one that was left out belongs among them, all rows are. So neither blocks nor threads change a bit.

References
----------
Meeus, Guepin, Cretu, de Montjoye 2023, Achilles' Heels: Vulnerable Record Identification in Synthetic Data Publishing,
arXiv:2306.10308.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from seethrough.kernels.arrays import Codes, Floats, Ints
from seethrough.kernels.budget import Budget

SPARE = 8
"""How many more than k are measured in double precision."""
PAIRS = 1 << 22
"""Pairs of a block."""
BYTES_PER_PAIR = 16
WIDE = 64
"""Levels of a column up to which agreements are counted by indicators; beyond, codes are compared."""
DIGITS = 12


@dataclass(frozen=True, eq=False)
class MixedRows:
    """Rows of categories (`codes`, one row a column) and of numbers, whose direction counts."""

    codes: Codes
    numbers: Floats

    def __len__(self) -> int:
        """Count the rows."""
        return len(self.numbers)

    @property
    def width(self) -> int:
        """Count the columns."""
        return len(self.codes) + int(self.numbers.shape[1])

    @cached_property
    def directions(self) -> Floats:
        """Give the numbers at length 1; a row of zeros stays one."""
        lengths = np.sqrt(np.square(self.numbers).sum(axis=1, keepdims=True))
        return np.asarray(self.numbers / np.where(lengths > 0, lengths, 1.0))


def cosine_neighbours(people: MixedRows, others: MixedRows, own: Ints, k: int, budget: Budget) -> Floats:
    """Give the distances to the k nearest rows in ascending order; `own` is the place of a row itself, else -1."""
    there = len(others) - int((own >= 0).any())
    search = _CosineSearch(people, others, own, min(k, max(there, 0)))
    search.run(budget)
    return search.distances


class _CosineSearch:
    """One pass over all pairs."""

    def __init__(self, people: MixedRows, others: MixedRows, own: Ints, k: int) -> None:
        self.people, self.others, self.own, self.k = people, others, own, k
        self.kept = min(k + SPARE, len(others))
        self.distances = np.zeros((len(people), k))
        sizes = [
            int(max(a.max(initial=0), b.max(initial=0))) + 1 for a, b in zip(people.codes, others.codes, strict=True)
        ]
        self.compared = [column for column, size in enumerate(sizes) if size > WIDE]
        levels = [(column, size) for column, size in enumerate(sizes) if size <= WIDE]
        self.mine, self.theirs = (_features(side, levels) for side in (people, others))
        terms = self.mine.shape[1] + len(self.compared) + 4
        # Sums of small whole numbers are exact; directions are not.
        self.error = 2.0 * terms * people.width * 2.0**-24 if people.numbers.shape[1] else 0.0

    def run(self, budget: Budget) -> None:
        """Search block by block on the threads of the budget."""
        if not self.k:
            return
        affordable = int(budget.memory / budget.threads / BYTES_PER_PAIR)
        step = max(1, min(PAIRS, affordable) // max(1, len(self.others)))
        budget.run([self._job(start, step) for start in range(0, len(self.people), step)])

    def _job(self, start: int, step: int) -> Callable[[], None]:
        return lambda: self._block(np.arange(start, min(start + step, len(self.people))))

    def _block(self, rows: Ints) -> None:
        likeness = self.mine[rows] @ self.theirs.T
        for column in self.compared:
            likeness += self.people.codes[column][rows, None] == self.others.codes[column][None, :]
        known = np.flatnonzero(self.own[rows] >= 0)
        likeness[known, self.own[rows[known]]] = -1.0  # a row is none of its own neighbours
        first = len(self.others) - self.kept
        places = np.argpartition(likeness, first, axis=1)[:, first:] if first else _all(likeness)
        border = np.take_along_axis(likeness, places, axis=1).min(axis=1).astype(np.float64)
        self._keep(rows, places)
        # What was left out is at least so far away.
        reach = (self.people.width - border - self.error) / self.people.width
        if self.error and first:
            for row in rows[self.distances[rows, -1] > reach]:
                self._keep(np.array([row]), np.arange(len(self.others))[None])

    def _keep(self, rows: Ints, places: Ints) -> None:
        exact = self._measured(np.repeat(rows, places.shape[1]), places.ravel()).reshape(places.shape)
        exact[places == self.own[rows, None]] = np.inf
        self.distances[rows] = np.sort(exact, axis=1)[:, : self.k]

    def _measured(self, rows: Ints, others: Ints) -> Floats:
        """Measure pairs, column by column, always in this order."""
        equal, cosine = np.zeros(len(rows)), np.zeros(len(rows))
        for mine, theirs in zip(self.people.codes, self.others.codes, strict=True):
            equal += mine[rows] == theirs[others]
        numbers = self.people.numbers.shape[1]
        for column in range(numbers):
            cosine += self.people.directions[rows, column] * self.others.directions[others, column]
        apart = len(self.people.codes) - equal + numbers * (1.0 - np.minimum(cosine, 1.0))
        return np.asarray(np.round(apart / self.people.width, DIGITS))


def _features(rows: MixedRows, levels: list[tuple[int, int]]) -> npt.NDArray[np.float32]:
    """Give indicators of levels, and directions by the root of their number, as columns."""
    numbers = rows.directions * rows.numbers.shape[1] ** 0.5
    found = np.zeros((len(rows), sum(size for _, size in levels) + numbers.shape[1]), np.float32)
    start = 0
    for column, size in levels:
        found[np.arange(len(rows)), start + rows.codes[column]] = 1
        start += size
    found[:, start:] = numbers
    return found


def _all(likeness: npt.NDArray[np.float32]) -> Ints:
    return np.broadcast_to(np.arange(likeness.shape[1]), likeness.shape)
