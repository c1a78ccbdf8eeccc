"""A small table with a strong dependence, and how well it is kept."""

import numpy as np
import pytest

from seethrough.data.schema import Column, Kind, Schema
from seethrough.data.table import Table

ROWS = 600


@pytest.fixture(scope="session")
def dependent():
    """`b` is decided by `a`, `x` stands near 10 times `a`, `c` is a coin; some of `c` and `x` are missing."""
    rng = np.random.default_rng(5)
    a = rng.choice([1, 2, 3], ROWS, p=[0.5, 0.3, 0.2]).astype(np.uint8)
    b = np.array([0, 3, 1, 2], np.uint8)[a]
    c = rng.choice([0, 1, 2], ROWS, p=[0.1, 0.5, 0.4]).astype(np.uint8)
    x = np.where(rng.random(ROWS) < 0.1, np.nan, rng.normal(10.0 * a, 0.5))
    schema = Schema(
        (
            Column("a", Kind.CATEGORICAL, levels=("p", "q", "r", "never")),
            Column("b", Kind.CATEGORICAL, levels=("s", "t", "u")),
            Column("c", Kind.BINARY, levels=("v", "w")),
            Column("x", Kind.NUMERIC, low=float(np.nanmin(x)), high=float(np.nanmax(x))),
        )
    )
    return Table(schema, (a, b, c, x))


def joint(table, first="a", second="b"):
    """Shares of all pairs of levels."""
    pairs = table.column(first).astype(int) * 10 + table.column(second)
    return np.bincount(pairs, minlength=100) / len(table)


@pytest.fixture(scope="session")
def distances():
    """Half the L1 distance of the pairs of `a` and `b` to the real ones, and what independent columns would have."""

    def measure(real, synthetic):
        wanted = joint(real).reshape(10, 10)
        alone = np.outer(wanted.sum(1), wanted.sum(0))
        return np.abs(joint(synthetic) - wanted.ravel()).sum() / 2, np.abs(alone - wanted).sum() / 2

    return measure


@pytest.fixture(scope="session")
def shares():
    """Shares of the levels of a column."""
    return lambda table, name: np.bincount(table.column(name), minlength=5) / len(table)
