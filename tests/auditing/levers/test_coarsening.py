"""Coarse columns by hand, and what a reader makes of them."""

import numpy as np
import pytest

from seethrough.auditing.levers.coarsening import CoarseColumns, Gone, coarse_column
from seethrough.data.schema import Column, Kind, Schema
from seethrough.data.table import Table
from seethrough.errors import ConfigError

TOWN = Column("town", Kind.CATEGORICAL, levels=("a", "b", "c", "d"))
AGE = Column("age", Kind.NUMERIC, low=0.0, high=9.0, fill=4.0, whole=True)


def test_the_most_frequent_levels_stay_and_the_others_become_one():
    released = np.array([2, 2, 2, 4, 4, 1, 3, 0], np.uint8)
    coarse = coarse_column(TOWN, released, 3)
    assert coarse.names == ("b", "d", "all others")
    # Missing stays missing; a level that nobody released, and one unseen in the schema, are among the others.
    assert coarse.apply(np.array([0, 1, 2, 3, 4, 5, 99])).tolist() == [0, 3, 1, 3, 2, 3, 3]


def test_a_name_that_is_taken_is_not_given_twice():
    column = Column("x", Kind.CATEGORICAL, levels=("all others", "b", "c"))
    assert coarse_column(column, np.array([1, 1, 2]), 2).names == ("all others", "(all others)")


def test_ordered_levels_are_put_together_with_their_neighbours():
    column = Column("school", Kind.CATEGORICAL, levels=("1", "2", "3", "4"), ordered=True)
    coarse = coarse_column(column, np.array([1, 2, 3, 4]), 2)
    assert coarse.names == ("1 to 2", "3 to 4")
    assert coarse.apply(np.array([0, 1, 2, 3, 4])).tolist() == [0, 1, 1, 2, 2]


def test_a_number_is_cut_at_released_quantiles_and_stands_as_a_released_value():
    coarse = coarse_column(AGE, np.array([1.0, 2, 3, 4, 5, 6]), 2)
    assert coarse.edges.tolist() == [3.0]
    assert coarse.apply(np.array([0.0, 3, 3.5, 9, np.nan])).tolist()[:4] == [2.0, 2.0, 5.0, 5.0]
    assert np.isnan(coarse.apply(np.array([np.nan]))).all()


def test_reading_again_draws_evenly_from_what_a_coarse_value_may_be():
    rng = np.random.default_rng(0)
    coarse = coarse_column(TOWN, np.array([2, 2, 4, 1, 3]), 2)  # b, and a, c, d merged
    read = coarse.read(np.array([1, 3, 4] * 1000 + [2] * 10 + [0] * 5), TOWN, rng)
    merged = np.bincount(read[:3000], minlength=5)
    assert merged[2] == 0
    assert merged[[1, 3, 4]] == pytest.approx(1000, rel=0.1)
    assert set(read[3000:3010]) == {2}
    assert set(read[3010:]) == {0}
    numbers = coarse_column(AGE, np.array([1.0, 2, 3, 4, 5, 6]), 2).read(np.array([1.0] * 3000), AGE, rng)
    assert np.bincount(numbers.astype(int)).tolist()[1:] == pytest.approx([1000] * 3, rel=0.1)


def test_a_column_that_is_gone_is_not_there_and_read_as_anything():
    table = Table(Schema((TOWN, AGE)), (np.full(4000, 2, np.uint8), np.full(4000, 7.0)))
    gone = CoarseColumns({"town": Gone()})
    assert [column.name for column in gone(table).schema.used] == ["age"]
    read = gone.read(table, np.random.default_rng(0))
    assert np.bincount(read.column("town"))[1:] == pytest.approx(1000, rel=0.1)
    assert set(read.column("age")) == {7.0}


@pytest.mark.parametrize(("column", "released"), [(TOWN, np.array([1, 2, 3, 4])), (AGE, np.array([1.0, 2, 1, 2]))])
def test_what_has_no_more_values_is_not_coarsened(column, released):
    with pytest.raises(ConfigError, match="coarsen it to fewer"):
        coarse_column(column, released, 4)
