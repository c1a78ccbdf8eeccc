"""A small population for games."""

import numpy as np
import pytest

from seethrough.data.schema import Column, Kind, Role, Schema
from seethrough.data.table import Table
from seethrough.games.population import population


def build_people(rows, seed=0, levels=("no", "yes")):
    """Records with four known columns and a secret that follows from the first in most people."""
    rng = np.random.default_rng(seed)
    columns = [rng.integers(1, 7, rows).astype(np.uint8) for _ in range(3)]
    age = rng.integers(0, 60, rows).astype(float)
    secret = 1 + (columns[0] + (rng.random(rows) < 0.1)) % len(levels)
    schema = Schema(
        (
            *(Column(name, Kind.CATEGORICAL, levels=tuple("uvwxyz")) for name in ("job", "town", "car")),
            Column("age", Kind.NUMERIC, low=0.0, high=60.0, fill=30.0),
            Column("ill", Kind.CATEGORICAL, Role.SECRET, levels=tuple(levels)),
        )
    )
    return Table(schema, (*columns, age, secret.astype(np.uint8)))


@pytest.fixture(scope="session")
def people_of():
    return build_people


@pytest.fixture(scope="session")
def small():
    return population(build_people(300), "ill", "people")
