"""Bayesian networks: which attributes an attribute is drawn given, chosen greedily by mutual information.

Attributes are placed one after the other. Each time all pairs of an attribute that is left and a set of k placed ones
(all of them while there are no more than k) are scored by their mutual information in bits, and one pair is chosen. A
pair keeps its score, so only sets with the attribute placed last are counted, about C(d, k + 1) over all instead of
C(d + 1, k + 2).

    I(X; P) = H(X) + H(P) - H(X, P),   H = log2 n - (1/n) sum of c log2 c over the counts c of the cells

References
----------
Zhang, Cormode, Procopiuc, Srivastava, Xiao 2017, PrivBayes: Private Data Release via Bayesian Networks, Algorithm 2.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from math import prod

import numpy as np
import numpy.typing as npt

from seethrough.kernels.arrays import Floats, Ints

Parents = tuple[int, ...]

LIMIT = 1 << 62
"""Cells that a joint table may have so that a code of 63 bits can name them."""
ROOMY = 8
"""Cells for each record up to which a table of counts beats sorting."""


@dataclass(frozen=True)
class Family:
    """An attribute and those that it is drawn given."""

    child: int
    parents: Parents

    @property
    def members(self) -> tuple[int, ...]:
        """All of them, the child last."""
        return (*self.parents, self.child)


Choose = Callable[[Sequence[Family], Floats], int]
"""Picks one of several families, given their scores."""


def _silent(fraction: float) -> None:
    """Report progress to nobody."""


class Entropies:
    """Entropies of sets of attributes of one table of cells, a row for each record."""

    def __init__(self, cells: npt.NDArray[np.integer], sizes: Sequence[int]) -> None:
        self.sizes = tuple(sizes)
        self.rows = len(cells)
        self._columns = [np.ascontiguousarray(cells[:, place], dtype=np.int64) for place in range(len(self.sizes))]
        counts = np.arange(self.rows + 1, dtype=float)
        self._weights = counts * np.log2(np.maximum(counts, 1))
        self._single = [self.of(column, size) for column, size in zip(self._columns, self.sizes, strict=True)]

    def of(self, codes: Ints, cells: int) -> float:
        """Give the entropy of codes below `cells`, in bits."""
        if cells <= ROOMY * self.rows:
            counts = np.bincount(codes, minlength=1)
        else:
            counts = np.unique(codes, return_counts=True)[1]
        return float(np.log2(self.rows) - self._weights[counts].sum() / self.rows)

    def informations(self, parents: Parents, children: Sequence[int]) -> list[float]:
        """Give the mutual information between a set and each of some attributes."""
        codes, cells = joint_codes(self._columns, self.sizes, parents)
        own = self.of(codes, cells)
        found = []
        for child in children:
            size = self.sizes[child]
            found.append(self._single[child] + own - self.of(codes * size + self._columns[child], cells * size))
        return found


def joint_codes(columns: Sequence[Ints], sizes: Sequence[int], members: Sequence[int]) -> tuple[Ints, int]:
    """Give a number to each combination of some attributes, the last running fastest, and how many there can be."""
    codes, cells = np.zeros(len(columns[0]), np.int64), 1
    for place in members:
        codes, cells = codes * sizes[place] + columns[place], cells * sizes[place]
    return codes, cells


@dataclass
class _Candidates:
    """The parent sets that an attribute may have so far, with their scores."""

    sets: list[Parents] = field(default_factory=list)
    scores: list[float] = field(default_factory=list)


def greedy_network(
    entropies: Entropies,
    k: int,
    first: int,
    choose: Choose,
    limit: int = LIMIT,
    progress: Callable[[float], None] = _silent,
) -> tuple[Family, ...]:
    """Choose a network of degree k that begins with `first`.

    A family with more than `limit` cells is no candidate. An attribute that has no set of k parents within the limit is
    offered its largest sets that are; this depends on sizes alone and not on the records.
    """
    placed, left = [first], [place for place in range(len(entropies.sizes)) if place != first]
    families, known = [Family(first, ())], {child: _Candidates() for child in left}
    while left:
        if len(placed) <= k:
            known = {child: _Candidates() for child in left}
        _add_fresh(entropies, placed, left, k, limit, known)
        offers = {
            child: known[child] if known[child].sets else _smaller(entropies, placed, child, k, limit) for child in left
        }
        offered = [Family(child, parents) for child in left for parents in offers[child].sets]
        scores = np.array([score for child in left for score in offers[child].scores])
        chosen = offered[choose(offered, scores)]
        families.append(chosen)
        placed.append(chosen.child)
        left.remove(chosen.child)
        progress(len(placed) / len(entropies.sizes))
    return tuple(families)


def _add_fresh(
    entropies: Entropies, placed: list[int], left: list[int], k: int, limit: int, known: dict[int, _Candidates]
) -> None:
    """Score the sets of full degree that came with the attribute placed last."""
    sizes = entropies.sizes
    for some in combinations(placed[:-1], min(k, len(placed)) - 1):
        parents = (*some, placed[-1])
        cells = prod(sizes[place] for place in parents)
        children = [child for child in left if cells * sizes[child] <= limit]
        for child, score in zip(children, entropies.informations(parents, children) if children else (), strict=True):
            known[child].sets.append(parents)
            known[child].scores.append(score)


def _smaller(entropies: Entropies, placed: list[int], child: int, k: int, limit: int) -> _Candidates:
    """Score the largest sets below full degree that fit; the empty set always does."""
    for degree in range(min(k, len(placed)) - 1, 0, -1):
        sets = [
            parents
            for parents in combinations(placed, degree)
            if prod(entropies.sizes[place] for place in (*parents, child)) <= limit
        ]
        if sets:
            return _Candidates(sets, [entropies.informations(parents, [child])[0] for parents in sets])
    return _Candidates([()], [0.0])
