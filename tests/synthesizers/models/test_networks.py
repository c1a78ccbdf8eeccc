"""Networks against enumeration, conditional tables against counts by hand."""

from itertools import combinations, product
from math import comb, log2

import numpy as np
import pytest

from seethrough.kernels.learning import networks
from seethrough.kernels.learning.networks import Entropies, Family, greedy_network
from seethrough.synthesizers._models import conditionals
from seethrough.synthesizers._models.conditionals import counted_table, draw_cells, weighted_table


def records(rows, sizes, seed=0):
    rng = np.random.default_rng(seed)
    cells = np.column_stack([rng.integers(0, size, rows) for size in sizes])
    for place in range(1, len(sizes)):
        copied = rng.random(rows) < 0.5
        cells[copied, place] = cells[copied, place - 1] % sizes[place]
    return cells


def information(cells, child, parents):
    """Mutual information by its definition."""
    total, rows = 0.0, [(tuple(row[list(parents)]), row[child]) for row in cells]
    for pair in set(rows):
        joint = rows.count(pair) / len(rows)
        left = sum(row[0] == pair[0] for row in rows) / len(rows)
        right = sum(row[1] == pair[1] for row in rows) / len(rows)
        total += joint * log2(joint / (left * right))
    return total


def best(offered, scores):
    return int(np.argmax(scores))


@pytest.mark.parametrize("roomy", [8, 0], ids=["counting", "sorting"])
def test_information_is_that_of_the_definition(roomy, monkeypatch):
    monkeypatch.setattr(networks, "ROOMY", roomy)
    sizes = (3, 2, 4, 5)
    cells = records(60, sizes)
    entropies = Entropies(cells, sizes)
    for parents in [(0,), (1, 3), (0, 1, 3)]:
        expected = information(cells, 2, parents)
        assert entropies.informations(parents, [2])[0] == pytest.approx(expected, abs=1e-12)


def test_information_of_a_copy_is_its_entropy():
    cells = np.column_stack([[0, 1, 2, 3] * 5, [0, 1, 2, 3] * 5, [0] * 20])
    assert Entropies(cells, (4, 4, 1)).informations((0,), [1, 2]) == pytest.approx([2.0, 0.0])


@pytest.mark.parametrize("k", [1, 2, 3])
def test_the_network_is_the_one_that_enumeration_finds(k):
    sizes = (3, 2, 4, 5, 2, 3)
    cells = records(80, sizes, seed=k)
    placed, left, expected = [2], [0, 1, 3, 4, 5], [(2, ())]
    while left:
        pairs = [(x, p) for x in left for p in combinations(sorted(placed), min(k, len(placed)))]
        child, parents = max(pairs, key=lambda pair: information(cells, *pair))
        expected.append((child, parents))
        placed.append(child)
        left.remove(child)
    found = greedy_network(Entropies(cells, sizes), k, 2, best)
    assert [(each.child, tuple(sorted(each.parents))) for each in found] == expected


def test_every_pair_is_offered_and_counted_once(monkeypatch):
    counts, seen = [], []
    plain = Entropies.informations

    def watched(self, parents, children):
        counts.extend((child, frozenset(parents)) for child in children)
        return plain(self, parents, children)

    def choose(offered, scores):
        seen.append({(each.child, frozenset(each.parents)) for each in offered})
        assert len(seen[-1]) == len(offered) == len(scores)
        return best(offered, scores)

    monkeypatch.setattr(Entropies, "informations", watched)
    sizes = (2,) * 7
    greedy_network(Entropies(records(50, sizes), sizes), 3, 0, choose)
    assert len(counts) == len(set(counts))
    assert [len(each) for each in seen] == [(7 - i) * comb(i, min(3, i)) for i in range(1, 7)]


def test_large_families_are_not_offered_and_smaller_sets_take_their_place():
    sizes = (10, 10, 10, 2)
    found = greedy_network(Entropies(records(50, sizes), sizes), 2, 0, best, limit=200)
    for place, family in enumerate(found):
        cells = np.prod([sizes[member] for member in family.members])
        assert cells <= 200
        assert len(family.parents) == (2 if place > 1 and cells == 200 else min(place, 1))
    alone = greedy_network(Entropies(records(50, sizes), sizes), 2, 0, best, limit=10)
    assert all(not family.parents for family in alone)


