"""The generators that need no learning."""

import numpy as np
import pytest

from seethrough.data.rows import row_numbers
from seethrough.data.table import Table
from seethrough.errors import ConfigError
from seethrough.synthesizers.indhist import IndependentHistograms
from seethrough.synthesizers.nonprivate import NonPrivate
from seethrough.synthesizers.real import Real


@pytest.fixture
def table(tables_of):
    columns = {"a": ["x", "y", None, "x"], "b": [1.0, None, 3.0, 4.0], "c": ["p", "q", "q", "r"]}
    return tables_of(columns, columns)[0]


def rows_of(*tables):
    both = Table(
        tables[0].schema, tuple(np.concatenate(parts) for parts in zip(*(t.columns for t in tables), strict=True))
    )
    return row_numbers(both)


def test_real_gives_every_record_once(table):
    found = Real().fit(table, np.random.default_rng(0)).sample(4, np.random.default_rng(0))
    numbers = rows_of(table, found)
    assert sorted(numbers[:4]) == sorted(numbers[4:])
    orders = {tuple(Real().fit(table, None).sample(4, np.random.default_rng(s)).columns[2]) for s in range(20)}
    assert len(orders) > 3
    with pytest.raises(ConfigError, match="5 rows are more than its 4 records"):
        Real().fit(table, None).sample(5, np.random.default_rng(0))


def test_nonprivate_gives_records_and_no_others(table):
    found = NonPrivate().fit(table, None).sample(500, np.random.default_rng(0))
    numbers = rows_of(table, found)
    assert set(numbers[4:]) == set(numbers[:4])


def test_indhist_keeps_each_column_and_nothing_between(table):
    found = IndependentHistograms().fit(table, None).sample(4000, np.random.default_rng(0))
    for name in ("a", "c"):
        shares = np.bincount(found.column(name), minlength=4) / 4000
        np.testing.assert_allclose(shares, np.bincount(table.column(name), minlength=4) / 4, atol=0.04)
    assert np.isnan(found.column("b")).mean() == pytest.approx(0.25, abs=0.04)
    together = (found.column("a") == table.column("a")[0]) & (found.column("c") == table.column("c")[0])
    assert together.mean() == pytest.approx(0.5 * 0.25, abs=0.04)
    assert found.columns[0].dtype == table.columns[0].dtype
