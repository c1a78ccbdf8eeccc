"""Key sets: subsets of what is known about people, numbers exact or cut at some grain.

All sets of 1 to 4 keys, and the whole; a set with a number comes three times: exact, and cut between the tenths and the
fortieths of all people together. Of more than can be tried so many are drawn; the whole key set is always among them.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from math import comb

import numpy as np

from seethrough.auditing.evidence.secrets import SecretCodes
from seethrough.data.table import Table
from seethrough.kernels.arrays import Bools, Floats, Ints
from seethrough.kernels.counting.fingerprints import Prints, cell_prints
from seethrough.kernels.counting.singles import alone, matches
from seethrough.kernels.counting.value_counts import ValueCounts, add_counts, count_keys

LARGEST = 4
GRAINS: tuple[int | None, ...] = (None, 10, 40)
"""How numbers are compared: exactly, or by the part of so many that they fall into."""


@dataclass(frozen=True)
class KeySet:
    """Some keys, by their places, and how numbers among them are compared."""

    places: tuple[int, ...]
    grain: int | None


@dataclass(frozen=True, eq=False)
class KeyCoding:
    """How keys are compared at every grain: where numbers are cut is decided by all people together."""

    names: tuple[str, ...]
    is_number: tuple[bool, ...]
    edges: Mapping[tuple[int, int], Floats]

    def prints(self, rows: Table, place: int, grain: int | None) -> Prints:
        """Give fingerprints of a key; columns without numbers are the same at every grain."""
        values = rows.column(self.names[place])
        if grain is None:
            return cell_prints(values, place)
        numbers = values.astype(np.float64)
        parts = 1 + np.searchsorted(self.edges[place, grain], numbers, side="left")
        return cell_prints(np.where(np.isnan(numbers), 0, parts), place)


@dataclass(frozen=True, eq=False)
class KeyPrints:
    """Fingerprints of every key of some rows at every grain, each made when it is first asked for."""

    coding: KeyCoding
    table: Table
    _made: dict[tuple[int, int | None], Prints] = field(default_factory=dict, init=False, repr=False)

    @property
    def names(self) -> tuple[str, ...]:
        """Name the keys."""
        return self.coding.names

    @property
    def is_number(self) -> tuple[bool, ...]:
        """Tell which keys are numbers."""
        return self.coding.is_number

    def rows(self, keys: KeySet) -> Prints:
        """Give the fingerprints of rows under a key set."""
        parts = [self._of(place, keys.grain if self.is_number[place] else None) for place in keys.places]
        with np.errstate(over="ignore"):
            total = parts[0].copy()
            for part in parts[1:]:
                total += part
        return total

    def _of(self, place: int, grain: int | None) -> Prints:
        if (place, grain) not in self._made:
            self._made[place, grain] = self.coding.prints(self.table, place, grain)
        return self._made[place, grain]

    @property
    def whole(self) -> list[KeySet]:
        """Give the set of all keys, at every grain that differs."""
        return self.at_grains(tuple(range(len(self.names))))

    def at_grains(self, places: tuple[int, ...]) -> list[KeySet]:
        """Give a set at every grain that differs."""
        grains = GRAINS if any(self.is_number[place] for place in places) else GRAINS[:1]
        return [KeySet(places, grain) for grain in grains]


def key_prints(people: Table, known: Sequence[str]) -> KeyPrints:
    """Read the keys of people."""
    columns = [people.column(name) for name in known]
    is_number = tuple(values.dtype.kind == "f" for values in columns)
    edges = {
        (place, grain): _edges(values.astype(np.float64), grain)
        for place, values in enumerate(columns)
        if is_number[place]
        for grain in GRAINS
        if grain is not None
    }
    return KeyPrints(KeyCoding(tuple(known), is_number, edges), people)


def _edges(numbers: Floats, grain: int) -> Floats:
    """Give the quantiles of people at which numbers are cut."""
    shown = numbers[np.isfinite(numbers)]
    levels = np.arange(1, grain) / grain
    return np.unique(np.quantile(shown, levels, method="inverted_cdf")) if len(shown) else shown


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


@dataclass(frozen=True, eq=False)
class AskedAlone:
    """People who are alone with a key set and are asked about, and their fingerprints, which all differ."""

    people: Ints
    prints: Prints

    def count(self, others: Prints, shown: Ints) -> ValueCounts:
        """Count the released rows with the keys of each, by the class that they show; -1 is none."""
        shows = np.flatnonzero(shown >= 0)
        who, row = matches(self.prints, others[shows])
        return count_keys(len(self.people), who, shown[shows[row]], np.ones(len(who), np.int64))


def ask_alone(prints: Prints, truth: Ints) -> AskedAlone:
    """Ask about those who are alone; `truth` is -1 for people who are not asked about."""
    people = np.flatnonzero(alone(prints) & (truth >= 0))
    return AskedAlone(people, prints[people])


def given_secrets(asked: AskedAlone, counts: ValueCounts, truth: Ints) -> GivenSecrets:
    """Tell to whom one most frequent class is given, and whether it is theirs."""
    is_alone, given, right = (np.zeros(len(truth), bool) for _ in range(3))
    is_alone[asked.people] = True
    spoken, place = np.unique(counts.group, return_inverse=True)
    if len(spoken):
        most = np.zeros(len(spoken), np.int64)
        np.maximum.at(most, place, counts.counts)
        is_most = counts.counts == most[place]
        about = asked.people[spoken]
        given[about] = np.bincount(place[is_most], minlength=len(spoken)) == 1
        told = np.zeros(len(spoken), np.int64)
        told[place[is_most]] = counts.keys[is_most]
        right[about] = given[about] & (told == truth[about])
    return GivenSecrets(is_alone, given, right)


@dataclass(frozen=True, eq=False)
class KeyLookupPass:
    """Pass: released rows that have the keys of people, by the class that they show, under each of some key sets."""

    coding: KeyCoding
    asked: tuple[tuple[KeySet, AskedAlone], ...]
    secret: SecretCodes
    classes: tuple[int, ...]

    def partial(self, rows: Table, before: int, hint: Floats | None) -> tuple[ValueCounts, ...]:
        """Look people up in a chunk."""
        codes = self.secret.codes(rows).astype(np.int64)
        places = np.minimum(np.searchsorted(self.classes, codes), len(self.classes) - 1)
        shown = np.where(np.asarray(self.classes)[places] == codes, places, -1)
        prints = KeyPrints(self.coding, rows)
        return tuple(asked.count(prints.rows(keys), shown) for keys, asked in self.asked)

    def merge(self, first: tuple[ValueCounts, ...], second: tuple[ValueCounts, ...]) -> tuple[ValueCounts, ...]:
        """Add up."""
        return tuple(add_counts(pair) for pair in zip(first, second, strict=True))

    def hint(self, state: tuple[ValueCounts, ...]) -> Floats | None:
        """Say nothing."""
        return None
