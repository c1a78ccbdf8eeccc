"""Counts over shared cells, entropies and intervals of means over columns, with values worked out by hand."""

from math import log

import numpy as np
import pytest

from seethrough.bench.marginals import (
    ColumnEntropies,
    Marginals,
    check_bins,
    count_values,
    mean_estimate,
    most_different,
    redraws,
)
from seethrough.data.release import Part
from seethrough.errors import ConfigError


@pytest.fixture
def counts(bench_of):
    """Counts of the only column, as two lists."""

    def run(real, synthetic, bins=10):
        (column,) = bench_of({"v": real}, {"v": synthetic}).get(Marginals(Part.TRAIN, Part.SYNTHETIC, bins))
        for cells, number in zip(column.cells, column.counts, strict=True):
            assert np.bincount(cells, minlength=len(number)).tolist() == number.tolist()
        return [number.tolist() for number in column.counts]

    return run


def test_categories_count_by_the_levels_of_both_tables(counts):
    assert counts(["b", "a", "b"], ["d", "b"]) == [[1, 2, 0], [0, 1, 1]]


def test_a_missing_category_is_a_cell(counts):
    assert counts(["a", None, "b"], [None, None, "b"]) == [[1, 1, 1], [2, 0, 1]]


def test_numbers_count_by_bins_of_the_first_range_with_open_ends(counts):
    assert counts([0, 1, 2, 4], [-9, 1.9, 3, 99], bins=4) == [[1, 1, 1, 1], [1, 1, 0, 2]]


def test_values_on_an_edge_go_up_whatever_the_unit(counts):
    for scale, start in [(1, 0), (0.1, 0), (0.1, 0.7), (1e-7, 3), (180 / 90, 32)]:
        real = [start + scale * step for step in range(11)]
        assert counts(real, real)[0] == [1] * 9 + [2]


def test_a_missing_number_is_the_last_cell(counts):
    assert counts([0, None, 10], [None, 10, None]) == [[1, 1, 1], [0, 1, 2]]


def test_a_constant_number_has_cells_below_equal_and_above(counts):
    assert counts([5, 5], [5, 4, 6, 7, 5.001, None]) == [[0, 2, 0, 0], [1, 1, 3, 1]]


def test_a_number_that_the_first_table_lacks_is_one_cell(counts):
    assert counts([None, None], [3, 4, None]) == [[0, 2], [2, 1]]


def test_a_range_beyond_the_largest_float_is_no_obstacle(counts):
    assert counts([-1.7e308, 1.7e308], [-1.7e308, 0, 1.7e308], bins=2) == [[1, 1], [1, 2]]


@pytest.mark.parametrize("bins", [0, 1_000_001, 10**9])
def test_a_number_of_bins_is_at_least_one_and_fits_the_memory(bins):
    with pytest.raises(ConfigError, match=rf"ks\.bins is {bins}; from 1 to 1,000,000 are expected"):
        check_bins(bins, "ks")


@pytest.fixture
def entropies(bench_of):
    return lambda real: bench_of(real, real).get(ColumnEntropies(Part.TRAIN)).tolist()


def test_entropy_of_categories_is_by_level_in_schema_order(entropies):
    real = {"half": ["a", "a", "b", "b"], "quarter": ["x", "y", "y", "y"], "one": ["z"] * 4, "gap": ["p", None] * 2}
    skewed = -(0.25 * log(0.25) + 0.75 * log(0.75))
    assert entropies(real) == pytest.approx([log(2), skewed, 0, log(2)])


def test_entropy_of_numbers_is_by_ten_bins_of_equal_share_at_most(entropies):
    assert entropies({"v": list(range(1000))}) == pytest.approx([log(10)])
    assert entropies({"v": [0, 3, 1, 4]}) == pytest.approx([log(4)])


def test_entropy_of_a_number_that_most_rows_share_is_seen_at_either_end(entropies):
    skewed = -(0.05 * log(0.05) + 0.95 * log(0.95))
    real = {"low": [0] * 95 + [1] * 5, "high": [0] * 5 + [1] * 95, "same": [7] * 100}
    assert entropies(real) == pytest.approx([skewed, skewed, 0])


def test_entropy_takes_missing_numbers_as_a_cell(entropies):
    assert entropies({"v": [None, 1, None, 1], "w": [2, None, 3, 4]}) == pytest.approx([log(2), log(4)])
    assert entropies({"v": [None, None], "c": ["a", "b"]}) == pytest.approx([0, log(2)])


def test_resampled_counts_keep_columns_together_and_vary_like_a_sample():
    rng = np.random.default_rng(0)
    first, second = rng.integers(0, 3, 900), rng.integers(0, 3, 300)
    columns = [count_values("a", first, second), count_values("b", 2 - first, 2 - second)]
    draws = redraws(columns, rng, resamples=4000)
    shares = draws.apply(columns[0], lambda mine, _: mine[:, 0] / mine.sum(axis=1))
    turned = draws.apply(columns[1], lambda mine, _: mine[:, 2] / mine.sum(axis=1))
    assert shares.tolist() == turned.tolist()
    share = np.mean(first == 0)
    assert shares.mean() == pytest.approx(share, abs=0.002)
    assert shares.std() == pytest.approx(np.sqrt(share * (1 - share) / 900), rel=0.2)


def test_many_cells_are_resampled_part_by_part(monkeypatch):
    rng = np.random.default_rng(0)
    column = count_values("a", rng.integers(0, 50, 200), rng.integers(0, 50, 200))
    draws = redraws([column], rng)
    whole = draws.apply(column, lambda mine, others: (mine * others).sum(axis=1))
    monkeypatch.setattr("seethrough.bench.marginals.AT_ONCE", 350)
    assert draws.apply(column, lambda mine, others: (mine * others).sum(axis=1)).tolist() == whole.tolist()


def test_the_interval_lies_about_the_value_however_biased_the_resamples_are():
    redrawn = np.linspace(0.2, 0.4, 201)[None]
    found = mean_estimate(np.array([0.7]), redrawn, 100, 0.9)
    assert (found.value, found.low, found.high) == pytest.approx((0.7, 0.61, 0.79))
    assert mean_estimate(np.array([0.97]), redrawn, 100, 0.9).high == 1


def test_resamples_that_do_not_differ_claim_no_certainty():
    found = mean_estimate(np.ones(2), np.ones((2, 200)), 40, 0.95)
    assert (found.value, found.high) == (1, 1)
    assert found.low == pytest.approx(40 / (40 + 1.959964**2))  # Wilson with all of 40


def test_the_column_that_differs_most_is_named_without_infinite_values():
    columns = [count_values(name, np.array([0]), np.array([0])) for name in "ab"]
    assert most_different(columns, np.ones(2), np.zeros(2), "gap") == {}
    assert most_different(columns, np.array([1, 0]), np.array([0, np.inf]), "KL") == {
        "column that differs most": "b",
        "KL of that column": None,
    }
