"""Tables that contracts are tested on: records of one population, with ties, missing values and a secret."""

import numpy as np

from seethrough.data.schema import Column, Kind, Role, Schema
from seethrough.data.table import Table
from seethrough.plugins.testing.clauses import generator

ROWS = 400
SCHEMA = Schema(
    (
        Column("age", Kind.NUMERIC, low=0.0, high=1.0, fill=0.5),
        Column("weight", Kind.NUMERIC, low=-3.0, high=3.0, fill=0.0),
        Column("job", Kind.CATEGORICAL, levels=tuple("abcde")),
        Column("town", Kind.CATEGORICAL, levels=tuple("vwxyz")),
        Column("ill", Kind.BINARY, Role.SECRET, levels=("no", "yes")),
    )
)


def people(rows: int, seed: int) -> Table:
    """Draw records with ties, missing values and a secret that depends on the rest."""
    rng = generator(seed)
    age, weight = rng.integers(0, 90, rows) / 90, rng.normal(size=rows).round(2)
    job, town = rng.integers(1, 6, rows), rng.integers(0, 6, rows)
    ill = 1 + (rng.random(rows) < 0.1 + 0.6 * age)
    age[rng.random(rows) < 0.05] = np.nan
    return Table(SCHEMA, (age, weight, job.astype(np.uint8), town.astype(np.uint8), ill.astype(np.uint8)))


def far_away() -> Table:
    """Make a table of numbers out of range and levels that nobody has."""
    age, weight, *others = people(ROWS, 4).columns
    return Table(SCHEMA, (np.nan_to_num(age) + 9, weight + 90, *(np.full_like(column, 9) for column in others)))


def with_random_secrets(table: Table, seed: int) -> Table:
    """Replace the secret by the toss of a coin, so that nothing but a leak can tell it."""
    tossed = generator(seed).integers(1, 3, len(table)).astype(np.uint8)
    return Table(table.schema, (*table.columns[:-1], tossed))


REAL, FRESH, OUTSIDE = people(ROWS, 1), people(ROWS, 2), people(ROWS, 3)
"""The real table, an independent table of the same population, and people who were kept out."""
