"""Many contrasts between members and people outside, tested at once and on both sides of 0.

A contrast is the mean of some numbers over members minus their mean over people outside, among those whom it counts.
The numbers do not depend on who is a member, so that permuted labels give its distribution without any leak, exactly:

    z = sum over members of (value - mean) / sd        sd^2 = n1 n0 sum (value - mean)^2 / (N (N - 1))
    interval = contrast +- c se                        se = sd (m + o) / (m o), where m members and o others count

p is adjusted over all contrasts (step-down), and c is what the largest |z| of permuted labels stays below at the stated
confidence, so that all intervals hold at once: an interval that leaves out 0 is a p of at most 5 %.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np

from seethrough.kernels.arrays import Bools, Floats, Ints
from seethrough.kernels.statistics.intervals import normal_quantile
from seethrough.kernels.statistics.permutation import permutation_test
from seethrough.results.estimate import Estimate

MOST_CELLS = 1 << 24
"""People times contrasts that are held at once; of more people, so many are drawn."""
FEWEST_PERMUTATIONS, MOST_PERMUTED = 999, 1 << 24
"""Permutations times contrasts are kept to this; never fewer permutations than that."""


@dataclass(frozen=True, eq=False)
class Contrast:
    """Numbers of some people, by their places among all."""

    who: Ints
    values: Floats

    def means(self, members: Bools) -> tuple[float, float]:
        """Give the means over members and over people outside."""
        mine = members[self.who]
        return float(self.values[mine].mean()), float(self.values[~mine].mean())


@dataclass(frozen=True)
class ContrastFound:
    """A contrast with its interval and p, both adjusted for all contrasts tested with it."""

    estimate: Estimate
    p: float

    @property
    def strength(self) -> float:
        """Give how far the contrast is from 0, in widths of its interval; 0 where that has no width."""
        width = self.estimate.high - self.estimate.low
        return abs(self.estimate.value) / width if width else 0.0


def people_drawn(members: Bools, contrasts: int, rng: np.random.Generator) -> Ints:
    """Choose whom contrasts are computed on: everybody, or so many of either kind, drawn at random."""
    most = max(2, MOST_CELLS // max(contrasts, 1))
    if len(members) <= most:
        return np.arange(len(members))
    inside, others = (rng.permutation(np.flatnonzero(kind)) for kind in (members, ~members))
    fewer = min(len(inside), len(others), most // 2)
    mine = fewer if len(inside) <= len(others) else most - fewer
    return np.sort(np.concatenate([inside[:mine], others[: most - mine]]))


def permutations_for(contrasts: int, wanted: int) -> int:
    """Say how many permutations a number of contrasts gets."""
    return min(wanted, max(FEWEST_PERMUTATIONS, MOST_PERMUTED // max(contrasts, 1)))


def compare_contrasts(
    contrasts: Sequence[Contrast],
    members: Bools,
    rng: np.random.Generator,
    permutations: int,
    confidence: float,
    device: str = "cpu",
) -> list[ContrastFound]:
    """Test contrasts by one permutation of labels for all of them; each counts both members and people outside."""
    if not contrasts:
        return []
    vectors = np.zeros((len(members), len(contrasts)))
    for column, contrast in zip(vectors.T, contrasts, strict=True):
        column[contrast.who] = contrast.values - contrast.values.mean()
    test = permutation_test(vectors, members, rng, permutations, device).two_sided()
    p = test.adjust(np.arange(len(contrasts)))
    critical = test.quantile(confidence)
    critical = critical if np.isfinite(critical) else normal_quantile(confidence)
    found = []
    for contrast, adjusted in zip(contrasts, p, strict=True):
        mine, others = contrast.means(members)
        interval = _within_reach(mine - others, critical * _error(contrast, members))
        found.append(ContrastFound(Estimate(mine - others, *interval, confidence), float(adjusted)))
    return found


def _within_reach(value: float, half: float) -> tuple[float, float]:
    """Give the interval, kept between -1 and 1: contrasts are of shares."""
    return max(value - half, min(value, -1.0)), min(value + half, max(value, 1.0))


def _error(contrast: Contrast, members: Bools) -> float:
    """Give the standard error; that nobody differs among so many is not certainty, so it is never 0."""
    people, inside, counted = len(members), int(members.sum()), len(contrast.who)
    mine = int(members[contrast.who].sum())
    squares = max(float(np.square(contrast.values - contrast.values.mean()).sum()), 1 / counted)
    spread = sqrt(inside * (people - inside) * squares / (people * (people - 1)))
    return spread * counted / (mine * (counted - mine))
