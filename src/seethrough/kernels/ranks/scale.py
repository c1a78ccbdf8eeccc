"""Ranks, and values exchanged for those of the same rank.

Keys are numbers in the order of the values they stand for, infinity where a value is missing, so missing values come
last. An average rank is half a whole number; kernels work with its double, which is whole, so that ties are exact.
"""

from dataclasses import dataclass

import numpy as np

from seethrough.kernels.arrays import Floats, Ints


def doubled_ranks(keys: Floats) -> Ints:
    """Give twice the average rank of each key, ranks from 1 on."""
    _, inverse, counts = np.unique(keys, return_inverse=True, return_counts=True)
    ends = np.cumsum(counts)
    found: Ints = (2 * ends - counts + 1)[inverse].astype(np.int64, copy=False)
    return found


def mid_ranks(values: Floats) -> Floats:
    """Give the average rank of each value, ranks from 1 on; where one is no number, nothing has a rank."""
    if np.isnan(values).any():
        return np.full(len(values), np.nan)
    return doubled_ranks(values) / 2


def places_in_order(keys: Floats, rng: np.random.Generator) -> Ints:
    """List the places of the keys from the smallest to the largest; ties stand in random order."""
    shuffled = rng.permutation(len(keys))
    found: Ints = shuffled[np.argsort(keys[shuffled], kind="stable")]
    return found


def full_ranks(keys: Floats, rng: np.random.Generator) -> Ints:
    """Give each key a rank of its own, 1 to n; ties are broken at random."""
    ranks = np.empty(len(keys), np.int64)
    ranks[places_in_order(keys, rng)] = np.arange(1, len(keys) + 1)
    return ranks


def reverse_mapping(original: Floats, ranks: Ints, rng: np.random.Generator) -> Ints:
    """Find, for each rank, the place of the original key that has it: a permutation of the original places."""
    found: Ints = places_in_order(original, rng)[ranks - 1]
    return found


@dataclass(frozen=True, eq=False)
class RankScale:
    """The values of an original column in order: distinct keys, and how often each occurs. It says nothing of whose."""

    keys: Floats
    counts: Ints

    @classmethod
    def of(cls, keys: Floats) -> "RankScale":
        """Count the keys of a column."""
        distinct, counts = np.unique(keys, return_counts=True)
        return cls(distinct, counts.astype(np.int64, copy=False))

    @property
    def doubled(self) -> Ints:
        """Twice the average rank of each key, and after them a rank beyond all for what is not among the keys."""
        ends = np.cumsum(self.counts)
        return np.append(2 * ends - self.counts + 1, 2 * (int(self.counts.sum()) + 1))

    def places(self, keys: Floats) -> Ints:
        """Find keys among those of the column; what is not there has the place after the last."""
        place = np.searchsorted(self.keys, keys)
        there = self.keys[np.minimum(place, len(self.keys) - 1)] == keys
        return np.where(there, place, len(self.keys))

    def mapped_places(self, keys: Floats) -> Ints:
        """Read synthetic keys, as many as the column has: each stands for the real key of its rank.

        A tied key has no rank of its own, and where the column has the same key it stands for itself: the ranks of
        ties move with every other value, and a whole number would be read as its neighbour. Where the column has it
        not, the middle rank decides. A missing value stays one, and a value that is there never becomes one.
        """
        distinct, inverse, copies = np.unique(keys, return_inverse=True, return_counts=True)
        own = self.places(distinct)
        tied = (copies > 1) | (np.append(self.counts, 0)[own] > 1)
        itself = ((own < len(self.keys)) & tied)[inverse]
        present = self.counts[np.isfinite(self.keys)].sum()
        middle = np.clip(doubled_ranks(keys) // 2, 1, max(1, int(present)))
        mapped = np.searchsorted(np.cumsum(self.counts), middle)
        by_rank = np.isfinite(keys) & bool(present) & ~itself
        return np.where(by_rank, mapped, own[inverse])
