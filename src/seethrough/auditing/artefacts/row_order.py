"""Row order: is a released row like the real row at the same place of the file, more than like those around it?

    statistic = sum over places and columns of the likeness of both rows, each column in standard deviations
                categories: 1 if equal, else 0; numbers: the product of centred ranks

Real rows are permuted within blocks of 20 places, so that files which are sorted alike, or drift alike, show nothing.
If the release owes nothing to the order of real rows, the observed sum is one draw among those of permuted rows:
p = (1 + #{permutations with at least this sum}) / (1 + permutations), exact; permuting stops early once ten sums were
reached, which keeps it so (Besag and Clifford 1991). A column by which both files are sorted is left out.
"""

from dataclasses import dataclass

import numpy as np

from seethrough.data.table import Array, Table
from seethrough.kernels.arrays import Floats, Ints
from seethrough.kernels.ranks.scale import mid_ranks
from seethrough.seeds import stream

BLOCK = 20
PERMUTATIONS = 999
ENOUGH = 10
"""Permuted sums above the observed one after which no more are drawn."""
MOST = 10_000
"""Places that are compared; of more, the first so many."""
SORTED = 0.1
"""Share of descents among changes from row to row below which a column counts as sorted."""


@dataclass(frozen=True)
class RowOrder:
    """The p of the permutation test, and how many of the places are more alike than their block, here and permuted."""

    p: float
    alike: int
    alike_by_chance: float
    places: int


def compare_row_order(real: Table, release: Table) -> RowOrder:
    """Test whether released rows stand where like real rows stand."""
    places = min(len(real), len(release), MOST)
    release = release.head(places)
    pairs = [
        _numbered(mine[:places], theirs[:places])
        for mine, theirs in zip(real.columns, release.columns, strict=True)
        if not (_is_sorted(mine[:places]) and _is_sorted(theirs[:places]))
    ]
    rng = stream(0, "row order")
    here = _likeness(pairs, np.arange(places))
    bound = here.sum() - 1e-9
    alike: list[int] = []
    reached = 0
    while len(alike) < PERMUTATIONS and reached < ENOUGH:
        moved = _likeness(pairs, _within_blocks(places, rng))
        reached += bool(moved.sum() >= bound)
        alike.append(_alike(moved))
    return RowOrder((1 + reached) / (1 + len(alike)), _alike(here), float(np.mean(alike)), places)


@dataclass(frozen=True, eq=False)
class _ColumnPair:
    """A column of both tables: codes, or standardised ranks; and what standardises equality."""

    mine: Floats
    theirs: Floats
    is_rank: bool
    mean: float
    spread: float

    def likeness(self, order: Ints) -> Floats:
        mine = self.mine[order]
        found: Floats = mine * self.theirs if self.is_rank else ((mine == self.theirs) - self.mean) / self.spread
        return found


def _numbered(mine: Array, theirs: Array) -> _ColumnPair:
    if mine.dtype.kind == "f":
        return _ColumnPair(_ranks(mine), _ranks(theirs), is_rank=True, mean=0.0, spread=1.0)
    a, b = mine.astype(np.float64), theirs.astype(np.float64)
    size = int(max(a.max(), b.max())) + 1
    shares = [np.bincount(each.astype(np.int64), minlength=size) / len(each) for each in (a, b)]
    mean = float(shares[0] @ shares[1])
    return _ColumnPair(a, b, is_rank=False, mean=mean, spread=max(float(np.sqrt(mean * (1 - mean))), 1e-9))


def _ranks(values: Array) -> Floats:
    numbers = values.astype(np.float64)
    ranks = mid_ranks(np.where(np.isnan(numbers), np.inf, numbers))
    spread = float(ranks.std())
    return np.asarray((ranks - ranks.mean()) / (spread or 1.0), dtype=np.float64)


def _likeness(pairs: list[_ColumnPair], order: Ints) -> Floats:
    total = np.zeros(len(order))
    for pair in pairs:
        total += pair.likeness(order)
    return total


def _within_blocks(places: int, rng: np.random.Generator) -> Ints:
    """Permute places within blocks; the last block is shorter."""
    return np.lexsort((rng.random(places), np.arange(places) // BLOCK))


def _alike(likeness: Floats) -> int:
    return int(np.count_nonzero(likeness > 0))


def _is_sorted(values: Array) -> bool:
    numbers = values.astype(np.float64)
    known = numbers[~np.isnan(numbers)]
    steps = np.sign(known[1:] / 2 - known[:-1] / 2)  # halves, because a step between the largest numbers is no number
    changes = int(np.count_nonzero(steps))
    if not changes:
        return True
    return bool(min(np.count_nonzero(steps < 0), np.count_nonzero(steps > 0)) <= SORTED * changes)