COLUMNS = [np.array(values) for values in ([0, 0, 0, 1, 1], [0, 0, 1, 0, 1], [2, 2, 1, 0, 0])]
SIZES = (2, 2, 3)


@pytest.mark.parametrize("dense", [1 << 22, 0], ids=["array", "search"])
def test_a_counted_table_by_hand(dense, monkeypatch):
    monkeypatch.setattr(conditionals, "DENSE", dense)
    table = counted_table(Family(2, (0,)), COLUMNS, SIZES)
    parents = np.array([0, 0, 0, 1, 1])
    values, missed = table.draw(parents, np.array([0.0, 0.34, 0.99, 0.0, 0.99]))
    assert sorted(values[:3].tolist()) == [1, 2, 2]
    assert values[3:].tolist() == [0, 0]
    assert missed == 0


@pytest.mark.parametrize("dense", [1 << 22, 0], ids=["array", "search"])
def test_unseen_parents_give_the_marginal_and_are_counted(dense, monkeypatch):
    monkeypatch.setattr(conditionals, "DENSE", dense)
    columns = [np.array([0, 0, 2, 2]), np.array([0, 1, 1, 1])]
    table = counted_table(Family(1, (0,)), columns, (4, 2))
    values, missed = table.draw(np.array([1, 3, 1, 3, 0]), np.array([0.1, 0.3, 0.6, 0.9, 0.1]))
    assert sorted(values[:4].tolist()) == [0, 1, 1, 1]
    assert missed == 4


def test_the_largest_number_below_one_stays_inside():
    for count in (1, 2, 3, 5, 7, 1000, 2**20 + 1):
        table = counted_table(Family(0, ()), [np.zeros(count, np.int64)], (1,))
        assert table.draw(np.zeros(1, np.int64), np.array([np.nextafter(1.0, 0.0)]))[0].tolist() == [0]


@pytest.mark.parametrize("width", [1, 2, 3, 5, 8, 13])
def test_a_weighted_table_draws_as_a_search_in_each_row_would(width):
    rng = np.random.default_rng(width)
    joint = np.maximum(rng.normal(size=(6, width)), 0)
    joint[:, 0] = [0, 1, 1, 1, 1, 1]
    joint[5] = 0
    table = weighted_table(Family(1, (0,)), joint)
    rows, uniform = rng.integers(0, 6, 500), np.append(rng.random(498), [0.0, np.nextafter(1.0, 0.0)])
    cells, missed = table.draw(rows, uniform)
    weights = np.where(joint.sum(axis=1, keepdims=True) > 0, joint, joint.sum(axis=0))
    shares = np.cumsum(weights, axis=1) / weights.sum(axis=1, keepdims=True)
    expected = [
        int(np.argmax(shares[row] > u)) if (shares[row] > u).any() else None
        for row, u in zip(rows, uniform, strict=True)
    ]
    for cell, row, wanted in zip(cells, rows, expected, strict=True):
        assert weights[row, cell] > 0
        assert wanted is None or cell == wanted
    assert missed == np.isin(rows, np.flatnonzero(joint.sum(axis=1) == 0)).sum()


def test_without_any_weight_all_cells_are_alike():
    table = weighted_table(Family(1, (0,)), np.zeros((2, 4)))
    assert table.draw(np.zeros(4, np.int64), np.array([0.1, 0.3, 0.6, 0.9]))[0].tolist() == [0, 1, 2, 3]


def test_drawn_rows_have_the_joint_distribution_of_the_network(monkeypatch):
    monkeypatch.setattr(conditionals, "BLOCK", 1000)
    families = (Family(1, ()), Family(0, (1,)), Family(2, (1, 0)))
    tables = [counted_table(family, COLUMNS, SIZES) for family in families]
    cells, missed = draw_cells(tables, SIZES, 20_500, np.random.default_rng(0))
    assert missed == 0
    seen = set(zip(*(column.tolist() for column in COLUMNS), strict=True))
    assert {tuple(row) for row in cells.tolist()} <= seen
    for row in product(range(2), range(2), range(3)):
        wanted = sum(tuple(each) == row for each in zip(*COLUMNS, strict=True)) / 5
        assert (cells == row).all(axis=1).mean() == pytest.approx(wanted, abs=0.015)
