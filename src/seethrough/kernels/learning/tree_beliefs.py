"""Beliefs about several columns of one person that hang together in a tree, by sum-product.

Column h has probabilities p_h(v) of its own for each person, and every edge (a, b) of the tree a table

    t_ab(u, v) = log P(u, v) - log P(u) - log P(v)            P: counts plus `smoothing`, divided by their sum

The distribution is in proportion to the product of all p_h and exp(t_ab); its margins, the beliefs, are found exactly
by messages from the leaves to the root and back, all in logarithms. Where the p_h are the margins of P on every edge
the product is the tree distribution with these margins, and nothing moves.

The tree is that of the largest mutual information (Kruskal); of equal weights the lower columns come first.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from seethrough.kernels.arrays import Floats, Ints

LEAST = 1e-12
"""Probabilities are no smaller before their logarithm is taken."""
Edge = tuple[int, int]


def mutual_information(counts: Ints) -> float:
    """Give the mutual information of two columns in nats, from their table of counts; never below 0."""
    total = counts.sum()
    if not total:
        return 0.0
    joint = counts / total
    apart = joint.sum(axis=1, keepdims=True) * joint.sum(axis=0, keepdims=True)
    there = joint > 0
    return max(0.0, float((joint[there] * np.log(joint[there] / apart[there])).sum()))


def spanning_tree(weights: Floats) -> tuple[Edge, ...]:
    """Find the tree over all columns whose weights add up to most; `weights` is symmetric."""
    size = len(weights)
    pairs = sorted(((a, b) for a in range(size) for b in range(a + 1, size)), key=lambda ab: (-weights[ab], ab))
    part, edges = list(range(size)), []
    for a, b in pairs:
        if part[a] != part[b]:
            edges.append((a, b))
            joined, left = part[a], part[b]
            part = [joined if each == left else each for each in part]
    return tuple(edges)


def edge_tables(counts: Ints | Floats, smoothing: float) -> Floats:
    """Compare joint with separate shares, in logarithms; `counts` has one table, or one for each person."""
    joint = counts + smoothing
    joint = joint / joint.sum(axis=(-2, -1), keepdims=True)
    first, second = joint.sum(axis=-1, keepdims=True), joint.sum(axis=-2, keepdims=True)
    found: Floats = np.log(joint) - np.log(first) - np.log(second)
    return found


def normalise(logs: Floats) -> Floats:
    """Make each row of logarithms shares that sum to 1."""
    shares = np.exp(logs - logs.max(axis=-1, keepdims=True))
    found: Floats = shares / shares.sum(axis=-1, keepdims=True)
    return found


def tree_beliefs(unaries: Sequence[Floats], edges: Sequence[Edge], tables: Sequence[Floats]) -> list[Floats]:
    """Give each person's margins of every column; `unaries` are logarithms, one array of people x levels a column.

    A table has the levels of the first column of its edge by those of the second, for all people alike or for each.
    Columns that no edge has keep their own.
    """
    tree = _Tree(tuple(unaries), _linked(len(unaries), edges, tables))
    return tree.beliefs()


def correct_columns(beliefs: Floats, shares: Floats, means: Floats, strength: float) -> Floats:
    """Move beliefs of one column towards the shares it has in the release, from the means over the people asked."""
    towards = np.log(np.maximum(shares, LEAST)) - np.log(np.maximum(means, LEAST))
    return normalise(np.log(np.maximum(beliefs, LEAST)) + strength * towards)


@dataclass(frozen=True, eq=False)
class _Tree:
    """Columns, and to each of them its neighbours with the tables from it to them."""

    unaries: tuple[Floats, ...]
    links: tuple[dict[int, Floats], ...]

    def beliefs(self) -> list[Floats]:
        """Pass messages up and down."""
        order, parents = self._from_the_roots()
        messages: dict[Edge, Floats] = {}
        for column in reversed(order):
            if column in parents:
                messages[column, parents[column]] = self._message(column, parents[column], messages)
        for column in order:
            for child in (each for each in self.links[column] if parents.get(each) == column):
                messages[column, child] = self._message(column, child, messages)
        return [normalise(self._heard(column, None, messages)) for column in range(len(self.unaries))]

    def _from_the_roots(self) -> tuple[list[int], dict[int, int]]:
        """Order the columns so that each comes after its parent."""
        order: list[int] = []
        parents: dict[int, int] = {}
        for root in range(len(self.unaries)):
            waiting = [] if root in order else [root]
            while waiting:
                column = waiting.pop(0)
                order.append(column)
                found = [each for each in self.links[column] if each != parents.get(column)]
                parents.update(dict.fromkeys(found, column))
                waiting += found
        return order, parents

    def _heard(self, column: int, without: int | None, messages: dict[Edge, Floats]) -> Floats:
        """Add up a column's own logarithms and what all its neighbours but one say."""
        found = self.unaries[column]
        for other in self.links[column]:
            if other != without:
                found = found + messages[other, column]
        return found

    def _message(self, column: int, other: int, messages: dict[Edge, Floats]) -> Floats:
        """Say to a neighbour what follows for its levels; the largest is set to 0, which changes no belief."""
        terms = self._heard(column, other, messages)[:, :, None] + self.links[column][other]
        top = terms.max(axis=1, keepdims=True)
        sums = top[:, 0, :] + np.log(np.exp(terms - top).sum(axis=1))
        found: Floats = sums - sums.max(axis=1, keepdims=True)
        return found


def _linked(columns: int, edges: Sequence[Edge], tables: Sequence[Floats]) -> tuple[dict[int, Floats], ...]:
    links: tuple[dict[int, Floats], ...] = tuple({} for _ in range(columns))
    for (a, b), table in zip(edges, tables, strict=True):
        links[a][b] = table
        links[b][a] = np.swapaxes(table, -1, -2)
    return links
