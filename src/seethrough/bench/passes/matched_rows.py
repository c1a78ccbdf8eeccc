"""Released rows that equal people, counted in one pass over the release in any chunks; also with a column left out.

People's numbers are rounded to the digits that those of the release have, for whoever holds a record rounds it as the
release does before looking it up. How many digits these are is found by a pass before.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from seethrough.data.table import Array, Table
from seethrough.kernels.arrays import Floats, Ints
from seethrough.kernels.counting.digits import ENOUGH, FINEST, digits_needed, round_to
from seethrough.kernels.counting.fingerprints import Prints, cell_prints, row_prints

Digits = tuple[int | None, ...]
SLOTS = 22
"""Bits of a fingerprint that tell its slot."""


@dataclass(frozen=True, eq=False)
class SeenDigits:
    """For each column the digits that its numbers have at most, and some of its different numbers."""

    digits: tuple[int, ...]
    some: tuple[Floats, ...]

    def tell(self) -> Digits:
        """Give the digits of each column; None where they cannot be told, and for columns without numbers."""
        return tuple(
            None if len(few) < ENOUGH or digits > FINEST else digits
            for digits, few in zip(self.digits, self.some, strict=True)
        )


@dataclass(frozen=True)
class DigitsPass:
    """Pass: to how many digits the numbers of each column were rounded."""

    def partial(self, rows: Table, before: int, hint: Floats | None) -> SeenDigits:
        """Look at the different numbers of each column."""
        digits, some = [], []
        for values in rows.columns:
            numbers = np.unique(_finite(values))
            digits.append(digits_needed(numbers))
            some.append(numbers[:ENOUGH])
        return SeenDigits(tuple(digits), tuple(some))

    def merge(self, first: SeenDigits, second: SeenDigits) -> SeenDigits:
        """Take the larger of both digits, and the smallest numbers."""
        some = [np.unique(np.concatenate(pair))[:ENOUGH] for pair in zip(first.some, second.some, strict=True)]
        return SeenDigits(tuple(map(max, first.digits, second.digits)), tuple(some))

    def hint(self, state: SeenDigits) -> Floats | None:
        """Say nothing."""
        return None


@dataclass(frozen=True, eq=False)
class MatchesPass:
    """Pass: how many released rows equal each of some people, in all columns, and in all but one, each in turn.

    The state has one row for all columns, then one for each column left out. Rows are compared by fingerprints of 64
    bits.
    """

    people: Table
    digits: Digits

    def partial(self, rows: Table, before: int, hint: Floats | None) -> Ints:
        """Look people up among the rows of a chunk."""
        theirs = _prints(round_columns(rows, self.digits))
        return np.stack([mine.count(others) for mine, others in zip(self._wanted, theirs, strict=True)])

    @cached_property
    def _wanted(self) -> list["WantedPrints"]:
        found = (
            np.unique(each, return_inverse=True, return_counts=True)
            for each in _prints(round_columns(self.people, self.digits))
        )
        return [WantedPrints(distinct, inverse, counts) for distinct, inverse, counts in found]

    def merge(self, first: Ints, second: Ints) -> Ints:
        """Add up."""
        return first + second

    def hint(self, state: Ints) -> Floats | None:
        """Say nothing."""
        return None

    @property
    def among_people(self) -> Ints:
        """How many of the people equal each of them, themselves counted, as the state has it."""
        return np.stack([mine.counts[mine.inverse] for mine in self._wanted])


@dataclass(frozen=True, eq=False)
class WantedPrints:
    """The different fingerprints of people, which of them everybody has, and how many people have each."""

    distinct: Prints
    inverse: Ints
    counts: Ints

    def count(self, among: Prints) -> Ints:
        """Count for each person how many others are equal; first bits mark slots, which few others fall into."""
        marks = np.zeros(1 << SLOTS, np.bool_)
        marks[self.distinct >> np.uint64(64 - SLOTS)] = True
        maybe = among[marks[among >> np.uint64(64 - SLOTS)]]
        place = np.minimum(np.searchsorted(self.distinct, maybe), len(self.distinct) - 1)
        found = np.bincount(place[self.distinct[place] == maybe], minlength=len(self.distinct))
        return found[self.inverse]


def _finite(values: Array) -> Floats:
    numbers = values.astype(np.float64) if values.dtype.kind == "f" else np.empty(0)
    return numbers[np.isfinite(numbers)]


def round_columns(rows: Table, digits: Digits) -> list[Array]:
    """Round the numbers of columns."""
    return [
        values if wanted is None else round_to(values.astype(np.float64), wanted)
        for values, wanted in zip(rows.columns, digits, strict=True)
    ]


def _prints(cells: Sequence[Array]) -> Iterator[Prints]:
    """Give fingerprints of whole rows, then of rows without each column."""
    total = row_prints(cells)
    yield total
    for place, values in enumerate(cells):
        with np.errstate(over="ignore"):
            yield total - cell_prints(values, place)
