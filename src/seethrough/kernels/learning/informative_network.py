"""Which columns go together: a network of columns with two parents each, and a tree of pairs.

The network begins with the column whose mutual informations with all others add up to most. Then, again and again, the
child and the pair of placed columns (one parent for the second column) with the largest mutual information are added.
Among more than 30 columns a child is offered the six placed columns nearest to it only. The tree is the maximum
spanning tree of pairwise mutual informations. Ties go by the order of columns; informations that differ by rounding
alone are ties.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations
from math import prod

import numpy as np

from seethrough.kernels.arrays import Floats
from seethrough.kernels.learning.networks import LIMIT, Entropies, Family, Parents

PARENTS = 2
MANY_COLUMNS, OFFERED = 30, 6
DIGITS = 10
"""Of an information in bits; sums of the same counts in another order differ in later ones."""


def pairwise_informations(entropies: Entropies) -> Floats:
    """Give the mutual information of every pair of columns, 0 on the diagonal."""
    width = len(entropies.sizes)
    found = np.zeros((width, width))
    for place in range(width - 1):
        others = range(place + 1, width)
        found[place, place + 1 :] = found[place + 1 :, place] = entropies.informations((place,), others)
    return np.round(found, DIGITS)


def informative_tree(pairwise: Floats) -> tuple[Parents, ...]:
    """Give the edges of the maximum spanning tree, grown from the first column."""
    width = len(pairwise)
    inside, edges = [0], list[Parents]()
    while len(inside) < width:
        pairs = [(near, far) for near in sorted(inside) for far in range(width) if far not in inside]
        best = max(pairs, key=lambda pair: (pairwise[pair], -pair[0], -pair[1]))
        edges.append(best)
        inside.append(best[1])
    return tuple(edges)


def informative_network(entropies: Entropies, pairwise: Floats) -> tuple[Family, ...]:
    """Choose the network, parents before children."""
    width = len(pairwise)
    first = int(np.argmax(np.round(pairwise.sum(axis=1), DIGITS)))
    families, scores = [Family(first, ())], dict[Family, float]()
    left = [place for place in range(width) if place != first]
    while left:
        placed = sorted(family.child for family in families)
        offers = [Family(child, parents) for child in left for parents in _offers(child, placed, pairwise, entropies)]
        _score(offers, scores, entropies)
        families.append(max(offers, key=lambda family: scores[family]))  # the first of the best
        left.remove(families[-1].child)
    return tuple(families)


def _offers(child: int, placed: Sequence[int], pairwise: Floats, entropies: Entropies) -> Iterator[Parents]:
    """Offer sets of parents, of full degree where a code can name their cells."""
    if len(pairwise) > MANY_COLUMNS:
        placed = sorted(sorted(placed, key=lambda place: (-pairwise[child, place], place))[:OFFERED])
    for degree in range(min(PARENTS, len(placed)), -1, -1):
        sizes = entropies.sizes
        sets = [
            some for some in combinations(placed, degree) if prod(sizes[place] for place in (*some, child)) <= LIMIT
        ]
        if sets:
            yield from sets
            return


def _score(offers: Sequence[Family], scores: dict[Family, float], entropies: Entropies) -> None:
    """Add the scores that are not known yet; all children of one set of parents at once."""
    missing: dict[Parents, list[int]] = {}
    for family in offers:
        if family not in scores:
            missing.setdefault(family.parents, []).append(family.child)
    for parents, children in missing.items():
        for child, score in zip(children, entropies.informations(parents, children), strict=True):
            scores[Family(child, parents)] = round(score, DIGITS)
