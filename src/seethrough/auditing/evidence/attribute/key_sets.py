"""Key sets: subsets of what is known about people, numbers exact or cut at some grain.

All sets of 1 to 4 keys, and the whole; a set with a number comes three times: exact, and cut between the tenths and the
fortieths of all people together. Of more than can be tried so many are drawn; the whole key set is always among them.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb

import numpy as np

from seethrough.auditing.evidence.pool import Pool
from seethrough.kernels.arrays import Bools, Floats, Ints
from seethrough.kernels.counting.fingerprints import Prints, cell_prints
from seethrough.kernels.counting.singles import alone, matches

LARGEST = 4
GRAINS: tuple[int | None, ...] = (None, 10, 40)
"""How numbers are compared: exactly, or by the part of so many that they fall into."""


@dataclass(frozen=True)
class KeySet:
    """Some keys, by their places, and how numbers among them are compared."""

    places: tuple[int, ...]
    grain: int | None


@dataclass(frozen=True, eq=False)
class KeyPrints:
    """Fingerprints of every key of people and released rows, at every grain; columns without numbers have one."""

    names: tuple[str, ...]
    is_number: tuple[bool, ...]
    people: dict[tuple[int, int | None], Prints]
    released: dict[tuple[int, int | None], Prints]

    def rows(self, keys: KeySet) -> tuple[Prints, Prints]:
        """Give the fingerprints of people and released rows under a key set."""
        cells = [(place, keys.grain if self.is_number[place] else None) for place in keys.places]
        return _added([self.people[cell] for cell in cells]), _added([self.released[cell] for cell in cells])

    @property
    def whole(self) -> list[KeySet]:
        """Give the set of all keys, at every grain that differs."""
        return self.at_grains(tuple(range(len(self.names))))

    def at_grains(self, places: tuple[int, ...]) -> list[KeySet]:
        """Give a set at every grain that differs."""
        grains = GRAINS if any(self.is_number[place] for place in places) else GRAINS[:1]
        return [KeySet(places, grain) for grain in grains]


def _added(parts: Sequence[Prints]) -> Prints:
    with np.errstate(over="ignore"):
        total = parts[0].copy()
        for part in parts[1:]:
            total += part
    return total


def key_prints(pool: Pool, known: Sequence[str]) -> KeyPrints:
    """Read the keys; where numbers are cut is decided by all people together."""
    columns = [(pool.people.column(name), pool.release.column(name)) for name in known]
    is_number = tuple(mine.dtype.kind == "f" for mine, _ in columns)
    people: dict[tuple[int, int | None], Prints] = {}
    released: dict[tuple[int, int | None], Prints] = {}
    for place, (mine, others) in enumerate(columns):
        people[place, None], released[place, None] = cell_prints(mine, place), cell_prints(others, place)
        for grain in GRAINS[1:] if is_number[place] else ():
            assert grain is not None
            cut = _cut(mine.astype(np.float64), others.astype(np.float64), grain)
            people[place, grain], released[place, grain] = (cell_prints(codes, place) for codes in cut)
    return KeyPrints(tuple(known), is_number, people, released)


def _cut(mine: Floats, others: Floats, grain: int) -> tuple[Ints, Ints]:
    """Say between which the quantiles of people each value lies; 0 is missing."""
    shown = mine[np.isfinite(mine)]
    levels = np.arange(1, grain) / grain
    edges = np.unique(np.quantile(shown, levels, method="inverted_cdf")) if len(shown) else shown
    first, second = (
        np.where(np.isnan(values), 0, 1 + np.searchsorted(edges, values, side="left")) for values in (mine, others)
    )
    return first, second


def possible_sets(keys: KeyPrints) -> int:
    """Count the key sets: of 1 to 4 keys at every grain that differs, and the whole."""
    count, plain = len(keys.names), len(keys.names) - sum(keys.is_number)
    sizes = range(1, min(LARGEST, count) + 1)
    some = sum(len(GRAINS) * comb(count, size) - (len(GRAINS) - 1) * comb(plain, size) for size in sizes)
    return some + (len(keys.whole) if count > LARGEST else 0)


def chosen_sets(keys: KeyPrints, most: int, rng: np.random.Generator) -> list[KeySet]:
    """Give the whole key set first, then all others, or so many of them drawn at random."""
    whole = keys.whole
    if possible_sets(keys) <= most:
        return list(dict.fromkeys([*whole, *_all_sets(keys)]))
    count = len(keys.names)
    sizes = np.arange(1, min(LARGEST, count) + 1)
    chances = np.array([comb(count, int(size)) for size in sizes], np.float64)
    found = dict.fromkeys(whole)
    while len(found) < most:
        size = int(rng.choice(sizes, p=chances / chances.sum()))
        places = tuple(sorted(rng.choice(count, size, replace=False).tolist()))
        grains = keys.at_grains(places)
        found[grains[int(rng.integers(len(grains)))]] = None
    return list(found)


def _all_sets(keys: KeyPrints) -> Iterator[KeySet]:
    for size in range(1, min(LARGEST, len(keys.names)) + 1):
        for places in combinations(range(len(keys.names)), size):
            yield from keys.at_grains(places)


@dataclass(frozen=True, eq=False)
class GivenSecrets:
    """For every person: alone with a key set, spoken of by released rows with one most frequent class, and rightly."""

    alone: Bools
    given: Bools
    right: Bools


def given_secrets(rows: tuple[Prints, Prints], truth: Ints, released: Ints, classes: int) -> GivenSecrets:
    """Look up the secret of people who are alone; `truth` is -1 for people who are not asked about.

    `released` is the class of each released row, -1 where it shows none.
    """
    mine, others = rows
    is_alone = alone(mine) & (truth >= 0)
    people, shows = np.flatnonzero(is_alone), np.flatnonzero(released >= 0)
    who, row = matches(mine[people], others[shows])
    given, right = np.zeros(len(mine), bool), np.zeros(len(mine), bool)
    if len(who):
        spoken = np.zeros(len(people), bool)
        spoken[who] = True
        number = np.cumsum(spoken) - 1
        counts = np.bincount(number[who] * classes + released[shows[row]], minlength=int(spoken.sum()) * classes)
        counts = counts.reshape(-1, classes)
        is_most = counts == counts.max(axis=1, keepdims=True)
        about = people[spoken]
        given[about] = is_most.sum(axis=1) == 1
        right[about] = given[about] & (counts.argmax(axis=1) == truth[about])
    return GivenSecrets(is_alone, given, right)
