"""Orders of columns: keys, texts, and what is said about them."""

import numpy as np

from seethrough.data.ordering import orders, taken_note
from seethrough.data.schema import Column, Kind, Schema
from seethrough.data.table import Table

SCHEMA = Schema(
    (
        Column("size", Kind.NUMERIC),
        Column("job", Kind.CATEGORICAL, levels=("a", "b", "c")),
        Column("grade", Kind.CATEGORICAL, levels=("low", "high"), ordered=True),
        Column("day", Kind.DATE),
    )
)
REAL = Table(
    SCHEMA,
    (
        np.array([1.5, np.nan, 3, 2]),
        np.array([2, 2, 3, 0], np.uint8),
        np.array([2, 2, 2, 1], np.uint8),
        np.array([0.0, 18262.0, 1.5, np.nan]),
    ),
)


def test_keys_follow_values_declared_order_or_frequency_and_missing_comes_last():
    found = orders(REAL)
    assert found["size"].keys(REAL.column("size")).tolist() == [1.5, np.inf, 3, 2]
    # b comes twice, c once, a never; a level that only another table has comes after them.
    assert found["job"].keys(np.array([2, 3, 1, 4, 0], np.uint8)).tolist() == [1, 2, 3, 4, np.inf]
    assert found["grade"].keys(np.array([1, 2], np.uint8)).tolist() == [1, 2]


def test_levels_as_frequent_as_each_other_stand_as_in_the_schema():
    even = Table(SCHEMA, (REAL.columns[0], np.array([3, 1, 3, 1], np.uint8), *REAL.columns[2:]))
    assert orders(even)["job"].keys(np.array([1, 3, 2], np.uint8)).tolist() == [1, 2, 3]


def test_keys_are_written_as_the_values_they_stand_for():
    found = orders(REAL)
    assert found["size"].text(1.5) == "1.5"
    assert [found["job"].text(key) for key in (1, 2, 3, np.inf)] == ["b", "c", "a", ""]
    assert found["day"].text(18262.0) == "2020-01-01"
    assert found["day"].text(1.5) == "1970-01-02 + 0.5 days"


def test_the_order_that_was_taken_is_said():
    (note,) = taken_note(orders(REAL).values())
    assert note.startswith("no order of their own: 'job'; the most frequent level")
    assert taken_note([orders(REAL)["size"]]) == ()
