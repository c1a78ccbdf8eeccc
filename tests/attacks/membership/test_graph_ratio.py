"""The graph rating: by hand, and against a naive reading of its definition."""

from itertools import combinations
from math import log, log2

import numpy as np
import pytest

from seethrough.attacks.membership.graph_ratio import GraphRatio
from seethrough.bench import pool as pool_requests
from seethrough.bench.bench import Bench
from seethrough.bench.membership import graph
from seethrough.bench.membership.graph import CellsOfAll, GraphOfRelease, GraphRatios, PairRatios
from seethrough.bench.pool import Seen
from seethrough.data.schema import Column, Kind, Schema
from seethrough.data.table import Table
from seethrough.errors import NotApplicable
from seethrough.kernels.budget import Budget
from seethrough.kernels.learning import informative_network as networks


def letters(*rows):
    """A table of one letter a column."""
    schema = Schema(tuple(Column(f"c{place}", Kind.CATEGORICAL, levels=tuple("abcd")) for place in range(len(rows[0]))))
    return Table(
        schema, tuple(np.array(["_abcd".index(row[place]) for row in rows], np.uint8) for place in range(len(rows[0])))
    )


def bench(people, release, reference):
    return Bench({Seen.PEOPLE: people, Seen.RELEASE: release, Seen.REFERENCE: reference}, Budget(threads=1))


def test_two_columns_by_hand(monkeypatch):
    # aa: ln(2.5/6) - ln(2.5/5) - ln(1.5/6) + ln(2.5/5); ab: the same with .5 and 1.5.
    monkeypatch.setattr(graph, "FEWEST_REFERENCE", 4)
    shown = bench(letters("aa", "ab", "aa"), letters("aa", "aa", "bb", "bb"), letters("aa", "ab", "ba", "bb"))
    found = GraphRatio().rate(shown, np.random.default_rng(0))
    np.testing.assert_allclose(found, [log(2.5 / 1.5), log(0.5 / 1.5), log(2.5 / 1.5)])
    np.testing.assert_allclose(found[:2], [0.510826, -1.098612], atol=5e-7)
    assert [family.child for family in shown.get(GraphOfRelease()).families] == [0, 1]
    # Without the parents' terms, which cancel here: both tables have each root twice.
    np.testing.assert_allclose(shown.get(PairRatios()), found)


def test_numbers_are_cut_at_quantiles_of_release_and_reference_alone():
    schema = Schema((Column("x", Kind.NUMERIC, low=0.0, high=99.0, fill=0.0),))
    people = Table(schema, (np.array([-5.0, 1, 2, 2.5, 20, 1e9, np.nan]),))
    half = Table(schema, (np.arange(1.0, 11),))
    cells = bench(people, half, Table(schema, (np.arange(11.0, 21),))).get(CellsOfAll())
    # Cuts are 1, 2 ... 19; the cell is the number of cuts at or below.
    assert cells.columns[0][cells.people].tolist() == [0, 1, 2, 2, 19, 19, 20]


def information(columns, child, parents):
    rows = [(tuple(columns[place][row] for place in parents), columns[child][row]) for row in range(len(columns[0]))]
    total = 0.0
    for pair in set(rows):
        joint = rows.count(pair) / len(rows)
        left, right = (sum(row[side] == pair[side] for row in rows) / len(rows) for side in (0, 1))
        total += joint * log2(joint / (left * right))
    return round(total, 10)


def naive_network(columns, near=None):
    width = len(columns)
    pair = {(i, j): information(columns, i, (j,)) for i in range(width) for j in range(width) if i != j}
    sums = [round(sum(pair[i, j] for j in range(width) if j != i), 10) for i in range(width)]
    placed = [sums.index(max(sums))]
    found = [(placed[0], ())]
    while len(placed) < width:
        best, chosen = -1.0, None
        for child in range(width):
            if child in placed:
                continue
            offered = sorted(sorted(placed, key=lambda place: (-pair[child, place], place))[:near])
            for parents in combinations(offered, min(2, len(placed))):
                if (score := information(columns, child, parents)) > best:
                    best, chosen = score, (child, parents)
        placed.append(chosen[0])
        found.append(chosen)
    return found


