"""Permutation tests with the maximum over many statistics.

People have labels, n1 members among N, and every attack a few vectors of scores that do not depend on the labels. A
statistic is the sum of a vector over the members. If the labels are exchangeable, the observed sum is one draw among
those of permuted labels, whatever the scores are: an exact test at every N.

    z   = (sum - n1 mean) / sd,   sd^2 = n1 n0 sum (a - mean)^2 / (N (N - 1))
    p   = (1 + #{permutations with z* >= z}) / (1 + permutations)                     of one statistic
    p   = (1 + #{permutations with max over a set of z* >= z}) / (1 + permutations)   adjusted for the set

The adjustment is step-down (Westfall and Young 1993, algorithm 2.8): the statistic that ranks j-th is held against the
maximum over those that rank j-th or lower, and adjusted p never fall along the ranks. All statistics see the same
permutations, so what they have in common is not paid for twice. A constant vector has no statistic: its z is -inf and
its p is 1.

A permutation is a set of n1 people. Coins with the right chance decide who is in, and a few people drawn at random are
then added or dropped until there are n1: no set is likelier than another, and it costs a random byte or two for each
person instead of a sort. Sets are drawn in blocks of a constant size, which are part of what a seed means.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain

import numpy as np

from seethrough.kernels.arrays import Bools, Floats, Ints, Single
from seethrough.kernels.device.torch_sums import label_sums

PERMUTATIONS = 9_999
BLOCK = 1 << 22
"""Labels that are drawn at once; a constant, because it decides which random numbers go where."""


@dataclass(frozen=True, eq=False)
class PermutationTest:
    """The observed statistics, and those of permuted labels (one row a permutation), all standardised."""

    observed: Floats
    permuted: Floats

    @property
    def permutations(self) -> int:
        """Count the permutations."""
        return len(self.permuted)

    def p_values(self) -> Floats:
        """Give the p of each statistic by itself."""
        reached = (self.permuted >= self.observed - _ROUNDING).sum(axis=0)
        return _share(reached, self.permutations)

    def p_of_maximum(self, chosen: Ints) -> float:
        """Give the p of the largest of some statistics, held against their maximum."""
        top = float(self.observed[chosen].max())
        if np.isneginf(top):
            return 1.0
        reached = (self.permuted[:, chosen].max(axis=1) >= top - _ROUNDING).sum()
        return float(_share(reached, self.permutations))

    def adjust(self, chosen: Ints) -> Floats:
        """Give the step-down adjusted p of some statistics, in the order given."""
        order = np.argsort(-self.observed[chosen], kind="stable")
        ranked = chosen[order]
        # The maximum over those that rank j-th or lower, for every j and permutation.
        maxima = np.maximum.accumulate(self.permuted[:, ranked[::-1]], axis=1)[:, ::-1]
        reached = (maxima >= self.observed[ranked] - _ROUNDING).sum(axis=0)
        p = np.maximum.accumulate(_share(reached, self.permutations))
        found = np.empty(len(chosen))
        found[order] = np.where(np.isneginf(self.observed[ranked]), 1.0, p)
        return found

    def two_sided(self) -> "PermutationTest":
        """Give the same test on both sides of 0: statistics by their size, whatever their sign."""
        return PermutationTest(*(np.where(np.isneginf(z), z, np.abs(z)) for z in (self.observed, self.permuted)))

    def quantile(self, confidence: float) -> float:
        """Give the value that the maximum over all statistics stays below with the given probability."""
        maxima = np.sort(self.permuted.max(axis=1))
        place = int(np.ceil(confidence * (self.permutations + 1))) - 1
        return float(maxima[min(place, self.permutations - 1)])


_ROUNDING = 1e-9
"""Sums of the same scores in another order differ in the last digits; they are equal here."""


def _share(reached: Ints, permutations: int) -> Floats:
    return np.asarray((1.0 + reached) / (1.0 + permutations))


def permutation_test(
    vectors: Floats,
    members: Bools,
    rng: np.random.Generator,
    permutations: int = PERMUTATIONS,
    device: str = "cpu",
) -> PermutationTest:
    """Test vectors (one column each, one row a person) by the sums over members.

    A device adds up the same sets of people in double precision: a statistic may differ by one in its last digit.
    """
    scaled = _standardised(vectors, int(members.sum()))
    usable = np.flatnonzero(scaled.any(axis=0))
    # Single precision holds the standardised sums to six digits, and products are twice as fast; what is compared is
    # computed alike for the observed labels, so that a tie stays a tie.
    weights = scaled[:, usable].astype(np.float32)
    sets = chain([members[None]], permuted_labels(len(members), int(members.sum()), permutations, rng))
    found = np.full((1 + permutations, vectors.shape[1]), -np.inf)
    found[:, usable] = sums_over_sets(weights, sets, device)
    found = np.round(found, _DIGITS)
    return PermutationTest(found[0], found[1:])


def sums_over_sets(weights: Single, sets: Iterable[Bools], device: str = "cpu") -> Single | Floats:
    """Add up weights (one row a person) over the people of each set; sets come in blocks, with one row a set."""
    if device != "cpu":
        return label_sums(weights, sets, device)
    return np.concatenate([labels.astype(np.float32) @ weights for labels in sets])


_DIGITS = 4
"""Digits of a standardised sum that single precision holds at any number of people."""


def _standardised(vectors: Floats, n1: int) -> Floats:
    """Centre the vectors and scale them so that the sum over n1 random people has variance 1; constant ones are 0."""
    people = len(vectors)
    centred: Floats = vectors - vectors.mean(axis=0)
    squares = np.square(centred).sum(axis=0)
    spread = np.sqrt(n1 * (people - n1) * squares / (people * max(people - 1, 1)))
    flat = squares <= 1e-18 * np.maximum(np.square(vectors).sum(axis=0), 1e-300)
    centred /= np.where(flat | (spread == 0), 1.0, spread)
    centred[:, flat] = 0.0
    return centred


def permuted_labels(people: int, n1: int, permutations: int, rng: np.random.Generator) -> Iterator[Bools]:
    """Draw sets of n1 people, each likely alike, as rows of labels; in blocks."""
    at_once = max(1, BLOCK // max(people, 1))
    chance = np.uint16(min(round(n1 / people * (1 << 16)), (1 << 16) - 1))
    for begin in range(0, permutations, at_once):
        rows = min(at_once, permutations - begin)
        labels = rng.integers(0, 1 << 16, (rows, people), dtype=np.uint16) < chance
        for row in labels:
            surplus = int(np.count_nonzero(row)) - n1
            if surplus:
                among = (row if surplus > 0 else ~row).nonzero()[0]
                row[among[rng.choice(len(among), abs(surplus), replace=False, shuffle=False)]] = surplus < 0
        yield labels
