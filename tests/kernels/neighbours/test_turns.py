"""One pass for all turns against the definition of each turn."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from seethrough.kernels.budget import Budget
from seethrough.kernels.neighbours import blocks as comparing
from seethrough.kernels.neighbours.keys import agreement_in_turn as agreement
from seethrough.kernels.neighbours.keys import hamming
from seethrough.kernels.neighbours.keys import labels_in_turn as labelled
from seethrough.kernels.neighbours.keys.majorities_in_turn import majorities_in_turn
from seethrough.kernels.neighbours.keys.nearest_by_label import FEW, nearest_by_label_within_one
from seethrough.kernels.neighbours.keys.nearest_in_turn import nearest_in_turn
from seethrough.kernels.neighbours.keys.within_reach import SLACK
from seethrough.kernels.points import TIE, Points, block_totals


def without(points, column):
    return Points(points.numbers, np.delete(points.codes, column, axis=0), np.delete(points.weights, column))


def brute_agreement(mine, others, turn):
    """The definition: all nearest rows on the other columns, with multiplicity."""
    found = []
    for row in mine.T:
        distance = [int((np.delete(row, turn) != np.delete(other, turn)).sum()) for other in others.T]
        nearest = [j for j, d in enumerate(distance) if d == min(distance)]
        found.append((len(nearest), sum(int(others[turn, j] == row[turn]) for j in nearest), min(distance)))
    return found


@st.composite
def tables(draw):
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    width, levels = draw(st.integers(1, 5)), draw(st.sampled_from([1, 2, 4, 300]))
    n, m = draw(st.integers(1, 30)), draw(st.integers(1, 30))
    kind = np.min_scalar_type(levels)
    return rng.integers(0, levels, (width, n)).astype(kind), rng.integers(0, levels, (width, m)).astype(kind)


@pytest.mark.parametrize("start_cost", [-1e12, 0.0, 1e12], ids=["compare", "choose", "join"])
def test_agreement_in_every_turn_equals_the_definition(start_cost, monkeypatch):
    monkeypatch.setattr(hamming, "START_NS", start_cost)

    @settings(max_examples=80, deadline=None)
    @given(tables(), st.randoms(use_true_random=False))
    def check(instance, random):
        turns = np.array(random.sample(range(len(instance[0])), random.randint(1, len(instance[0]))))
        found = agreement.agreement_in_turn(instance, turns, Budget(memory=16 * 16 * 48, threads=1))
        for place, turn in enumerate(turns):
            mine = list(zip(*(part[place].tolist() for part in found), strict=True))
            assert mine == brute_agreement(*instance, turn)

    check()


def test_rows_too_wide_for_one_code():
    rng = np.random.default_rng(0)
    mine, others = (rng.integers(0, 4, (70, n)).astype(np.uint8) for n in (20, 25))
    others[:, :5] = mine[:, :5]
    others[3, 2] = 3 - mine[3, 2] % 4
    found = agreement.agreement_in_turn((mine, others), np.arange(70), Budget(threads=2))
    for turn in range(70):
        assert list(zip(*(part[turn].tolist() for part in found), strict=True)) == brute_agreement(mine, others, turn)


@pytest.mark.parametrize("block", [1_024, 5])
@pytest.mark.parametrize("far", [1.0, 1e60])
def test_nearest_in_turn_are_those_of_a_search_on_the_columns_of_the_turn(block, far, monkeypatch):
    monkeypatch.setattr(comparing, "BLOCK", block)

    @settings(max_examples=40, deadline=None)
    @given(st.integers(0, 2**32 - 1), st.integers(0, 3), st.sampled_from([3, 1_000]))
    def check(seed, numbers, grid):
        rng = np.random.default_rng(seed)
        mine, others = (
            Points(
                rng.integers(0, grid, (n, numbers)) / grid * np.where(rng.random((n, 1)) < 0.1, far, 1.0),
                rng.integers(0, 3, (4, n)).astype(np.uint8),
                np.ones(4),
            )
            for n in (17, 23)
        )
        turns = np.array([2, 0, 3])
        found = [{} for _ in turns]

        def take(near):
            for row, column, total in zip(near.rows, near.columns, near.totals, strict=True):
                found[near.turn][int(row), int(column)] = total

        nearest_in_turn(mine, others, turns, Budget(threads=2), take)
        for place, turn in enumerate(turns):
            totals = block_totals(without(mine, turn), without(others, turn))
            best = totals.min(axis=1)
            rows, columns = np.nonzero(totals <= best[:, None] * (1 + TIE))
            expected = {(int(i), int(j)): best[i] for i, j in zip(rows, columns, strict=True)}
            assert found[place] == expected

    check()


def test_other_weights_are_refused():
    points = Points(np.empty((2, 0)), np.zeros((2, 2), np.uint8), np.array([1.0, 0.5]))
    with pytest.raises(ValueError, match="weights of 1"):
        nearest_in_turn(points, points, np.array([0]), Budget(threads=1), lambda near: None)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(0, 2))
def test_majorities_in_every_turn_equal_the_definition(seed, numbers):
    rng = np.random.default_rng(seed)
    mine, others = (
        Points(rng.integers(0, 3, (n, numbers)) / 2, rng.integers(0, 4, (3, n)).astype(np.uint8), np.ones(3))
        for n in (15, 40)
    )
    found = majorities_in_turn(mine, others, np.array([1, 2]), Budget(threads=1))
    for place, turn in enumerate((1, 2)):
        totals = block_totals(without(mine, turn), without(others, turn))
        for row, total in enumerate(totals):
            nearest = others.codes[turn][np.isclose(total, total.min(), rtol=1e-12, atol=0)]
            size = 1 + max(mine.codes[turn].max(), others.codes[turn].max())
            votes = [int((nearest == code).sum()) for code in range(size)]
            marks = "".join(str(int(count == max(votes))) for count in votes)
            assert int(found[place, row]) == int(marks, 2)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(0, 2))
def test_nearest_of_each_label_within_one_equal_the_definition(seed, numbers):
    rng = np.random.default_rng(seed)
    mine, others = (
        Points(rng.integers(0, 9, (n, numbers)) / 7, rng.integers(0, 3, (4, n)).astype(np.uint8), np.ones(4))
        for n in (FEW + 5, 30)
    )
    labels = rng.integers(2, 6, 30)
    present, found = nearest_by_label_within_one(mine, others, labels, Budget(threads=1))
    totals = block_totals(mine, others)
    for row, total in enumerate(totals):
        for label, distance in zip(present, found[row], strict=True):
            nearest = total[labels == label].min()
            if nearest <= (total.min() + 1) * (1 + SLACK):
                assert distance == mine.norm.distance(np.array([nearest]))[0]
            else:
                assert distance == np.inf


def brute_labels(asking, points, turn):
    """The definition: the smallest total of each label on the columns that are left."""
    codes = np.setdiff1d(np.arange(len(asking.codes)), turn.codes)
    numbers = np.setdiff1d(np.arange(asking.numbers.shape[1]), turn.numbers)
    left = [Points(side.numbers[:, numbers], side.codes[codes], np.ones(len(codes))) for side in (asking, points)]
    totals = block_totals(*left)
    present = np.unique(turn.labels)
    return present, np.column_stack([totals[:, turn.labels == label].min(axis=1) for label in present])


@pytest.mark.parametrize("share", [0.0, 2.0], ids=["one by one", "one pass"])
@pytest.mark.parametrize("memory", [1 << 12, 1 << 30])
def test_labels_in_every_turn_equal_the_definition(share, memory, monkeypatch):
    monkeypatch.setattr(labelled, "MOST_NEAR", share)

    @settings(max_examples=40, deadline=None)
    @given(st.integers(0, 2**32 - 1), st.integers(1, 4), st.integers(0, 3))
    def check(seed, codes, numbers):
        rng = np.random.default_rng(seed)
        asking, points = (
            Points(
                rng.random((n, numbers)).round(rng.integers(1, 17)),
                rng.integers(0, 3, (codes, n)).astype(np.uint8),
                np.ones(codes),
            )
            for n in (FEW + 10, 60)
        )
        turns = [
            labelled.LabelTurn(
                rng.permutation(codes)[: rng.integers(0, 2)],
                rng.permutation(numbers)[: rng.integers(0, 2)],
                rng.integers(0, 4, len(points)) * (place + 1),
            )
            for place in range(5)
        ]
        found = labelled.nearest_by_label_in_turn(asking, points, turns, Budget(memory=memory, threads=1))
        for turn, (present, distances) in zip(turns, found, strict=True):
            expected, totals = brute_labels(asking, points, turn)
            assert present.tolist() == expected.tolist()
            matters = totals <= (totals.min(axis=1, keepdims=True) + 1) * (1 - SLACK)
            exact = asking.norm.distance(totals)
            assert np.array_equal(distances[matters], exact[matters])
            assert (distances[~matters] >= exact[~matters]).all()

    check()


def test_a_number_far_out_of_its_range_is_left_out_by_a_search_of_its_own():
    rng = np.random.default_rng(7)
    codes = [rng.integers(0, 2, (3, n)).astype(np.uint8) for n in (40, 50)]
    asking, points = (Points(rng.random((side.shape[1], 2)), side, np.ones(3)) for side in codes)
    points.numbers[3, 1] = 1e100
    turn = labelled.LabelTurn(np.array([], int), np.array([1]), rng.integers(0, 2, 50))
    ((_, distances),) = labelled.nearest_by_label_in_turn(asking, points, [turn], Budget(threads=1))
    _, totals = brute_labels(asking, points, turn)
    near = totals <= totals.min(axis=1, keepdims=True) + 0.99
    assert np.array_equal(distances[near], asking.norm.distance(totals)[near])
