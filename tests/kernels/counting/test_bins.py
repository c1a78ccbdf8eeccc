"""Bins by each rule, by hand."""

import numpy as np
import pytest

from seethrough.kernels.counting import bins
from seethrough.kernels.counting.bins import bin_numbers, cut, decile_edges

TEN = np.arange(10.0, 110, 10)


def codes(rule, first, second, **how):
    return [side.tolist() for side in bin_numbers(rule, np.array(first), np.array(second), **how)]


def test_bins_of_equal_width_have_open_ends_and_a_code_for_missing():
    mine, others = codes("equal width", [0.0, 1, 10, np.nan], [-5.0, 0.9999999, 5, 9.99, 77, np.nan])
    assert mine == [0, 1, 9, 10]
    assert others == [0, 1, 5, 9, 9, 10]  # 0.9999999 lies on the edge but for rounding
    assert codes("equal width", [0.0, 4], [1.0, 2], bins=2) == [[0, 1], [0, 1]]


def test_a_single_value_has_bins_below_and_above():
    assert codes("equal width", [3.0, 3], [2.0, 3, 4, np.nan]) == [[1, 1], [0, 1, 2, 3]]
    assert codes("equal width", [np.nan], [2.0, np.nan]) == [[1], [0, 1]]


def test_interpolated_deciles_lie_between_values_and_a_value_on_an_edge_above_it():
    # The deciles of 10, 20, ..., 100 are 19, 28, 37, ..., 91.
    mine, others = codes("interpolated deciles", TEN, [18.0, 19, 28, 91, 1000, np.nan])
    assert mine == list(range(10))
    assert others == [0, 1, 2, 9, 9, 10]


def test_observed_deciles_are_values_and_one_on_an_edge_lies_below_it():
    assert decile_edges("observed deciles", TEN).tolist() == TEN[:-1].tolist()
    assert codes("observed deciles", TEN, [10.0, 10.5, 100, 1000, np.nan])[1] == [0, 1, 9, 9, 10]


def test_a_largest_value_that_most_rows_share_may_stand_apart():
    values = np.array([1.0, 2] + [9.0] * 8)
    assert cut(values, decile_edges("observed deciles", values)).tolist() == [0, 1] + [2] * 8
    same = np.array([1.0] + [9.0] * 19)  # all deciles are 9
    assert cut(same, decile_edges("observed deciles", same)).tolist() == [0] * 20
    assert cut(same, decile_edges("observed deciles, top apart", same)).tolist() == [0] + [1] * 19


@pytest.mark.parametrize("rule", ["interpolated deciles", "observed deciles", "observed deciles, top apart"])
def test_without_values_there_is_one_bin(rule):
    assert codes(rule, [np.nan, np.nan], [1.0, np.nan]) == [[1, 1], [0, 1]]


@pytest.mark.parametrize("above", [False, True])
def test_edges_are_compared_or_searched_for_alike(monkeypatch, above):
    values, edges = np.array([0.0, 1, 1.5, 2, 3, np.nan]), np.array([1.0, 2])
    compared = cut(values, edges, above=above)
    monkeypatch.setattr(bins, "FEW_EDGES", 0)
    assert cut(values, edges, above=above).tolist() == compared.tolist()
