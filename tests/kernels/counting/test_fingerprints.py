"""Fingerprints against rows compared as tuples; rarity against enumeration."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from seethrough.kernels.counting.fingerprints import cell_prints, counts_within, occurs_in, row_prints
from seethrough.kernels.counting.rarity import chances_shown, number_shown, tail
from seethrough.kernels.neighbours.most_similar import guessed_right

ROWS = st.lists(st.tuples(st.integers(0, 2), st.integers(0, 3), st.sampled_from([0.0, 0.5, float("nan")])), min_size=1)


def columns(rows):
    a, b, c = zip(*rows, strict=True)
    return np.array(a, np.uint8), np.array(b, np.uint16), np.array(c, np.float64)


def as_text(rows):
    return [tuple(map(str, row)) for row in rows]


@settings(deadline=None)
@given(ROWS, ROWS)
def test_equal_rows_and_only_those_have_equal_fingerprints(first, second):
    mine, others = as_text(first), as_text(second)
    found = occurs_in(row_prints(columns(second)), row_prints(columns(first)))
    assert found.tolist() == [row in mine for row in others]
    assert counts_within(row_prints(columns(first))).tolist() == [mine.count(row) for row in mine]


@settings(deadline=None)
@given(ROWS)
def test_a_column_left_out_is_a_subtraction(rows):
    total = row_prints(columns(rows))
    texts = as_text(rows)
    for place in range(3):
        without = [row[:place] + row[place + 1 :] for row in texts]
        assert counts_within(total - cell_prints(columns(rows)[place], place)).tolist() == [
            without.count(row) for row in without
        ]


def test_width_of_codes_and_negative_zero_make_no_difference():
    narrow, wide = (row_prints([np.array([1, 2], kind)]) for kind in (np.uint8, np.uint32))
    assert narrow.tolist() == wide.tolist()
    assert len(set(row_prints([np.array([0.0, -0.0])]).tolist())) == 1


@settings(deadline=None)
@given(st.lists(st.floats(0, 1), min_size=1, max_size=8), st.integers(0, 8))
def test_the_number_of_events_is_that_of_enumeration(chances, number):
    brute = np.zeros(len(chances) + 1)
    for happened in product([0, 1], repeat=len(chances)):
        brute[sum(happened)] += np.prod([p if h else 1 - p for p, h in zip(chances, happened, strict=True)])
    assert number_shown(np.array(chances)) == pytest.approx(brute, abs=1e-12)
    assert tail(np.array(chances), number) == pytest.approx(brute[number:].sum(), abs=1e-9)


def test_the_normal_tail_of_many_events_is_near_the_exact_one(monkeypatch):
    chances = np.linspace(0.1, 0.9, 400)
    exact = tail(chances, 210)
    monkeypatch.setattr("seethrough.kernels.counting.rarity.EXACT", 10)
    assert tail(chances, 210) == pytest.approx(exact, abs=0.002)


def test_the_chance_of_a_rare_value_by_hand():
    # Three values held once, one held twice, one held five times: share 2/10 * (1+1)/(3+1) = 0.1, in two draws 0.19.
    found = chances_shown(np.array([1, 1, 1, 2, 5]), np.array([1]), 10, 2)
    assert found == pytest.approx([0.19])


def test_the_estimated_chance_is_no_less_than_what_independent_rows_show_and_not_far_above():
    rng = np.random.Generator(np.random.PCG64(3))
    shares = 1 / np.arange(1, 3001)
    first, second = rng.choice(3000, (2, 4000), p=shares / shares.sum())
    counts = np.bincount(first, minlength=3000)
    once = np.flatnonzero(counts == 1)
    expected = chances_shown(counts[counts > 0], np.ones(1, np.int64), 4000, 4000)[0]
    shown = np.isin(once, second).mean()
    assert shown - 0.02 < expected < shown + 0.15


CELLS = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 2), st.integers(0, 1)), min_size=1, max_size=25)


@settings(deadline=None)
@given(CELLS, CELLS)
def test_guesses_are_those_of_comparing_every_pair(targets, released):
    arrays = [[np.array(column) for column in zip(*rows, strict=True)] for rows in (targets, released)]
    found = guessed_right(*arrays)
    for place in range(3):
        for number, target in enumerate(targets):
            alike = [sum(target[c] == row[c] for c in range(3) if c != place) for row in released]
            best = [row for row, score in zip(released, alike, strict=True) if score == max(alike)]
            assert found[place, number] == pytest.approx(np.mean([row[place] == target[place] for row in best]))


def test_blocks_change_no_guess(monkeypatch):
    rng = np.random.Generator(np.random.PCG64(0))
    targets, released = rng.integers(0, 3, (4, 50)), rng.integers(0, 3, (4, 70))
    whole = guessed_right(list(targets), list(released))
    monkeypatch.setattr("seethrough.kernels.neighbours.most_similar.BLOCK", 100)
    assert np.array_equal(guessed_right(list(targets), list(released)), whole)