def naive_log_ratio(cells, members, row):
    """ln P_S - ln P_R of one person's cell, counting rows one by one."""
    whole = list(zip(*(cells.columns[place] for place in members), strict=True))
    kinds = len(set(whole))
    released, others = whole[cells.release], whole[cells.reference]
    return log((released.count(whole[row]) + 0.5) / (len(released) + 0.5 * kinds)) - log(
        (others.count(whole[row]) + 0.5) / (len(others) + 0.5 * kinds)
    )


def mixed(rows, width, seed):
    rng = np.random.default_rng(seed)
    base = rng.integers(0, 3, rows)
    arrays, columns = [], []
    for place in range(width):
        codes = np.where(rng.random(rows) < 0.3 + 0.6 * place / width, base, rng.integers(0, 3, rows))
        is_number = place % 3 == 2
        kind = Kind.NUMERIC if is_number else Kind.CATEGORICAL
        columns.append(Column(f"c{place}", kind, levels=() if is_number else tuple("abc"), low=0.0, high=9.0, fill=0.0))
        arrays.append(codes * 2.5 + rng.integers(0, 2, rows) if is_number else (codes + 1).astype(np.uint8))
    return Table(Schema(tuple(columns)), tuple(arrays))


@pytest.mark.parametrize("near", [None, 3])
def test_network_and_ratings_are_those_of_a_naive_reading(near, monkeypatch):
    if near is not None:
        monkeypatch.setattr(networks, "MANY_COLUMNS", 4)
        monkeypatch.setattr(networks, "OFFERED", near)
    shown = bench(mixed(15, 6, 0), mixed(60, 6, 1), mixed(40, 6, 2))
    cells = shown.get(CellsOfAll())
    released = [column[cells.release].tolist() for column in cells.columns]
    families = shown.get(GraphOfRelease()).families
    wanted = naive_network(released, near)
    assert [(family.child, family.parents) for family in families] == wanted
    ratings = [
        sum(
            naive_log_ratio(cells, (*parents, child), row) - naive_log_ratio(cells, parents, row)
            for child, parents in wanted[1:]
        )
        for row in range(15)
    ]
    np.testing.assert_allclose(shown.get(GraphRatios()), ratings)


def test_pairs_are_a_maximum_spanning_tree():
    shown = bench(mixed(15, 5, 3), mixed(60, 5, 4), mixed(40, 5, 5))
    cells = shown.get(CellsOfAll())
    released = [column[cells.release].tolist() for column in cells.columns]
    weight = {pair: information(released, pair[0], pair[1:]) for pair in combinations(range(5), 2)}
    trees = [tree for tree in combinations(weight, 4) if connected(tree)]
    best = max(sum(weight[pair] for pair in tree) for tree in trees)
    pairs = shown.get(GraphOfRelease()).pairs
    assert sum(weight[tuple(sorted(pair))] for pair in pairs) == pytest.approx(best)
    wanted = [sum(naive_log_ratio(cells, pair, row) for pair in pairs) for row in range(15)]
    np.testing.assert_allclose(shown.get(PairRatios()), wanted)


def connected(tree):
    reached = {0}
    for _ in tree:
        reached |= {place for pair in tree if set(pair) & reached for place in pair}
    return len(reached) == 5


def test_one_column_or_too_small_a_reference_has_no_graph_ratio():
    one, two = letters(*"aab"), letters("aa", "ab", "ba")
    with pytest.raises(NotApplicable, match="one column"):
        GraphRatio().rate(bench(one, one, one), np.random.default_rng(0))
    with pytest.raises(NotApplicable, match=f"fewer than {pool_requests.FEWEST_REFERENCE}"):
        GraphRatio().rate(bench(two, two, two), np.random.default_rng(0))
