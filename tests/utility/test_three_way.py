"""Utility by hand and against a loop over all records."""

from itertools import combinations, product

import numpy as np
import pytest

from seethrough.errors import NotApplicable
from seethrough.kernels.statistics.total_variation import total_variation
from seethrough.utility.counting import all_subsets, cell_counts, random_subsets
from seethrough.utility.mre import mean_of, relative_errors
from seethrough.utility.three_way import three_way


def test_errors_of_counts_by_hand():
    real, synthetic = np.array([20, 12, 8, 0]), np.array([3, 0, 1, 4])
    # 40 rows against 8: counts times 5. Only 20 and 12 exceed 10: |20 - 15| / 20 and |12 - 0| / 12.
    assert relative_errors(real, synthetic).tolist() == [0.25, 1.0]
    # Shares .5 .3 .2 0 against .375 0 .125 .5: half of .125 + .3 + .075 + .5.
    assert total_variation(real, synthetic) == pytest.approx(0.5)
    assert total_variation(real, real) == 0


def naive(real, synthetic):
    """Both measures by counting every combination in turn."""
    errors, distances = [], []
    rows, others = (list(zip(*table.columns, strict=True)) for table in (real, synthetic))
    for subset in combinations(range(len(real.columns)), 3):
        mine = [tuple(row[place] for place in subset) for row in rows]
        other = [tuple(row[place] for place in subset) for row in others]
        distance = 0.0
        for cell in set(product(*({*(row[place] for row in [*rows, *others])} for place in subset))):
            a, b = mine.count(cell), other.count(cell)
            distance += abs(a / len(rows) - b / len(others)) / 2
            if a > 10:
                errors.append(abs(a - b * len(rows) / len(others)) / a)
        distances.append(distance)
    return np.mean(errors), np.mean(distances)


@pytest.fixture
def pair(tables_of):
    rng = np.random.default_rng(0)

    def columns(rows):
        return {name: [str(v) for v in rng.integers(0, 3, rows)] for name in "abcd"}

    return tables_of(columns(400), columns(150))


def test_the_count_equals_a_loop_over_all_records(pair):
    mre, tvd = naive(*pair)
    assert three_way(*pair, np.random.default_rng(0), None) == pytest.approx((mre, tvd))


def test_wide_columns_are_counted_by_sorting(tables_of):
    rng = np.random.default_rng(0)

    def columns(rows):
        return {name: [f"{v:03}" for v in rng.integers(0, 90, rows)] for name in "abc"}

    real, synthetic = tables_of(columns(80), columns(50))
    [(mine, others)] = cell_counts(real, synthetic, all_subsets(3))
    assert len(mine) < 200
    assert (mine.sum(), others.sum()) == (80, 50)
    assert mean_of([relative_errors(mine, others)]) is None


def test_numbers_count_as_their_tenths(tables_of):
    real, synthetic = tables_of(
        {"a": list(np.linspace(0, 1, 200)), "b": ["x"] * 200, "c": ["y"] * 200},
        {"a": [0.01, None], "b": ["x", "x"], "c": ["y", "y"]},
    )
    [(mine, others)] = cell_counts(real, synthetic, all_subsets(3))
    assert sorted(mine[mine > 0]) == [20] * 10
    assert sorted(others[others > 0]) == [1, 1]


def test_subsets_are_different_and_all_where_there_are_few():
    found = random_subsets(16, np.random.default_rng(0))
    assert len(set(found)) == len(found) == 100
    assert all(len(set(subset)) == 3 for subset in found)
    assert random_subsets(5, np.random.default_rng(0)) == all_subsets(5)
    with pytest.raises(NotApplicable, match="2 columns have no subset of 3"):
        random_subsets(2, np.random.default_rng(0))
