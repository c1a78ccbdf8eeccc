"""Grains of a column of numbers: by hand, and what holds for every column."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from seethrough.kernels.counting.cells import coding_of
from seethrough.kernels.counting.grains import COARSEST, EXACT, grains_of


def test_a_column_of_ages_and_a_category_have_one_grain():
    ages = np.repeat(np.arange(20.0, 70.0), 8)
    [coding] = grains_of(ages).values()
    values = np.array([19.0, 20.0, 20.5, 69.0, 90.0, np.nan])
    np.testing.assert_array_equal(coding.codes(values), coding_of(ages).codes(values))
    assert list(grains_of(np.array([1, 2, 2], np.uint8))) == [COARSEST]


@pytest.mark.parametrize(
    ("people", "grains"),
    [
        (30, [10]),
        (79, [10]),
        (80, [10, 20]),
        (400, [10, 20, 40, 80]),
        (640, [10, 20, 40, 80, 160]),
        (9000, [10, 20, 40, 80, 160]),
    ],
)
def test_a_bin_is_for_four_people_but_ten_are_always_there(people, grains):
    assert list(grains_of(np.arange(float(people)))) == [*grains, EXACT]


def test_bins_by_hand():
    # 80 values, 4 of them in a bin of 20: edges at the 4th, 8th, ... value, which the bin below holds.
    known = np.arange(80.0)
    twentieths = grains_of(known)[20]
    assert twentieths.codes(np.array([-9.0, 3.0, 3.1, 7.0, 75.0, 75.5, 79.0, 99.0, np.nan])).tolist() == [
        0, 0, 1, 1, 18, 19, 19, 19, 20,
    ]  # fmt: skip
    tenths = grains_of(known)[COARSEST]
    np.testing.assert_array_equal(tenths.codes(known), np.arange(80) // 8)


def test_exact_values_by_hand():
    exact = grains_of(np.array([0.5, 2.25, 2.25, np.nan, -1.0]))[EXACT]
    assert exact.radix == 5
    assert exact.codes(np.array([-1.0, 0.5, 2.25, 2.2500001, 7.0, np.nan])).tolist() == [0, 1, 2, 3, 3, 4]


def test_equal_bins_are_one_coding():
    # Nine of ten people share a value, so that finer quantiles find it again; above it there are always new ones.
    known = np.append(np.zeros(900), np.arange(1.0, 101.0))
    grains = grains_of(known)
    assert grains[COARSEST].edges.tolist() == [0]
    assert grains[20].edges.tolist() == [0, 50]
    lumps = np.append(np.repeat([0.0, 1.0], 500), np.arange(2.0, 303.0) / 1e6)
    assert len({id(coding) for coding in grains_of(lumps).values()}) == len(grains_of(lumps))
    two = np.append(np.repeat([0.0, 9.0], [600, 400]), np.linspace(10, 11, 101))
    found = grains_of(two)
    assert found[COARSEST] is not found[EXACT]
    assert all(
        not np.array_equal(found[a].edges, found[b].edges) or found[a] is found[b] for a, b in ((10, 20), (20, 40))
    )


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(5, 400))
def test_finer_grains_split_coarser_ones_and_know_what_is_missing(seed, people):
    rng = np.random.default_rng(seed)
    known = np.where(rng.random(people) < 0.1, np.nan, rng.normal(size=people))
    grains = grains_of(known)
    if EXACT not in grains:
        return
    released = np.concatenate([known, rng.normal(size=50), [np.nan]])
    for coding in grains.values():
        codes = coding.codes(released).astype(int)
        assert codes.max() < coding.radix
        assert (codes[np.isnan(released)] == coding.radix - 1).all()
        assert (codes[~np.isnan(released)] < coding.radix - 1).all()
    exact, numbers = grains[EXACT].codes(known), known[~np.isnan(known)]
    assert len(np.unique(exact[~np.isnan(known)])) == len(np.unique(numbers))
    nobody = grains[EXACT].codes(rng.normal(size=50))
    assert (nobody == grains[EXACT].radix - 2).all()
    for coarse, fine in ((10, 20), (20, 40), (40, 80)):
        if fine in grains:
            cells = np.unique(np.column_stack([grains[coarse].codes(numbers), grains[fine].codes(numbers)]), axis=0)
            assert len(cells) == len(np.unique(cells[:, 1]))
